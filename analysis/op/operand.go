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
		if code, x, y := binaryOf(v); code != 0 {
			return computedOperand(a, code, v, ConstantOperand(x), ConstantOperand(y))
		}
		a.Kind, a.Of = Unknown, v
	}
	return a
}

// binaryOf is the operator and the operands of a constant that is computed of two integers; 0 for
// others.
func binaryOf(v value.Value) (code Code, x, y constant.Constant) {
	switch k := v.(type) {
	case *constant.ExprAdd:
		return Add, k.X, k.Y
	case *constant.ExprSub:
		return Sub, k.X, k.Y
	case *constant.ExprMul:
		return Mul, k.X, k.Y
	case *constant.ExprShl:
		return Shl, k.X, k.Y
	case *constant.ExprLShr:
		return LShr, k.X, k.Y
	case *constant.ExprAShr:
		return AShr, k.X, k.Y
	case *constant.ExprAnd:
		return And, k.X, k.Y
	case *constant.ExprOr:
		return Or, k.X, k.Y
	case *constant.ExprXor:
		return Xor, k.X, k.Y
	}
	return 0, nil, nil
}

// computedOperand is a constant of known numbers, and of addresses as far as they can be known: how
// far two of one variable are apart, and one that is moved.
func computedOperand(a Operand, code Code, v value.Value, x, y Operand) Operand {
	a.Kind, a.Of = Unknown, v
	if a.Type.Class != Int || a.Type.Bits > 64 {
		return a
	}
	isSum := code == Add || code == Sub
	switch {
	case x.Kind == Number && y.Kind == Number:
	case code == Sub && x.Kind == Symbol && y.Kind == Symbol && x.Of == y.Of:
	case isSum && x.Kind == Symbol && y.Kind == Number:
		a.Kind, a.Of, a.X = Symbol, x.Of, x.X+y.X
		if code == Sub {
			a.X = x.X - y.X
		}
		return a
	default:
		return a
	}
	if z, ok := code.Ints(x.X, y.X, uint(a.Type.Bits)); ok {
		a.Kind, a.Of, a.X = Number, nil, z
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
