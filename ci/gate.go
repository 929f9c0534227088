package ci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report/findings"
)

// confirm runs new survivors once more, on every test that reaches them and whatever a probing
// run said: one that is killed now is no survivor to fail a build for. One that was confirmed under
// its key is not run a third time.
func (c *check) confirm(ctx context.Context, r *Result) error {
	open := c.store.unconfirmed(r.New)
	if len(open) == 0 {
		return nil
	}
	c.opts.Say(fmt.Sprintf("running %d new survivors again, on every test that reaches them", len(open)))
	again := func(context.Context, *program.Program, func() (map[string]int, error)) ([]string, error) {
		return open, nil
	}
	notRun := c.notRun
	s, err := c.record(ctx, filepath.Join(c.scratch, "again"), again, func(o *campaign.RecordOptions) { o.NoProbe = true })
	c.notRun = notRun
	if err != nil {
		return err
	}
	for m, id := range s.Kills.Mutants() {
		if s.Kills.Verdict(m) != matrix.Killed {
			c.store.confirm(id, s.Kills.Verdict(m))
			continue
		}
		r.Unstable = append(r.Unstable, id)
		delete(c.store.Rows, id)
		r.New = slices.DeleteFunc(r.New, func(other string) bool { return other == id })
		for i := range r.Findings.Findings {
			if f := &r.Findings.Findings[i]; f.ID == id {
				f.Status, f.Why, f.Known = findings.Unknown, "it survived once and was killed when it was run again", true
			}
		}
	}
	return nil
}

// baseline is the file of survivors that are accepted.
type baseline struct {
	Format    int              `json:"format"`
	Survivors []baselineMutant `json:"survivors"`
}

// baselineMutant has the id, which counts, and what a reader of the file wants to know.
type baselineMutant struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Function string `json:"function"`
	Change   string `json:"change"`
}

const baselineFormat = 1

// ErrBaseline is a file of accepted survivors that cannot be read.
var ErrBaseline = errors.New("no baseline")

// ReadBaseline reads the ids of the survivors that are accepted.
func ReadBaseline(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Mark(exit.Input, ErrBaseline, fmt.Errorf("reading the baseline: %w", err))
	}
	var b baseline
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, exit.Mark(exit.Input, ErrBaseline, fmt.Errorf("baseline %s: %w", path, err))
	}
	if b.Format != baselineFormat {
		return nil, exit.Mark(exit.Input, ErrBaseline, fmt.Errorf("baseline %s has format %d, this winnow reads %d", path, b.Format, baselineFormat))
	}
	out := map[string]bool{}
	for i, m := range b.Survivors {
		if m.ID == "" {
			return nil, exit.Mark(exit.Input, ErrBaseline, fmt.Errorf("baseline %s: survivor %d has no id", path, i+1))
		}
		out[m.ID] = true
	}
	return out, nil
}

// WriteBaseline accepts all survivors of a run, besides those known before.
func WriteBaseline(path string, r *findings.Run) error {
	b := baseline{Format: baselineFormat, Survivors: []baselineMutant{}}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Status == findings.Survived || f.Status == findings.Unreached {
			b.Survivors = append(b.Survivors, baselineMutant{f.ID, f.File, f.Function, f.Original + " → " + f.Replacement})
		}
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return errors.Join(errors.New("writing the baseline"), err)
	}
	return atomicfile.Write(path, append(text, '\n'))
}
