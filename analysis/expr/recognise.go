package expr

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// IsJoinSlot reports a stack slot that ir.DemotePhis made: the place where the
// results of && and || or the arms of ?: meet. No variable of C can have the
// name.
func IsJoinSlot(v value.Value) bool {
	slot, ok := v.(*llir.InstAlloca)
	return ok && strings.HasPrefix(slot.Name(), "phi.slot.")
}

// kindOf is the kind of an instruction or terminator by itself.
func kindOf(node any) Kind {
	switch i := node.(type) {
	case *llir.InstLoad:
		return loadKind(i)
	case *llir.InstGetElementPtr:
		return addressKind(i)
	case *llir.InstStore:
		return Assignment
	case *llir.InstCall:
		return Call
	case *llir.InstAdd, *llir.InstFAdd:
		return Add
	case *llir.InstSub:
		if isZero(i.X) {
			return Neg
		}
		return Sub
	case *llir.InstFSub:
		return Sub
	case *llir.InstFNeg:
		return Neg
	case *llir.InstMul, *llir.InstFMul:
		return Mul
	case *llir.InstSDiv, *llir.InstUDiv, *llir.InstFDiv:
		return Div
	case *llir.InstSRem, *llir.InstURem, *llir.InstFRem:
		return Rem
	case *llir.InstAnd:
		return And
	case *llir.InstOr:
		return Or
	case *llir.InstXor:
		return xorKind(i)
	case *llir.InstShl:
		return Shl
	case *llir.InstLShr, *llir.InstAShr:
		return Shr
	case *llir.InstICmp:
		return integerComparisons[i.Pred]
	case *llir.InstFCmp:
		return floatComparisons[i.Pred]
	case *llir.InstSelect:
		return Conditional
	case *llir.TermRet:
		return Return
	case *llir.TermCondBr:
		return Branch
	case *llir.TermSwitch:
		return Switch
	}
	if _, ok := ir.ConvertedBy(node); ok {
		return Conversion
	}
	return Other
}

var integerComparisons = map[enum.IPred]Kind{
	enum.IPredEQ: Eq, enum.IPredNE: Ne,
	enum.IPredSLT: Lt, enum.IPredULT: Lt, enum.IPredSGT: Gt, enum.IPredUGT: Gt,
	enum.IPredSLE: Le, enum.IPredULE: Le, enum.IPredSGE: Ge, enum.IPredUGE: Ge,
}

var floatComparisons = map[enum.FPred]Kind{
	enum.FPredOEQ: Eq, enum.FPredUEQ: Eq, enum.FPredONE: Ne, enum.FPredUNE: Ne,
	enum.FPredOLT: Lt, enum.FPredULT: Lt, enum.FPredOGT: Gt, enum.FPredUGT: Gt,
	enum.FPredOLE: Le, enum.FPredULE: Le, enum.FPredOGE: Ge, enum.FPredUGE: Ge,
}

func loadKind(i *llir.InstLoad) Kind {
	switch {
	case IsJoinSlot(i.Src):
		if t, ok := i.ElemType.(*types.IntType); ok && t.BitSize == 1 {
			return Logical
		}
		return Conditional
	case isVariable(i.Src):
		return Identifier
	}
	if _, ok := i.Src.(*constant.ExprGetElementPtr); ok {
		return Element
	}
	return Dereference
}

// addressKind tells s.m from a[i] by the type that the last index goes into.
func addressKind(i *llir.InstGetElementPtr) Kind {
	if isDecay(i) {
		return Identifier
	}
	if len(i.Indices) < 2 {
		return Element
	}
	t := i.ElemType
	for _, index := range i.Indices[1 : len(i.Indices)-1] {
		switch inner := t.(type) {
		case *types.ArrayType:
			t = inner.ElemType
		case *types.StructType:
			if c, ok := index.(*constant.Int); ok && int(c.X.Int64()) < len(inner.Fields) {
				t = inner.Fields[c.X.Int64()]
			}
		}
	}
	if _, ok := t.(*types.StructType); ok {
		return Member
	}
	return Element
}

// isDecay reports an array turned into a pointer to its first element; what
// a[0] would be has the same form and is told apart by who uses it.
func isDecay(i *llir.InstGetElementPtr) bool {
	if _, ok := i.ElemType.(*types.ArrayType); !ok || len(i.Indices) != 2 {
		return false
	}
	return isZero(i.Indices[0]) && isZero(i.Indices[1])
}

func xorKind(i *llir.InstXor) Kind {
	c, ok := i.Y.(*constant.Int)
	switch {
	case !ok:
		return Xor
	case c.Typ.BitSize == 1:
		return Not
	case c.X.IsInt64() && c.X.Int64() == -1:
		return Complement
	}
	return Xor
}

// tested returns what a comparison with zero tests, as C does with a condition
// that is no comparison.
func tested(node any) (value.Value, bool) {
	switch i := node.(type) {
	case *llir.InstICmp:
		if i.Pred == enum.IPredNE && isZero(i.Y) {
			return i.X, true
		}
	case *llir.InstFCmp:
		if i.Pred == enum.FPredUNE && isZero(i.Y) {
			return i.X, true
		}
	}
	return nil, false
}

func isVariable(v value.Value) bool {
	switch v.(type) {
	case *llir.InstAlloca, *llir.Global, *llir.Param:
		return true
	}
	return false
}

func isZero(v value.Value) bool {
	switch c := v.(type) {
	case *constant.Int:
		return c.X.Sign() == 0
	case *constant.Float:
		return !c.NaN && c.X.Sign() == 0
	case *constant.Null:
		return true
	}
	return false
}

func isUnit(v value.Value) bool {
	c, ok := v.(*constant.Int)
	return ok && c.X.IsInt64() && (c.X.Int64() == 1 || c.X.Int64() == -1)
}
