package verdict

import (
	"context"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
)

// Proving is how survivors are looked at that no test can kill.
type Proving struct {
	// Until is when that ends, with the survivors that are left unproved; zero means never.
	Until time.Time
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
// them C may leave undefined, and what is proved of survivors, nothing where w is nil. It is nil
// without anything.
func (w *Proving) Prove(ctx context.Context, tools *clang.Toolchain, p *program.Program, m program.Mutation, kills *kill.Matrix) (*table.Table, error) {
	rows := p.MayBeUndefined(kills.Mutants())
	if w == nil || !w.Until.IsZero() && !time.Now().Before(w.Until) {
		return dataset.ProofTable(rows)
	}
	ids := map[string]bool{}
	for k, id := range kills.Mutants() {
		if kills.Verdict(k) == matrix.Survived {
			ids[id] = true
		}
	}
	if len(ids) == 0 {
		return dataset.ProofTable(rows)
	}
	now, limited := *w, ctx
	if w.Share > 0 && !w.Until.IsZero() {
		now.Until = time.Now().Add(time.Duration(float64(time.Until(w.Until)) * w.Share))
		var done context.CancelFunc
		limited, done = context.WithDeadline(ctx, w.Until)
		defer done()
	}
	proofs, err := p.Prove(limited, tools, program.Proving{Mutation: m, IDs: ids, Stages: now.Stages(), Until: now.Until})
	if err != nil && (ctx.Err() != nil || limited.Err() == nil) {
		return nil, err
	}
	for _, one := range proofs {
		switch {
		case one.Verdict == equiv.Equivalent, one.Verdict == equiv.Different && one.Evidence != smt.Limits && one.Evidence != bmc.Limits: // nobody would make those a test
			rows = append(rows, dataset.Proof{ID: one.Mutant.ID, Verdict: one.Verdict.String(), Evidence: one.Evidence, Reason: one.Reason})
		case w.Open != nil:
			w.Open(one)
		}
	}
	dataset.SortProofs(rows, kills.Mutants())
	return dataset.ProofTable(rows)
}
