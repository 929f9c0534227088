package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// spending is how a budget is spent: the suite runs for so long, proofs of the survivors take a
// share of what is left, and the rest is for tests that are made. Of a program that winnow builds
// about so many mutants are made at most.
type spending struct {
	suite   time.Duration
	share   float64
	mutants int
}

// What is made of a program that winnow builds, a second of the time that its tests have.
const (
	leastProved  = 200
	provedSecond = 30
)

// spendingOf divides a budget. For a project's own test programs no tests are made.
func spendingOf(budget time.Duration, built bool) spending {
	if built {
		return spending{budget * 6 / 10, 0.85, 0}
	}
	suite := budget / 2
	return spending{suite, 0.35, max(leastProved, int(suite.Seconds()*provedSecond))}
}

// reasons say why mutants are open, by id.
type reasons map[string]string

func (r reasons) add(p program.Proof) {
	why := p.Reason
	switch {
	case p.Verdict == equiv.Duplicate:
		why = "as " + p.Of + ": " + why
	case p.Evidence == smt.Limits || p.Evidence == bmc.Limits:
		why = "only numbers near the limits of their type were found to tell it: " + why
	}
	r[p.Mutant.ID] = why
}

// settled is what was found of survivors behind the run of the suite.
type settled struct {
	tests  []killingTest
	proofs []program.Proof
}

// settle makes tests that kill mutants that are open, of known inputs first, and proves some of
// those that none kills; it finds nothing where there is no time.
func (o *proveOptions) settle(ctx context.Context, c *project.Case, open map[string]report.Change, inputs []variation.Test, until time.Time) (*settled, error) {
	limited, done := context.WithDeadline(ctx, until)
	defer done()
	out, err := o.settleWithin(ctx, limited, c, open, inputs, until)
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return &settled{}, nil
	}
	return out, err
}

// settleWithin makes and proves within the limited context; what was found is shown when that
// has ended, too.
func (o *proveOptions) settleWithin(ctx, limited context.Context, c *project.Case, open map[string]report.Change, inputs []variation.Test, until time.Time) (*settled, error) {
	tools, err := clang.Find()
	if err != nil {
		return nil, err
	}
	builder, remove, err := build.Temporary(limited, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	mutation, err := o.Mutation.resolve()
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for id := range open {
		wanted[id] = true
	}
	mutation.Only = wanted
	made, err := campaign.Prepare(limited, builder, *c, campaign.RecordOptions{Tool: buildVersion(), Seed: 1, Mutation: mutation,
		Choose: func(context.Context, *program.Program, func() (map[string]int, error)) ([]string, error) {
			return slices.Sorted(maps.Keys(open)), nil
		}})
	if err != nil {
		return nil, err
	}
	defer made.Close()
	// Showing what tests do takes some of the time.
	found, err := made.Settle(limited, wanted, campaign.Settling{Inputs: inputs, Until: until.Add(-time.Until(until) / 10), Prove: &verdict.Proving{Function: o.Time, Rounds: o.Rounds}})
	if err != nil {
		return nil, err
	}
	out := &settled{proofs: found.Proofs}
	for k, one := range found.Tests {
		original, mutant, err := made.Both(ctx, one.Test, one.Kills[0])
		if err != nil {
			return nil, err
		}
		test := killingTest{Test: agent.Test{Name: madeName(k + 1), Input: string(one.Test.Text), Args: one.Test.Args, Files: filesOf(one.Test.Files)},
			Original: agent.RanOf(&original), Mutant: agent.RanOf(&mutant), prints: original.Output}
		for _, id := range one.Kills {
			test.Kills = append(test.Kills, open[id])
		}
		out.tests = append(out.tests, test)
	}
	return out, nil
}

// filesOf are the files that a test was made with; those of the project's tests are on disk.
func filesOf(files []execute.File) (out []inputs.File) {
	for _, f := range files {
		if f.Path == "" {
			out = append(out, inputs.File{Name: f.Name, Text: f.Text})
		}
	}
	return out
}

// take adds what was found behind the run to what it told, and takes out what is no longer open.
func (s *survivorProofs) take(found *settled, open map[string]report.Change, why reasons) {
	s.Killable = append(s.Killable, found.tests...)
	for _, t := range found.tests {
		for _, c := range t.Kills {
			delete(open, c.ID)
		}
	}
	for _, p := range found.proofs {
		id := p.Mutant.ID
		change, left := open[id]
		known := survivorProof{Change: change, Evidence: p.Evidence, Reason: p.Reason}
		switch {
		case !left:
		case p.Verdict == equiv.Equivalent:
			s.Equivalent = append(s.Equivalent, known)
			delete(open, id)
		case p.Verdict != equiv.Different || p.Evidence == smt.Limits || p.Evidence == bmc.Limits:
			why.add(p)
		case !slices.ContainsFunc(s.Different, func(d survivorProof) bool { return d.ID == id }):
			s.Different = append(s.Different, known)
		}
	}
	slices.SortFunc(s.Equivalent, compareSurvivors)
}

func compareSurvivors(a, b survivorProof) int { return report.ComparePlaces(a.Change, b.Change) }

// leave sorts what is left: calls that are known are of use where no test was found.
func (s *survivorProofs) leave(open map[string]report.Change, why reasons) {
	s.Different = slices.DeleteFunc(s.Different, func(p survivorProof) bool {
		_, left := open[p.ID]
		delete(open, p.ID)
		return !left
	})
	slices.SortFunc(s.Different, compareSurvivors)
	for id, c := range open {
		s.Open = append(s.Open, survivorProof{Change: c, Reason: why[id]})
	}
	slices.SortFunc(s.Open, compareSurvivors)
}
