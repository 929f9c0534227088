package campaign

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/execute"
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
	some := p.those(wanted)
	if len(some) == 0 {
		return nil, true, nil
	}
	if p.maker == nil {
		if p.maker, err = newMaker(ctx, p.r, p.tests); err != nil {
			return nil, false, err
		}
	}
	made, more, err := p.maker.next(ctx, n)
	if err != nil || len(made) == 0 {
		return nil, more, err
	}
	base, err := p.r.baseline(ctx, p.made.meta, &suite{tests: made})
	if exit.Of(err) == exit.Baseline {
		return nil, more, nil // none of them repeats itself
	}
	if err != nil {
		return nil, more, err
	}
	kills, err := p.kills(ctx, some, base)
	if err != nil {
		return nil, more, err
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
			p.maker.useful(&test)
		}
	}
	return found, more, nil
}

// testsARound is how many tests TellApart makes at a time.
const testsARound = 48

// TellApart makes tests until every mutant that is wanted is told from the original by one, no
// further test can be made, or the time has come. It returns few of them, which together kill all
// that any of them kills, those that kill most first; each has the mutants that it is the first
// to kill. Tests are the same for the same program, tests and seed, but how many are made depends
// on the time.
func (p *Prepared) TellApart(ctx context.Context, wanted map[string]bool, until time.Time) ([]Distinguishing, error) {
	var all []Distinguishing
	open := maps.Clone(wanted)
	for len(open) > 0 && time.Now().Before(until) {
		found, more, err := p.Distinguish(ctx, testsARound, func(id string) bool { return open[id] })
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			for _, id := range one.Kills {
				delete(open, id)
			}
		}
		if all = append(all, found...); !more {
			break
		}
	}
	return fewest(all), nil
}

// fewest chooses tests greedily: each time what kills most of the mutants that are left, the
// shortest of several.
func fewest(all []Distinguishing) (chosen []Distinguishing) {
	killed := map[string]bool{}
	for {
		var best Distinguishing
		for _, one := range all {
			one.Kills = slices.DeleteFunc(slices.Clone(one.Kills), func(id string) bool { return killed[id] })
			if len(one.Kills) > len(best.Kills) || len(one.Kills) == len(best.Kills) && len(one.Kills) > 0 && len(one.Test.Text) < len(best.Test.Text) {
				best = one
			}
		}
		if len(best.Kills) == 0 {
			return chosen
		}
		for _, id := range best.Kills {
			killed[id] = true
		}
		chosen = append(chosen, best)
	}
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
	for k, selector := range []int32{0, some[0].Selector} {
		outcome, text, err := engine.Observe(ctx, selector, 0)
		if err != nil {
			return original, mutated, err
		}
		*[]*Shown{&original, &mutated}[k] = Shown{outcome, text}
	}
	return original, mutated, nil
}
