package face

import (
	"math/big"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

// operation renders arithmetic, bitwise operations and casts.
func (r *Renderer) operation(inst llir.Instruction) Text {
	if x, y, ok := Operands(inst); ok {
		switch {
		case isComplement(inst, y):
			return Prefix(complement(inst), r.Of(x))
		case isNegation(inst, x):
			return Prefix("-", r.Of(y))
		}
		if c, ok := y.(*constant.Int); ok && c.X.Sign() < 0 && Symbol(inst) == "+" {
			return Binary(r.Of(x), "-", Text{new(big.Int).Neg(c.X).String(), Primary})
		}
		return Binary(r.Of(x), Symbol(inst), r.Of(y))
	}
	if from, ok := CastFrom(inst); ok {
		return r.Of(from)
	}
	if named, ok := inst.(value.Named); ok {
		return Text{named.Name(), Primary}
	}
	return Text{"…", Primary}
}

func isComplement(inst llir.Instruction, y value.Value) bool {
	_, ok := inst.(*llir.InstXor)
	c, isConst := y.(*constant.Int)
	if !ok || !isConst {
		return false
	}
	return c.X.Cmp(big.NewInt(-1)) == 0 || c.Typ.BitSize == 1 && c.X.Sign() != 0
}

func complement(inst llir.Instruction) string {
	if x, ok := inst.(*llir.InstXor); ok {
		if c, ok := x.Y.(*constant.Int); ok && c.Typ.BitSize == 1 {
			return "!"
		}
	}
	return "~"
}

func isNegation(inst llir.Instruction, x value.Value) bool {
	_, ok := inst.(*llir.InstSub)
	return ok && isZero(x)
}

// Symbol returns the C operator of a binary instruction, or "".
func Symbol(inst llir.Instruction) string {
	switch inst.(type) {
	case *llir.InstAdd, *llir.InstFAdd:
		return "+"
	case *llir.InstSub, *llir.InstFSub:
		return "-"
	case *llir.InstMul, *llir.InstFMul:
		return "*"
	case *llir.InstUDiv, *llir.InstSDiv, *llir.InstFDiv:
		return "/"
	case *llir.InstURem, *llir.InstSRem, *llir.InstFRem:
		return "%"
	case *llir.InstAnd:
		return "&"
	case *llir.InstOr:
		return "|"
	case *llir.InstXor:
		return "^"
	case *llir.InstShl:
		return "<<"
	case *llir.InstLShr, *llir.InstAShr:
		return ">>"
	}
	return ""
}

// Operands returns the two operands of a binary arithmetic or bitwise
// instruction.
func Operands(inst llir.Instruction) (x, y value.Value, ok bool) {
	if Symbol(inst) == "" {
		return nil, nil, false
	}
	slots := inst.(value.User).Operands()
	return *slots[0], *slots[1], true
}

// CastFrom returns what a conversion instruction converts.
func CastFrom(inst llir.Instruction) (value.Value, bool) {
	switch i := inst.(type) {
	case *llir.InstTrunc:
		return i.From, true
	case *llir.InstZExt:
		return i.From, true
	case *llir.InstSExt:
		return i.From, true
	case *llir.InstFPTrunc:
		return i.From, true
	case *llir.InstFPExt:
		return i.From, true
	case *llir.InstFPToUI:
		return i.From, true
	case *llir.InstFPToSI:
		return i.From, true
	case *llir.InstUIToFP:
		return i.From, true
	case *llir.InstSIToFP:
		return i.From, true
	case *llir.InstPtrToInt:
		return i.From, true
	case *llir.InstIntToPtr:
		return i.From, true
	case *llir.InstBitCast:
		return i.From, true
	case *llir.InstFreeze:
		return i.X, true
	}
	return nil, false
}

// ComparisonSymbol returns the C operator of an icmp or fcmp predicate.
func ComparisonSymbol(predicate string) string {
	switch predicate {
	case "eq", "oeq", "ueq":
		return "=="
	case "ne", "one", "une":
		return "!="
	case "slt", "ult", "olt":
		return "<"
	case "sgt", "ugt", "ogt":
		return ">"
	case "sle", "ule", "ole":
		return "<="
	case "sge", "uge", "oge":
		return ">="
	}
	return predicate
}
