package program

import (
	"context"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Prove asks stages about some of the program's mutants, by their ids, and returns the
// verdicts on those that are equivalent to the original or different. The program is compiled again, since building its
// mutants rewrites it; rules are those that made the mutants.
func (p *Program) Prove(ctx context.Context, tools *clang.Toolchain, m Mutation, ids map[string]bool, stages ...equiv.Stage) ([]Proof, error) {
	inputs := make([]Input, len(p.Units))
	for k, u := range p.Units {
		inputs[k] = u.Input
	}
	again, err := Load(ctx, tools, inputs, LoadOptions{Workers: p.workers, Name: p.Name,
		Mutation: Mutation{Rules: m.Rules, Passes: m.Passes, Large: m.Large, Window: m.Window, Only: ids, Further: stages, KeepUndefined: true}})
	if err != nil {
		return nil, err
	}
	var out []Proof
	for _, one := range again.Proofs() {
		if one.Verdict == equiv.Equivalent || one.Verdict == equiv.Different {
			out = append(out, one)
		}
	}
	return out, nil
}
