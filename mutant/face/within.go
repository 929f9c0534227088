package face

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Within tells which code belongs to what an instruction carries out: the
// expression that it stands for, or the statement that begins where it stands. It
// is false of all code where the source does not say.
func (r *Renderer) Within(inst llir.Instruction) func(inst any) bool {
	if e := r.expressionOf(inst); e != nil && r.HasSource(inst) {
		return r.within(inst, e)
	}
	if s := r.statementOf(inst); s != nil && r.begins(inst, s) {
		return r.withinStatement(inst, s)
	}
	return func(any) bool { return false }
}

// within tells which code belongs to an expression of the file that an instruction is of.
func (r *Renderer) within(inst any, e *csource.Expr) func(inst any) bool {
	if r.inMacro(inst) {
		return func(inst any) bool { return e.HasToken(r.origins[inst]) }
	}
	return span{ir.PositionOf(inst).File, e.Start, e.End}.has
}

func (r *Renderer) withinStatement(inst any, s *csource.Stmt) func(inst any) bool {
	if r.inMacro(inst) {
		return func(inst any) bool { return s.HasToken(r.origins[inst]) }
	}
	return span{ir.PositionOf(inst).File, s.Start, s.End}.has
}

// begins reports whether a statement begins where an instruction stands.
func (r *Renderer) begins(inst any, s *csource.Stmt) bool {
	if r.inMacro(inst) {
		return s.BeginsWith(r.origins[inst])
	}
	at := ir.PositionOf(inst)
	return s.Start.Line == at.Line && s.Start.Column == at.Column
}
