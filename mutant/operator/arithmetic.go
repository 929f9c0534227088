package operator

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

var (
	arithmeticFragments = []fragment{{"+", "ADD"}, {"-", "SUB"}, {"*", "MUL"}, {"/", "DIV"}, {"%", "MOD"}}
	bitwiseFragments    = []fragment{{"&", "BITAND"}, {"|", "BITOR"}, {"^", "BITXOR"}, {"<<", "BITSHL"}, {">>", "BITSHR"}}
)

// writtenBinary returns the operands of a binary operator that stands in the C
// source as such: no increment, negation or complement.
func (p *Place) writtenBinary() (x, y value.Value, ok bool) {
	if p.Inst == nil || p.fn.incrementOf[p.Inst] != nil {
		return nil, nil, false
	}
	x, y, ok = face.Operands(p.Inst)
	if !ok || !isScalar(x.Type()) || isNegation(p.Inst) || isComplement(p.Inst) || p.isCompilerMade(p.Inst) {
		return nil, nil, false
	}
	return x, y, true
}

func isFloat(t types.Type) bool { _, ok := t.(*types.FloatType); return ok }

// isScalar reports integers wider than one bit and floating-point numbers.
func isScalar(t types.Type) bool {
	switch t := t.(type) {
	case *types.IntType:
		return t.BitSize > 1
	case *types.FloatType:
		return true
	}
	return false
}

func isNegation(inst llir.Instruction) bool {
	sub, ok := inst.(*llir.InstSub)
	return ok && isInt(sub.X, 0)
}

func isComplement(inst llir.Instruction) bool {
	xor, ok := inst.(*llir.InstXor)
	return ok && isInt(xor.Y, -1)
}

func isInt(v value.Value, k int64) bool {
	c, ok := v.(*constant.Int)
	return ok && c.X.IsInt64() && c.X.Int64() == k
}

// isUnsigned tells how an integer operation reads its operands. Division,
// remainder, right shift and ordered comparison come in two forms, and clang
// marks signed + - * with nsw; for the rest the types of the operands decide,
// and where neither the source nor debug information has them, the absence of
// the mark.
func (p *Place) isUnsigned(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstUDiv, *llir.InstURem, *llir.InstLShr:
		return true
	case *llir.InstSDiv, *llir.InstSRem, *llir.InstAShr:
		return false
	case *llir.InstAdd, *llir.InstSub, *llir.InstMul:
		if promisesNoOverflow(inst) {
			return false
		}
		if !p.fn.hasDebug {
			return p.fn.promises
		}
	case *llir.InstICmp:
		switch i.Pred {
		case enum.IPredULT, enum.IPredULE, enum.IPredUGT, enum.IPredUGE:
			return true
		case enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE:
			return false
		}
	}
	return p.Face.IsUnsigned(inst)
}

func promisesNoOverflow(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstAdd:
		return slices.Contains(i.OverflowFlags, enum.OverflowFlagNSW)
	case *llir.InstSub:
		return slices.Contains(i.OverflowFlags, enum.OverflowFlagNSW)
	case *llir.InstMul:
		return slices.Contains(i.OverflowFlags, enum.OverflowFlagNSW)
	}
	return false
}

func newBinary(symbol string, x, y value.Value, unsigned bool) llir.Instruction {
	if isFloat(x.Type()) {
		switch symbol {
		case "+":
			return llir.NewFAdd(x, y)
		case "-":
			return llir.NewFSub(x, y)
		case "*":
			return llir.NewFMul(x, y)
		}
		return llir.NewFDiv(x, y)
	}
	switch symbol {
	case "+":
		return llir.NewAdd(x, y)
	case "-":
		return llir.NewSub(x, y)
	case "*":
		return llir.NewMul(x, y)
	case "/":
		if unsigned {
			return llir.NewUDiv(x, y)
		}
		return llir.NewSDiv(x, y)
	case "%":
		if unsigned {
			return llir.NewURem(x, y)
		}
		return llir.NewSRem(x, y)
	case "&":
		return llir.NewAnd(x, y)
	case "|":
		return llir.NewOr(x, y)
	case "^":
		return llir.NewXor(x, y)
	case "<<":
		return llir.NewShl(x, y)
	}
	if unsigned {
		return llir.NewLShr(x, y)
	}
	return llir.NewAShr(x, y)
}
