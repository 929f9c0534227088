package face

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
)

// Within tells which code belongs to what an instruction carries out: the
// expression that it stands for, or the statement that begins where it stands. It
// is false of all code where the source does not say.
func (r *Renderer) Within(inst llir.Instruction) func(ir.Position) bool {
	at := ir.PositionOf(inst)
	file := r.fileAt(at)
	if file == nil {
		return func(ir.Position) bool { return false }
	}
	within := span{file: at.File}
	if e := r.expressionOf(inst); e != nil {
		within.from, within.to = e.Start, e.End
	} else if s := file.StatementAt(at.Line, at.Column); s != nil && s.Start.Line == at.Line && s.Start.Column == at.Column {
		within.from, within.to = s.Start, s.End
	}
	return within.contains
}
