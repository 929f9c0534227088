// Package constraint finds mutants that no test can kill by contradictions among what a test
// would have to meet to kill them (Offutt and Pan 1997): it has to come to the changed code, and
// what that computes has to differ there from what the original computes.
//
// To come to the code is a path expression: the conditions of the branches that control has
// taken whenever it is there. Of these only the edges count that dominate the code, so that
// they hold in loops too: each speaks of the variables as they were when control last passed it,
// and the expressions know variables by the assignment or the join that they come from
// (function.go). To differ is a necessity constraint, one template an operator (necessity.go).
// Both are disjunctions of clauses, and a clause cannot be met where two of its conditions
// exclude each other, by one of three strategies (strategy.go): negation, constraint splitting,
// and the comparison of constants. Where no clause is left the mutant is equivalent; where the
// path expression alone cannot be met, no statement there is ever executed.
//
// It is cheap, and weak: what happens behind the changed code it does not see. What it gives
// that a stronger method does not is a reason of two or three conditions in the words of the
// source.
//
// # What is repaired
//
// Integers have a width here and wrap, signed ones too, as they do on the machine: most rows of
// the published tables for splitting do not hold of them, and are used only where the operands
// are too small to wrap, or not at all. The published method took a condition for valid behind a
// change of its variables in a loop.
package constraint

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

// The evidence of verdicts: control never comes to the code, what it computes is never
// another thing, or not where control comes to it.
const (
	Unreachable = "constraint/path"
	Same        = "constraint/necessity"
	Excluded    = "constraint/path-necessity"
)

// Stage returns the stage; 0 workers are one a CPU. What is assumed is so of every function that
// it names; the reasons of verdicts that rest on it say so.
func Stage(workers int, assumed []assume.Assumption) equiv.Stage {
	return equiv.Stage{
		Name:   "constraint",
		Doc:    "Contradictions between what leads to the changed code and what it takes to differ there (Offutt and Pan 1997).",
		Cost:   20 * time.Microsecond,
		Decide: equiv.Beside(workers, func(_ context.Context, b equiv.Batch) ([]equiv.Verdict, error) { return Function(b, assumed) }),
	}
}

// Function gives the verdicts on the mutants of one function. It fails where an assumption names
// what the function does not have.
func Function(b equiv.Batch, assumed []assume.Assumption) ([]equiv.Verdict, error) {
	f := newFunction(op.Lower(defuse.Of(b.Func)))
	if len(assumed) > 0 {
		if err := f.assume(assumed); err != nil {
			return nil, err
		}
	}
	out := make([]equiv.Verdict, len(b.Mutants))
	for i := range b.Mutants {
		out[i] = f.judge(f.changeOf(&b.Mutants[i]))
		out[i].Mutant = b.Mutants[i].Selector
	}
	return out, nil
}

// judge looks for a contradiction in what it takes to kill a mutant.
func (f *function) judge(c *change) equiv.Verdict {
	if c == nil {
		return equiv.Verdict{Reason: "the change is not understood"}
	}
	path := f.path(c.block)
	if first, second, ok := contradiction(f.terms, path.facts); ok {
		return equiv.Verdict{Kind: equiv.Equivalent, Evidence: Unreachable, Reason: "control never comes here: " + f.excluding(first, second)}
	}
	clauses := f.necessity(c)
	if len(clauses) == 0 {
		return equiv.Verdict{Kind: equiv.Equivalent, Evidence: Same, Reason: "the change computes what the original computes"}
	}
	evidence, reasons := Same, []string{}
	for _, clause := range clauses {
		if first, second, ok := contradiction(f.terms, clause); ok {
			reasons = add(reasons, f.excluding(first, second))
			continue
		}
		needed, fact, ok := contradicts(f.terms, clause, path.facts)
		if !ok {
			return equiv.Verdict{Evidence: Excluded}
		}
		evidence = Excluded
		reasons = add(reasons, f.excluding(needed, fact))
	}
	return equiv.Verdict{Kind: equiv.Equivalent, Evidence: evidence, Reason: "to differ it would take what cannot be: " + strings.Join(reasons[:min(len(reasons), 2)], "; ")}
}

func add(to []string, text string) []string {
	if slices.Contains(to, text) {
		return to
	}
	return append(to, text)
}

// excluding says of two conditions, or of one, that they cannot hold.
func (f *function) excluding(a, b *constraint) string {
	if b == nil || a == b {
		return f.textOf(a) + " never holds"
	}
	if b.line > 0 && a.line > b.line {
		a, b = b, a
	}
	if b.line > 0 && b.line != a.line {
		return fmt.Sprintf("%s, and %s", f.textOf(a), f.textOf(b))
	}
	return fmt.Sprintf("%s and %s", f.textOf(a), f.textOf(b))
}
