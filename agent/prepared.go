package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// prepared is the project with all mutants that live built in, for tests that come one by
// one: it takes seconds to make, and a test then takes a fraction of one.
type prepared struct {
	*campaign.Prepared
	of     string // the sources that it is of
	remove func() // the folder that it is in
}

func (p *prepared) close() {
	if p != nil {
		p.Close()
		p.remove()
	}
}

// Ahead builds what Try needs while the user thinks, and looks for hints. What goes wrong is
// said when a test is tried.
func (s *Session) Ahead(ctx context.Context) {
	if s.runs(ctx) != nil || s.of.Build != nil {
		return
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.running.Lock()
	s.ahead.Go(func() {
		_, err := s.ready(ctx)
		s.running.Unlock()
		if err == nil {
			s.hunt(ctx)
		}
	})
}

// Close removes what a session has built.
func (s *Session) Close() {
	if s.stop != nil {
		s.stop()
		s.ahead.Wait()
	}
	s.running.Lock()
	defer s.running.Unlock()
	s.built.close()
	s.built = nil
}

// ready is the project as it is now, built; who calls it holds the lock of runs.
func (s *Session) ready(ctx context.Context) (*campaign.Prepared, error) {
	of, err := s.sources()
	if err != nil {
		return nil, err
	}
	if s.built != nil && s.built.of == of {
		return s.built.Prepared, nil
	}
	s.built.close()
	s.built = nil
	builder, remove, err := build.Temporary(ctx, s.tools)
	if err != nil {
		return nil, err
	}
	live := s.live()
	only := func(_ context.Context, p *program.Program, _ func() (map[string]int, error)) ([]string, error) {
		var out []string
		for _, m := range p.Mutants() {
			if live[m.ID] {
				out = append(out, m.ID)
			}
		}
		return out, nil
	}
	made, err := campaign.Prepare(ctx, builder, *s.of, campaign.RecordOptions{Tool: s.tool, Seed: 1, Choose: only, Mutation: s.mutation})
	if err != nil {
		remove()
		return nil, err
	}
	s.built = &prepared{made, of, remove}
	return made, nil
}

// sources is a sum of the files that are mutated.
func (s *Session) sources() (string, error) {
	sum := sha256.New()
	for _, input := range s.of.Inputs {
		text, err := os.ReadFile(input.Path)
		if err != nil {
			return "", exit.New(exit.Input, err, "")
		}
		one := sha256.Sum256(text)
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
