package op

import (
	"math"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// operand finds a value: in the code before, in the function, or outside.
func (l lowering) operand(v value.Value) Operand {
	v = ir.Unwrap(v)
	a := Operand{Type: TypeOf(v.Type())}
	if l.local != nil {
		if k := l.local.place(v); k >= 0 {
			a.Kind, a.X = Scratch, int64(k)
			return a
		}
	}
	if n, ok := l.f.Code.Number(v); ok {
		a.Kind, a.X = Item, int64(n)
		return a
	}
	if n, ok := l.f.params[v]; ok {
		a.Kind, a.X = Param, n
		return a
	}
	return ConstantOperand(v)
}

// ConstantOperand is a value that is the same in every function: a constant, or what has a
// name outside of functions.
func ConstantOperand(v value.Value) Operand {
	a := Operand{Type: TypeOf(v.Type())}
	if x, ok := numberOf(v); ok {
		a.X = x
		return a
	}
	switch k := v.(type) {
	case *constant.Int:
		a.Kind, a.Of = Wide, v
	case *constant.Float:
		a.X = int64(floatBitsOf(k, a.Type))
	case *constant.ExprBitCast:
		return as(a.Type, k.From)
	case *constant.ExprPtrToInt:
		return as(a.Type, k.From)
	case *constant.ExprIntToPtr:
		return as(a.Type, k.From)
	case *constant.ExprAddrSpaceCast:
		return as(a.Type, k.From)
	case *constant.ExprGetElementPtr:
		return addressOperand(a, k)
	case *constant.BlockAddress:
		return blockOperand(a, k)
	case *llir.Global, *llir.Func, *llir.Alias:
		a.Kind, a.Of = Symbol, v
	default:
		a.Kind, a.Of = Unknown, v
	}
	return a
}

// as is a constant read as another type of as many bits.
func as(t Type, from constant.Constant) Operand {
	a := ConstantOperand(from)
	if a.Type.Bits != t.Bits || a.Kind != Number && a.Kind != Symbol {
		return Operand{Kind: Unknown, Type: t, Of: from}
	}
	if a.Kind == Number && t.Class == Int && t.Bits <= 64 {
		a.X = Wrap(a.X, uint(t.Bits))
	}
	a.Type = t
	return a
}

func addressOperand(a Operand, k *constant.ExprGetElementPtr) Operand {
	indices, known := make([]value.Value, len(k.Indices)), true
	for i, index := range k.Indices {
		indices[i] = index
	}
	offset := walk(k.ElemType, indices, func(value.Value, int64) { known = false })
	base := ConstantOperand(k.Src)
	if !known || base.Kind != Number && base.Kind != Symbol {
		a.Kind, a.Of = Unknown, k
		return a
	}
	base.Type, base.X = a.Type, base.X+offset
	return base
}

// BlockStride is how far the addresses of the blocks of a function, which goto with a
// computed label takes, are apart: that of block n is n+1 of them behind the function's.
const BlockStride = 16

func blockOperand(a Operand, k *constant.BlockAddress) Operand {
	a.Kind, a.Of = Unknown, k
	f, ok := k.Func.(*llir.Func)
	if !ok {
		return a
	}
	for n, b := range f.Blocks {
		if value.Named(b) == k.Block || b.Ident() == k.Block.Ident() {
			a.Kind, a.Of, a.X = Symbol, f, int64(n+1)*BlockStride
			return a
		}
	}
	return a
}

// unindexed takes the attributes off an index of a constant address.
func unindexed(v value.Value) value.Value {
	if i, ok := v.(*constant.Index); ok {
		return i.Constant
	}
	return v
}

// numberOf is a constant of up to 64 bits that is no floating-point number, or no more than
// zeros; what is undefined is 0.
func numberOf(v value.Value) (int64, bool) {
	switch k := v.(type) {
	case *constant.Int:
		if k.Typ.BitSize > 64 && !k.X.IsInt64() {
			return 0, false
		}
		if k.Typ.BitSize == 1 {
			return int64(k.X.Sign() & 1), true
		}
		x := k.X.Int64()
		if !k.X.IsInt64() {
			x = int64(k.X.Uint64())
		}
		return Wrap(x, uint(min(k.Typ.BitSize, 64))), true
	case *constant.Null, *constant.ZeroInitializer, *constant.Undef, *constant.Poison:
		return 0, true
	}
	return 0, false
}

// floatBitsOf are the bits of a number of a type; those of a type of more than 64 bits are
// the bits of the nearest double.
func floatBitsOf(k *constant.Float, t Type) uint64 {
	f := math.NaN()
	if !k.NaN && k.X != nil {
		f, _ = k.X.Float64()
	}
	if t.Bits == 32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}
