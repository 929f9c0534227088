package face

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Connective is an && or || of the source, of which a conditional branch
// decides the left operand.
type Connective struct {
	Op          string
	Left, Right Text
	// IsInner: the left operand is the last of a chain, as b is for the second
	// && of a && b && c.
	IsInner bool

	right span
}

// IsRight reports whether code at a position belongs to the right operand.
func (c Connective) IsRight(at ir.Position) bool { return c.right.contains(at) }

// ConnectiveOf finds the connective of a branch. It is false where there is
// none, and where several branches decide the left operand: (a || b) && c.
func (r *Renderer) ConnectiveOf(branch llir.Terminator) (Connective, bool) {
	at := ir.PositionOf(branch)
	file := r.fileAt(at)
	if file == nil {
		return Connective{}, false
	}
	for _, e := range file.At(at.Line, at.Column) {
		if e.Kind != csource.Logical || len(e.Operands) != 2 {
			continue
		}
		c := Connective{Op: e.Op, Right: textOf(e.Operands[1]),
			right: span{at.File, e.Operands[1].Start, e.Operands[1].End}}
		left := e.Operands[0].Unparen()
		for left.Kind == csource.Logical && left.Op == e.Op {
			left, c.IsInner = left.Operands[1].Unparen(), true
		}
		c.Left = textOf(left)
		return c, !isConnected(left)
	}
	return Connective{}, false
}

// isConnected reports an && or ||, perhaps negated.
func isConnected(e *csource.Expr) bool {
	for e.Kind == csource.Unary && e.Op == "!" && len(e.Operands) == 1 {
		e = e.Operands[0].Unparen()
	}
	return e.Kind == csource.Logical
}
