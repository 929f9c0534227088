package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Probing is a program's probing build.
type Probing struct {
	binary string
	shape  execute.ProbeShape
}

// Probing makes the probing build's executable. It leaves the program's modules
// to Build, before which it must be called.
func (b *Builder) Probing(ctx context.Context, p *Program, name string) (*Probing, error) {
	mutants := p.Mutants()
	opts := schemata.ProbeOptions{Sites: p.Sites}
	for _, m := range mutants {
		opts.Mutants = max(opts.Mutants, int(m.Selector))
	}
	var inputs, flags []string
	for k, u := range p.Units {
		u.prepare()
		opts.Define = k == 0
		file := filepath.Join(b.folder, fmt.Sprintf("%s.%d.ll", name, k))
		if err := os.WriteFile(file, []byte(schemata.ProbeText(u.Module, u.Mutants, opts)), 0o644); err != nil {
			return nil, fmt.Errorf("writing the probing build: %w", err)
		}
		inputs = append(inputs, file)
		flags = clang.KeepLinker(u.Input.Flags)
	}
	out := filepath.Join(b.folder, name)
	if err := b.tools.Link(ctx, out, append(inputs, b.runtime...), flags); err != nil {
		return nil, fmt.Errorf("making the probing build: %w", err)
	}
	layout := opts.Layout()
	return &Probing{out, execute.ProbeShape{Sites: opts.Sites, Mutants: opts.Mutants,
		ReachCounts: layout.ReachCounts, InfectCounts: layout.InfectCounts, Size: layout.Size}}, nil
}

// probe makes the probing runs on the tests in use.
func (r *recorder) probe(ctx context.Context, base *execute.Baseline) (*execute.ProbeResult, error) {
	if r.probing == nil {
		return nil, nil
	}
	start := time.Now()
	p, err := execute.StartProbe(ctx, r.probing.binary, r.c.Tests, r.probing.shape, r.opts.Execute)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	found, err := p.Run(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, t := range found.Tests {
		if t.Unprobed != "" {
			r.summary.Unprobed++
		}
	}
	r.stage("probe", start)
	return found, nil
}
