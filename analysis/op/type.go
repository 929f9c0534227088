package op

import "github.com/llir/llvm/ir/types"

// Class is what the bits of a value are.
type Class uint8

// The classes. Bytes are structures, arrays and vectors as one value.
const (
	None Class = iota
	Int
	Float
	Pointer
	Bytes
)

// Type is what a value is, without what an address points to.
type Type struct {
	Class Class
	Bits  uint32
}

// Size is how many bytes of memory a load or a store of the type touches.
func (t Type) Size() int64 { return (int64(t.Bits) + 7) / 8 }

// Width is that of an integer of up to 64 bits; 0 for all else.
func (t Type) Width() uint {
	if t.Class == Int && t.Bits <= 64 {
		return uint(t.Bits)
	}
	return 0
}

// addressBits is the width of an address.
const addressBits = 64

// TypeOf lowers a type.
func TypeOf(t types.Type) Type {
	switch t := t.(type) {
	case *types.IntType:
		return Type{Int, uint32(t.BitSize)}
	case *types.FloatType:
		return Type{Float, floatBits(t)}
	case *types.PointerType:
		return Type{Pointer, addressBits}
	case *types.StructType, *types.ArrayType, *types.VectorType:
		return Type{Bytes, uint32(8 * min(SizeOf(t), 1<<28))}
	}
	return Type{}
}

func floatBits(t *types.FloatType) uint32 {
	switch t.Kind {
	case types.FloatKindHalf:
		return 16
	case types.FloatKindFloat:
		return 32
	case types.FloatKindX86_FP80:
		return 80
	case types.FloatKindFP128, types.FloatKindPPC_FP128:
		return 128
	}
	return 64
}

// SizeOf is how many bytes lie between the elements of an array of a type.
func SizeOf(t types.Type) int64 { return layout(t, 0).size }

// place is the size and the alignment of a type.
type place struct{ size, align int64 }

// deepest bounds types within types: one that names itself has no size.
const deepest = 16

// powerOf is the least power of two that is not below n.
func powerOf(n int64) int64 {
	p := int64(1)
	for p < n {
		p *= 2
	}
	return p
}

func layout(t types.Type, depth int) place {
	if depth > deepest {
		return place{8, 8}
	}
	switch t := t.(type) {
	case *types.IntType:
		n := min(16, powerOf((int64(t.BitSize)+7)/8))
		return place{n, n}
	case *types.FloatType:
		n := powerOf(int64(floatBits(t)) / 8)
		return place{n, n}
	case *types.ArrayType:
		inner := layout(t.ElemType, depth+1)
		return place{int64(t.Len) * inner.size, inner.align}
	case *types.VectorType:
		n := powerOf(int64(t.Len) * layout(t.ElemType, depth+1).size)
		return place{n, n}
	case *types.StructType:
		_, whole := members(t, depth)
		return whole
	}
	return place{8, 8}
}

// Members are the offsets of a structure's fields.
func Members(t *types.StructType) []int64 {
	offsets, _ := members(t, 0)
	return offsets
}

func members(t *types.StructType, depth int) ([]int64, place) {
	offsets := make([]int64, len(t.Fields))
	whole := place{0, 1}
	for k, field := range t.Fields {
		inner := layout(field, depth+1)
		if t.Packed {
			inner.align = 1
		}
		whole.align = max(whole.align, inner.align)
		whole.size = (whole.size + inner.align - 1) / inner.align * inner.align
		offsets[k] = whole.size
		whole.size += inner.size
	}
	whole.size = (whole.size + whole.align - 1) / whole.align * whole.align
	return offsets, whole
}

// member is the type of what a constant index selects in a type, and where it lies; false
// for what has no such member.
func member(t types.Type, k int64) (types.Type, int64, bool) {
	switch t := t.(type) {
	case *types.ArrayType:
		return t.ElemType, k * SizeOf(t.ElemType), true
	case *types.VectorType:
		return t.ElemType, k * SizeOf(t.ElemType), true
	case *types.StructType:
		if k >= 0 && int(k) < len(t.Fields) {
			return t.Fields[k], Members(t)[k], true
		}
	}
	return nil, 0, false
}
