package verdict

import (
	"context"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
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
	proofs, err := p.Prove(ctx, tools, m, ids, smt.Stage(smt.Brief(w.Until)))
	if err != nil {
		return nil, err
	}
	for _, one := range proofs {
		if one.Evidence == smt.Limits { // nobody would make it a test
			continue
		}
		rows = append(rows, dataset.Proof{ID: one.Mutant.ID, Verdict: one.Verdict.String(), Evidence: one.Evidence, Reason: one.Reason})
	}
	dataset.SortProofs(rows, kills.Mutants())
	return dataset.ProofTable(rows)
}
