package concrete

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// sizeOf is how many bytes of memory a value of a type takes, as on x86-64, where each
// scalar is aligned to its own size.
func sizeOf(t types.Type) int64 { return layout(t, 0).size }

// place is the size and the alignment of a type.
type place struct{ size, align int64 }

// deepestType bounds types within types: one that names itself has no size.
const deepestType = 16

func layout(t types.Type, depth int) place {
	if depth > deepestType {
		return place{8, 8}
	}
	switch t := t.(type) {
	case *types.IntType:
		n := int64(1)
		for n*8 < int64(t.BitSize) && n < 16 {
			n *= 2
		}
		return place{n, n}
	case *types.FloatType:
		switch t.Kind {
		case types.FloatKindFloat:
			return place{4, 4}
		case types.FloatKindX86_FP80, types.FloatKindFP128:
			return place{16, 16}
		}
		return place{8, 8}
	case *types.ArrayType:
		inner := layout(t.ElemType, depth+1)
		return place{int64(t.Len) * inner.size, inner.align}
	case *types.VectorType:
		inner := layout(t.ElemType, depth+1)
		return place{int64(t.Len) * inner.size, inner.align}
	case *types.StructType:
		_, whole := members(t, depth)
		return whole
	}
	return place{8, 8}
}

// members are the offsets of a structure's fields, and the whole of it.
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

// strides are what the indices of an address computation are multiplied by. That of a
// structure's member, which is a constant, stands for the offset of the member: it is
// in fixed, and its stride is 0.
func strides(t types.Type, indices []value.Value) (out []int64, fixed int64) {
	out = make([]int64, len(indices))
	for k := range indices {
		if k == 0 {
			out[k] = sizeOf(t)
			continue
		}
		switch inner := t.(type) {
		case *types.ArrayType:
			t = inner.ElemType
			out[k] = sizeOf(t)
		case *types.StructType:
			if n, ok := constantWord(indices[k]); ok && n >= 0 && int(n) < len(inner.Fields) {
				offsets, _ := members(inner, 0)
				fixed += offsets[n]
				t = inner.Fields[n]
			}
		default:
			out[k] = 8
		}
	}
	return out, fixed
}
