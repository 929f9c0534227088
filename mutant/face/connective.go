package face

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
)

// Connective is an && or || of the source, of which a conditional branch
// decides the left operand.
type Connective struct {
	Op          string
	Left, Right Text
	// IsInner: the left operand is the last of a chain, as b is for the second
	// && of a && b && c.
	IsInner bool
	// IsTested: only whether it is zero matters, not that it is 0 or 1.
	IsTested bool

	left    *csource.Expr
	isRight func(inst any) bool
}

// OnlyRight renders the right operand alone, after the effects of the left.
func (c Connective) OnlyRight() Text { return after(c.left, c.Right) }

// IsRight reports whether an instruction belongs to the right operand.
func (c Connective) IsRight(inst any) bool { return c.isRight != nil && c.isRight(inst) }

// ConnectiveOf finds the connective of a branch. It is false where there is
// none, and where several branches decide the left operand: (a || b) && c.
func (r *Renderer) ConnectiveOf(branch llir.Terminator) (Connective, bool) {
	for _, e := range r.found(branch) {
		if e.Kind != csource.Logical || len(e.Operands) != 2 {
			continue
		}
		c := Connective{Op: e.Op, Right: r.text(e.Operands[1]), IsTested: isTested(e), isRight: r.within(branch, e.Operands[1])}
		left := e.Operands[0].Unparen()
		for left.Kind == csource.Logical && left.Op == e.Op {
			left, c.IsInner = left.Operands[1].Unparen(), true
		}
		c.left, c.Left = left, r.text(left)
		return c, !isConnected(left)
	}
	return Connective{}, false
}

// isTested reports an expression that is the condition of a statement or ?:,
// or an operand of a connective or !.
func isTested(e *csource.Expr) bool {
	for parent := e.Parent; parent != nil; e, parent = parent, parent.Parent {
		switch {
		case parent.Kind == csource.Paren:
		case parent.Kind == csource.Conditional:
			return parent.Operands[0] == e
		default:
			return parent.Kind == csource.Logical || parent.Kind == csource.Unary && parent.Op == "!"
		}
	}
	return e.Stmt != nil && e.Stmt.Condition == e && e.Stmt.Kind != csource.Switch
}

// isConnected reports an && or ||, perhaps negated.
func isConnected(e *csource.Expr) bool {
	for e.Kind == csource.Unary && e.Op == "!" && len(e.Operands) == 1 {
		e = e.Operands[0].Unparen()
	}
	return e.Kind == csource.Logical
}

// joined finds the && or || whose result a load reads. clang gives the phi
// that it came from no place; the branches that decide it have theirs.
func (r *Renderer) joined(inst llir.Instruction) *csource.Expr {
	load, ok := inst.(*llir.InstLoad)
	if !ok {
		return nil
	}
	var found *csource.Expr
	for _, branch := range r.deciders[load.Src] {
		if !r.HasSource(branch) {
			return nil
		}
		for _, e := range r.found(branch) {
			if e.Kind == csource.Logical && (found == nil || encloses(e, found)) {
				found = e
			}
		}
	}
	return found
}

func encloses(outer, inner *csource.Expr) bool {
	return outer.Start.Offset <= inner.Start.Offset && inner.End.Offset <= outer.End.Offset
}

// decidersOf maps the slots of truth values to the conditional branches of the
// blocks that fill them.
func decidersOf(f *llir.Func) map[value.Value][]llir.Terminator {
	out := map[value.Value][]llir.Terminator{}
	for _, b := range f.Blocks {
		branch, ok := b.Term.(*llir.TermCondBr)
		if !ok {
			continue
		}
		for _, inst := range b.Insts {
			store, ok := inst.(*llir.InstStore)
			if !ok {
				continue
			}
			if slot, ok := store.Dst.(*llir.InstAlloca); ok && isPhiSlot(slot) && isTruth(slot.ElemType) {
				out[slot] = append(out[slot], branch)
			}
		}
	}
	return out
}
