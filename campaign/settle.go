package campaign

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/program"
)

// testsARound is how many tests Settle makes at a time.
const testsARound = 48

// Settling says how survivors are settled.
type Settling struct {
	// Inputs are tried first.
	Inputs []variation.Test
	// Until is when that ends.
	Until time.Time
	// Prove, when set, follows what tests that are made at first do not tell (verdict.Proving): its
	// Until and Found are Settle's.
	Prove *verdict.Proving
}

// Settled is what was found of survivors.
type Settled struct {
	// Tests are few that together kill all that any of those made kills, those that kill most first;
	// each has the mutants that it is the first to kill.
	Tests []Distinguishing
	// Proofs are the verdicts on what was followed.
	Proofs []program.Proof
}

// Settle makes tests until every mutant that is wanted is told from the original by one, no
// further test can be made, or the time has come. What is left after a third of it is followed as
// formulas for another: inputs of the program that tell one mutant are tried on all. Tests are the same
// for the same program, tests and seed, but how many are made depends on the time.
func (p *Prepared) Settle(ctx context.Context, wanted map[string]bool, how Settling) (*Settled, error) {
	limited, done := context.WithDeadline(ctx, how.Until)
	defer done()
	s := &settling{p: p, open: maps.Clone(wanted)}
	part := time.Until(how.Until) / 3
	err := s.try(limited, how.Inputs)
	if err == nil && how.Prove != nil {
		if err = s.make(limited, time.Now().Add(part)); err == nil {
			err = s.follow(limited, how.Prove, time.Now().Add(part))
		}
	}
	if err == nil {
		err = s.make(limited, how.Until)
	}
	if err != nil && (ctx.Err() != nil || limited.Err() == nil) {
		return nil, err
	}
	return &Settled{fewest(s.all), s.proofs}, nil
}

// settling is what Settle has found so far.
type settling struct {
	p      *Prepared
	open   map[string]bool
	all    []Distinguishing
	proofs []program.Proof
	ended  bool // no further test can be made
}

func (s *settling) wants(id string) bool { return s.open[id] }

func (s *settling) found(tests []Distinguishing) {
	for _, one := range tests {
		for _, id := range one.Kills {
			delete(s.open, id)
		}
	}
	s.all = append(s.all, tests...)
}

// make makes tests of the form that the program's have.
func (s *settling) make(ctx context.Context, until time.Time) error {
	for !s.ended && len(s.open) > 0 && time.Now().Before(until) {
		tests, more, err := s.p.Distinguish(ctx, testsARound, s.wants)
		if err != nil {
			return err
		}
		s.found(tests)
		s.ended = !more
	}
	return nil
}

// follow asks stages about what is open, and tries the inputs that they find on all of it.
func (s *settling) follow(ctx context.Context, how *verdict.Proving, until time.Time) error {
	if len(s.open) == 0 {
		return nil
	}
	var mu sync.Mutex
	var found []variation.Test
	prove := *how
	prove.Until, prove.Found = until, func(t bmc.Test) {
		mu.Lock()
		defer mu.Unlock()
		if t.Args == nil {
			found = append(found, variation.Test{Input: t.Input})
		}
	}
	var err error
	s.proofs, err = s.p.m.program.Prove(ctx, s.p.r.builder.Tools, program.Proving{Mutation: s.p.r.opts.Mutation, IDs: maps.Clone(s.open), Stages: prove.Stages(), Until: until})
	if err != nil {
		return err
	}
	return s.try(ctx, found)
}

// try runs inputs on all that is open.
func (s *settling) try(ctx context.Context, given []variation.Test) error {
	order := func(a, b variation.Test) int {
		return cmp.Or(cmp.Compare(len(a.Input), len(b.Input)), bytes.Compare(a.Input, b.Input), slices.Compare(a.Args, b.Args),
			slices.CompareFunc(a.Files, b.Files, func(a, b inputs.File) int {
				return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Text, b.Text))
			}))
	}
	slices.SortFunc(given, order)
	tests, err := s.p.Try(ctx, slices.CompactFunc(given, func(a, b variation.Test) bool { return order(a, b) == 0 }), s.wants)
	s.found(tests)
	return err
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
