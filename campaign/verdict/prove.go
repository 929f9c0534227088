package verdict

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// Proving is how survivors are looked at that no test can kill.
type Proving struct {
	// Until is when that ends, with the survivors that are left unproved; zero means never.
	Until time.Time
	// Most, when not 0, is how long it takes at most.
	Most time.Duration
	// Share, when not 0, is how much of the time from its beginning until then it is to take: what is
	// not done at Until is given up, with all that was found.
	Share float64
	// Function is how long those of a function may take together, where somebody waits for proofs:
	// then bounded model checking is asked, too, which follows Rounds rounds of loops. 0 asks little
	// of each.
	Function time.Duration
	Rounds   int
	// Found, when set, is told of inputs that bounded model checking finds, by several goroutines.
	Found func(bmc.Test)
	// Open, when set, is told of each survivor that is left open, and why.
	Open func(program.Proof)
}

// Stages are those that are asked.
func (w *Proving) Stages() []equiv.Stage {
	if w.Function == 0 {
		return []equiv.Stage{smt.Stage(smt.Brief(w.Until))}
	}
	out := []equiv.Stage{smt.Stage(smt.Options{Time: w.Function, Until: w.Until})}
	if w.Rounds > 0 {
		out = append(out, bmc.Stage(bmc.Options{Rounds: w.Rounds, Time: w.Function, Until: w.Until, Found: w.Found}))
	}
	return out
}

// Prove is what is known of the mutants of a run beside their runs (dataset.ProofsSchema): which of
// them C may leave undefined, and of survivors an input of the program that tells them, or else a call of
// their function or what is proved, none where w is nil. Inputs are looked for among those of tests, too. It is nil without
// anything.
func (w *Proving) Prove(ctx context.Context, tools *clang.Toolchain, p *program.Program, m program.Mutation, kills *kill.Matrix, tests []execute.Test) (*table.Table, error) {
	rows := p.MayBeUndefined(kills.Mutants())
	if w == nil || !w.Until.IsZero() && !time.Now().Before(w.Until) {
		return dataset.ProofTable(rows)
	}
	ids := map[string]bool{}
	var left []string
	for k, id := range kills.Mutants() {
		if kills.Verdict(k) == matrix.Survived {
			ids[id], left = true, append(left, id)
		}
	}
	if len(left) == 0 {
		return dataset.ProofTable(rows)
	}
	now, limited := *w, ctx
	if end := time.Now().Add(w.Most); w.Most > 0 && (now.Until.IsZero() || end.Before(now.Until)) {
		now.Until = end
	}
	if w.Share > 0 && !w.Until.IsZero() {
		now.Until = time.Now().Add(time.Duration(float64(time.Until(w.Until)) * w.Share))
		var done context.CancelFunc
		limited, done = context.WithDeadline(ctx, w.Until)
		defer done()
	}
	given, err := GivenBy(tests)
	if err != nil {
		return nil, err
	}
	examples := program.NewExamples(p, given)
	told, err := within(limited, examples.Inputs, left, now.Until, 2)
	if err != nil {
		return nil, err
	}
	for id, example := range told {
		rows = append(rows, dataset.Proof{ID: id, Verdict: dataset.Different, Evidence: dataset.Interpreted, Reason: example.String(), Given: example.Given})
		delete(ids, id)
	}
	left = slices.DeleteFunc(left, func(id string) bool { return told[id] != nil })
	calls, err := within(limited, examples.Calls, left, now.Until, 4)
	if err != nil {
		return nil, err
	}
	for id := range calls {
		if examples.Callable(id) { // by anybody, so that it is not equivalent
			delete(ids, id)
		}
	}
	proofs, err := p.Prove(limited, tools, program.Proving{Mutation: m, IDs: ids, Stages: now.Stages(), Until: now.Until})
	if err != nil && (ctx.Err() != nil || limited.Err() == nil) {
		return nil, err
	}
	for _, one := range proofs {
		id := one.Mutant.ID
		switch {
		case one.Verdict == equiv.Equivalent: // nobody calls it so
			delete(calls, id)
			rows = append(rows, dataset.Proof{ID: id, Verdict: one.Verdict.String(), Evidence: one.Evidence, Reason: one.Reason})
		case calls[id] != nil:
		case one.Verdict == equiv.Different && one.Evidence != smt.Limits && one.Evidence != bmc.Limits: // nobody would make those a test
			rows = append(rows, dataset.Proof{ID: id, Verdict: one.Verdict.String(), Evidence: one.Evidence, Reason: one.Reason})
		case w.Open != nil:
			w.Open(one)
		}
	}
	for id, example := range calls {
		rows = append(rows, dataset.Proof{ID: id, Verdict: dataset.Different, Evidence: dataset.InterpretedCall, Reason: example.Call, Given: example.Given})
	}
	dataset.SortProofs(rows, kills.Mutants())
	return dataset.ProofTable(rows)
}

// GivenBy is what tests give to a program.
func GivenBy(tests []execute.Test) (out []variation.Test, err error) {
	for i := range tests {
		t := &tests[i]
		text, err := t.ReadInput()
		if err != nil {
			return nil, err
		}
		given := variation.Test{Input: text, Args: t.Args}
		for k := range t.Files {
			text, err := t.Files[k].Read()
			if err != nil {
				return nil, fmt.Errorf("reading a file of test %s: %w", t.Name, err)
			}
			given.Files = append(given.Files, inputs.File{Name: t.Files[k].Name, Text: string(text)})
		}
		out = append(out, given)
	}
	return out, nil
}

// within is what is found of mutants in one of so many parts of the time.
func within(ctx context.Context, find func(context.Context, []string) (map[string]*report.Example, error), ids []string, until time.Time, parts int) (map[string]*report.Example, error) {
	limited := ctx
	if !until.IsZero() {
		var done context.CancelFunc
		limited, done = context.WithDeadline(ctx, time.Now().Add(time.Until(until)/time.Duration(parts)))
		defer done()
	}
	out, err := find(limited, ids)
	if err != nil && limited.Err() == nil {
		return nil, err
	}
	return out, nil
}
