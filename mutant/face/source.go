package face

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Written returns the C text of an instruction as the source has it, for
// expressions and, without their semicolon, for assignments, increments and
// initialisers, which the store stands for.
func (r *Renderer) Written(inst llir.Instruction) (Text, bool) {
	e := r.exprOf(inst)
	if e == nil || e.Kind == csource.CompoundAssign && !isStore(inst) || isStep(e) && !isStore(inst) {
		return Text{}, false // the value of `x += e` as such is not written
	}
	if e.Kind == csource.Initializer {
		return Text{shorten(e.Text()), Assignment}, true
	}
	return textOf(e), true
}

// Compound returns the two sides of the compound assignment `left op= right`
// that an arithmetic or bitwise instruction belongs to.
func (r *Renderer) Compound(inst llir.Instruction) (left, right Text, ok bool) {
	e := r.exprOf(inst)
	if e == nil || e.Kind != csource.CompoundAssign || len(e.Operands) != 2 {
		return Text{}, Text{}, false
	}
	return textOf(e.Operands[0]), textOf(e.Operands[1]), true
}

// Operand renders an operand of an instruction: as the source writes it where
// the instruction is a binary operator or a call there (a constant may be a
// macro), else as its value. Operand 0 of a call is the function.
func (r *Renderer) Operand(inst llir.Instruction, k int, v value.Value) Text {
	e := r.exprOf(inst)
	if e == nil || e.Kind != csource.Binary && e.Kind != csource.Call {
		return r.Of(v)
	}
	if call, ok := inst.(*llir.InstCall); ok && len(call.Args) != len(e.Operands)-1 || k >= len(e.Operands) {
		return r.Of(v) // a structure passed by value takes several arguments, or none
	}
	return textOf(e.Operands[k])
}

func textOf(e *csource.Expr) Text {
	f := e.Unparen().Fragment()
	if f.Precedence == 0 {
		f.Precedence = Primary
	}
	return Text{shorten(f.Text), f.Precedence}
}

func isStore(inst llir.Instruction) bool { _, ok := inst.(*llir.InstStore); return ok }

func isStep(e *csource.Expr) bool {
	return e.Kind == csource.PrefixIncrement || e.Kind == csource.PostfixIncrement
}

// exprOf finds the C expression that an instruction was made from: of those at
// its debug location the outermost that such an instruction can come from.
func (r *Renderer) exprOf(inst llir.Instruction) *csource.Expr {
	at := ir.PositionOf(inst)
	if r.source == nil || !at.Known() {
		return nil
	}
	file := r.source.In(at.File)
	if file == nil {
		return nil
	}
	for _, e := range file.At(at.Line, at.Column) {
		if fits(inst, e) {
			return e
		}
	}
	return nil
}

// fits reports whether clang makes such an instruction of such an expression.
func fits(inst llir.Instruction, e *csource.Expr) bool {
	switch i := inst.(type) {
	case *llir.InstStore:
		return e.Kind == csource.Assignment || e.Kind == csource.CompoundAssign || e.Kind == csource.Initializer || isStep(e)
	case *llir.InstCall:
		return e.Kind == csource.Call
	case *llir.InstLoad:
		return fitsLoad(i, e)
	case *llir.InstICmp:
		return e.Kind == csource.Binary && e.Op == ComparisonSymbol(i.Pred.String())
	case *llir.InstFCmp:
		return e.Kind == csource.Binary && e.Op == ComparisonSymbol(i.Pred.String())
	case *llir.InstFNeg:
		return e.Kind == csource.Unary && e.Op == "-"
	}
	x, y, ok := Operands(inst)
	if !ok {
		return false
	}
	switch {
	case isComplement(inst, y):
		return e.Kind == csource.Unary && e.Op == complement(inst)
	case isNegation(inst, x):
		return e.Kind == csource.Unary && e.Op == "-"
	}
	symbol := Symbol(inst)
	return e.Kind == csource.Binary && e.Op == symbol || e.Kind == csource.CompoundAssign && e.Op == symbol+"="
}

func fitsLoad(load *llir.InstLoad, e *csource.Expr) bool {
	switch src := load.Src.(type) {
	case *llir.InstAlloca, *llir.Global:
		return e.Kind == csource.Identifier
	case *llir.InstGetElementPtr:
		if len(src.Indices) > 1 && isConstantIndex(src) && e.Kind == csource.Member {
			return true
		}
		return e.Kind == csource.Index || e.Kind == csource.Unary && e.Op == "*"
	}
	return e.Kind == csource.Unary && e.Op == "*" || e.Kind == csource.Member || e.Kind == csource.Index
}

func isConstantIndex(gep *llir.InstGetElementPtr) bool {
	_, ok := gep.Indices[len(gep.Indices)-1].(interface{ IsConstant() })
	return ok
}
