package face

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
)

// Spread is Within for what && || or ?: spread over several blocks. It is nil for
// what is in one block, and for ids also for what a macro made, all of which has one place.
func (r *Renderer) Spread(inst llir.Instruction) func(inst any) bool {
	if !r.HasSource(inst) {
		return nil
	}
	if e := r.expressionOf(inst); e != nil {
		if !r.tells(e) || !isSpread(e) {
			return nil
		}
		return r.within(inst, e)
	}
	s := r.statementOf(inst)
	if s == nil || s.Kind != csource.Return || !r.begins(inst, s) {
		return nil
	}
	for _, e := range s.Exprs {
		if r.tells(e) && isSpread(e) {
			return r.withinStatement(inst, s)
		}
	}
	return nil
}

// tells reports whether the code of an expression can be told from that around it.
func (r *Renderer) tells(e *csource.Expr) bool { return r.first != nil || !e.InMacro }

// isSpread reports an expression that clang makes several blocks of.
func isSpread(e *csource.Expr) bool {
	found := false
	e.Walk(func(e *csource.Expr) bool {
		found = found || e.Kind == csource.Logical || e.Kind == csource.Conditional
		return !found
	})
	return found
}

// Remaining renders the effects that are left of an expression when the code of
// its last block is deleted, in the order in which clang computes them: those of
// say(1) and of ready() && say(2) in print(say(1), ready() && say(2)). Inst stands
// for the expression. It is false where all of the expression is deleted, and
// where that is not known.
func (r *Renderer) Remaining(inst llir.Instruction, deleted []llir.Instruction) (Text, bool) {
	e := r.expressionOf(inst)
	if e == nil || !r.tells(e) || !isSpread(e) {
		return Text{}, false
	}
	left := remaining{within: func(e *csource.Expr) func(any) bool { return r.within(inst, e) }}
	for _, inst := range deleted {
		switch inst.(type) {
		case *llir.InstStore, *llir.InstCall:
			left.deleted = append(left.deleted, inst)
		}
	}
	left.visit(e)
	if !left.spread {
		return Text{}, false
	}
	if len(left.texts) == 1 {
		return left.texts[0], true
	}
	texts := make([]string, len(left.texts))
	for i, t := range left.texts {
		texts[i] = t.In(Assignment)
	}
	return Text{strings.Join(texts, ", "), csource.CommaPrecedence}, true
}

// remaining gathers what is left of an expression.
type remaining struct {
	within  func(*csource.Expr) func(inst any) bool
	deleted []llir.Instruction
	texts   []Text
	spread  bool // one of the texts is
}

func (r *remaining) visit(e *csource.Expr) {
	e = e.Unparen()
	if !hasSideEffect(e) {
		return
	}
	if isComputed(e) && !r.losesCode(e) {
		r.texts = append(r.texts, textOf(e))
		r.spread = r.spread || isSpread(e)
		return
	}
	operands := e.Operands
	if e.Kind == csource.Assignment && len(operands) == 2 {
		r.visit(operands[1]) // clang computes the right side first
		operands = operands[:1]
	}
	for _, operand := range operands {
		r.visit(operand)
	}
}

func (r *remaining) losesCode(e *csource.Expr) bool {
	own := r.within(e)
	return slices.ContainsFunc(r.deleted, func(inst llir.Instruction) bool { return own(inst) })
}

// isComputed reports expressions that do something by themselves, or of which only
// a part is computed.
func isComputed(e *csource.Expr) bool {
	switch e.Kind {
	case csource.Call, csource.Assignment, csource.CompoundAssign, csource.PrefixIncrement, csource.PostfixIncrement,
		csource.Logical, csource.Conditional, csource.StatementExpr, csource.UnknownExpr:
		return true
	}
	return false
}
