package pipeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Probing is a program's probing build.
type Probing struct {
	binary string
	shape  execute.ProbeShape
}

// Probing makes the probing build's executable. With counts it also tells how
// often.
func (b *Builder) Probing(ctx context.Context, p *Program, name string, counts bool) (*Probing, error) {
	opts := schemata.ProbeOptions{Sites: p.Sites, Counts: counts}
	for _, m := range p.Mutants() {
		opts.Mutants = max(opts.Mutants, int(m.Selector))
	}
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *Unit) error {
		own := opts
		own.Define = k == 0
		return schemata.WriteProbe(w, u.Module, u.Mutants, own)
	})
	if err != nil {
		return nil, fmt.Errorf("making the probing build: %w", err)
	}
	layout := opts.Layout()
	return &Probing{out, execute.ProbeShape{Sites: opts.Sites, Mutants: opts.Mutants, Counts: counts,
		ReachCounts: layout.ReachCounts, InfectCounts: layout.InfectCounts, Values: layout.Values, Changes: layout.Changes, Size: layout.Size}}, nil
}

// leavings are what becomes of a program's mutants on tests until their function is left:
// by the test's name and the mutant's selector; nil for a test of which nothing is known.
type leavings map[string][]mutant.Leaving

func (l leavings) of(test string, selector int32) mutant.Leaving {
	if known := l[test]; known != nil {
		return known[selector]
	}
	return 0
}

// leavingsOf follows the program on its tests. It must be as it was mutated: no build was
// made of it. Of tests with arguments or files nothing is known, nor of what comes behind many large ones.
func leavingsOf(p *Program, tests []execute.Test) (leavings, error) {
	out := leavings{}
	var names []string
	var texts [][]byte
	most, room := 0, mostText
	for _, m := range p.Mutants() {
		most = max(most, int(m.Selector))
	}
	for i := range tests {
		t := &tests[i]
		if len(t.Args) > 0 || len(t.Files) > 0 {
			continue
		}
		text, err := inputOf(t)
		if err != nil {
			return nil, err
		}
		if room -= len(text); room >= 0 {
			names, texts = append(names, t.Name), append(texts, text)
		}
	}
	for _, u := range p.Units {
		if len(u.Mutants) == 0 || len(texts) == 0 {
			continue
		}
		found, err := features.Leavings(u.Module, u.Mutants, texts)
		if err != nil {
			return nil, err
		}
		for k, name := range names {
			if found[k] != nil && out[name] == nil {
				out[name] = make([]mutant.Leaving, most+1)
			}
			for i, l := range found[k] {
				out[name][u.Mutants[i].Selector] = l
			}
		}
	}
	return out, nil
}

// mostText bounds the inputs that are followed, all together.
const mostText = 32 << 20

func inputOf(t *execute.Test) ([]byte, error) {
	if t.Input == "" {
		return nil, nil
	}
	text, err := os.ReadFile(t.Input)
	if err != nil {
		return nil, fmt.Errorf("reading the input of test %s: %w", t.Name, err)
	}
	return text, nil
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
	if r.opts.Counts {
		if r.probed, err = r.probeTable(base, found); err != nil {
			return nil, err
		}
	}
	r.stage("probe", start)
	return found, nil
}

// probeTable writes down how often the tests execute and infect the mutants, and what
// the values were like.
func (r *recorder) probeTable(base *execute.Baseline, found *execute.ProbeResult) (*table.Table, error) {
	t, err := table.New(dataset.ProbeSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of the probe: %w", err)
	}
	for i := range r.mutants {
		m := &r.mutants[i]
		for k, test := range r.c.Tests {
			p := &found.Tests[k]
			if p.Unprobed != "" || !base.Tests[k].Reached.Has(m.Site.Ordinal) {
				continue
			}
			if err := t.Append(m.ID, test.Name, int64(p.ReachCounts[m.Site.Ordinal]), int64(p.InfectCounts[m.Selector]),
				int64(p.Values[m.Site.Ordinal]), int64(p.Changes[m.Selector]), int64(r.leavings.of(test.Name, m.Selector))); err != nil {
				return nil, fmt.Errorf("making the table of the probe: %w", err)
			}
		}
	}
	return t, nil
}
