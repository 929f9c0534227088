package campaign

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
)

// Distinguishing is a test that was made, and the mutants that it kills.
type Distinguishing struct {
	Test  execute.Test // whose input is its Text
	Kills []string     // ids
}

// Distinguish makes up to n further tests of the project's (maker), and runs them on the
// mutants that are wanted. What it returns are those that kill some. On all of them the
// program itself runs clean under sanitizers and repeats itself, so that a difference is
// the mutant's. Calls go on where the last one ended; more is false where no further test
// can be made.
func (p *Prepared) Distinguish(ctx context.Context, n int, wanted func(id string) bool) (found []Distinguishing, more bool, err error) {
	if len(p.those(wanted)) == 0 {
		return nil, true, nil
	}
	if err := p.make(ctx); err != nil {
		return nil, false, err
	}
	made, more, err := p.maker.next(ctx, n)
	if err != nil {
		return nil, more, err
	}
	found, err = p.tell(ctx, made, wanted)
	for k := range found {
		p.maker.useful(&found[k].Test)
	}
	return found, more, err
}

// make has a maker of tests made ready.
func (p *Prepared) make(ctx context.Context) (err error) {
	if p.maker == nil {
		p.maker, err = newMaker(ctx, p.r, p.tests)
	}
	return err
}

// Try runs inputs, as tests with the files of the first, on the mutants that are wanted, and returns those
// that kill some. Of them, too, only those are run on which the program is clean.
func (p *Prepared) Try(ctx context.Context, inputs []variation.Test, wanted func(id string) bool) ([]Distinguishing, error) {
	if len(inputs) == 0 || len(p.those(wanted)) == 0 {
		return nil, nil
	}
	if err := p.make(ctx); err != nil || p.maker.varied == nil { // it does not compile with sanitizers
		return nil, err
	}
	var tests []execute.Test
	for k, given := range inputs {
		t := execute.Test{}
		if len(p.tests) > 0 {
			t = p.tests[0] // with its files
		}
		t.Name, t.Input, t.Text, t.Args = fmt.Sprintf("tried-%03d", k+1), "", given.Input, given.Args
		if len(given.Files) > 0 {
			t.Files = nil
		}
		for _, f := range given.Files {
			t.Files = append(t.Files, execute.File{Name: f.Name, Text: f.Text})
		}
		tests = append(tests, t)
	}
	tests, err := p.maker.checker.clean(ctx, tests, p.r.bench.execute)
	if err != nil {
		return nil, err
	}
	return p.tell(ctx, tests, wanted)
}

// tell runs tests that were made on the mutants that are wanted, and returns those that kill some.
func (p *Prepared) tell(ctx context.Context, tests []execute.Test, wanted func(id string) bool) (found []Distinguishing, err error) {
	if len(tests) == 0 {
		return nil, nil
	}
	base, err := p.r.baseline(ctx, p.made.meta, &suite{tests: tests})
	if exit.Of(err) == exit.Baseline {
		return nil, nil // none of them repeats itself
	}
	if err != nil {
		return nil, err
	}
	kills, err := p.kills(ctx, p.those(wanted), base)
	if err != nil {
		return nil, err
	}
	for t, test := range base.tests {
		one := Distinguishing{Test: test}
		for m, id := range kills.Mutants() {
			if kills.Cell(m, t).Verdict == matrix.Killed {
				one.Kills = append(one.Kills, id)
			}
		}
		if len(one.Kills) > 0 {
			found = append(found, one)
		}
	}
	return found, nil
}

// Shown is what a run shows: what was printed, and how it ended.
type Shown struct {
	execute.Outcome
	Output []byte
}

// Both runs the original and a mutant on a test, and returns what each shows.
func (p *Prepared) Both(ctx context.Context, test execute.Test, id string) (original, mutated Shown, err error) {
	some := p.those(func(other string) bool { return other == id })
	if len(some) == 0 {
		return original, mutated, fmt.Errorf("no mutant %s", id)
	}
	engine, err := execute.Start(ctx, p.made.meta, []execute.Test{test}, p.r.bench.execute)
	if err != nil {
		return original, mutated, err
	}
	defer engine.Close()
	if original.Outcome, original.Output, err = engine.Observe(ctx, 0, 0); err != nil {
		return original, mutated, err
	}
	mutated.Outcome, mutated.Output, err = engine.ObserveBeside(ctx, original.Outcome, some[0].Selector, 0)
	return original, mutated, err
}
