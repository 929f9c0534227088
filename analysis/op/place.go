package op

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"
)

// Place is where an address points: Offset bytes from the start of an object, and some
// number of times each stride further.
type Place struct {
	// Object is an *llir.InstAlloca or an *llir.Global; nil where it is not known which.
	Object  value.Value
	Offset  int64
	Strides []int64
}

// Whole reports the object's own address.
func (p Place) Whole() bool { return p.Object != nil && p.Offset == 0 && len(p.Strides) == 0 }

// Aligned reports that the place is at the start of an element of an array of elements of
// so many bytes.
func (p Place) Aligned(bytes int64) bool {
	if p.Object == nil || p.Offset%bytes != 0 {
		return false
	}
	for _, s := range p.Strides {
		if s%bytes != 0 {
			return false
		}
	}
	return true
}

// PlaceOf follows an address through the computations that lead to it; r, whose operations
// it may be computed by, may be nil.
func (f *Function) PlaceOf(a Operand, r *Replacement) Place {
	var p Place
	for {
		var by *Op
		switch {
		case a.Kind == Symbol:
			if g, ok := a.Of.(*llir.Global); ok {
				p.Object, p.Offset = g, p.Offset+a.X
			}
			return p
		case a.Kind == Item:
			by = &f.Ops[a.X]
		case a.Kind == Scratch && r != nil:
			by = &r.Ops[a.X]
		default:
			return p
		}
		switch by.Code {
		case Alloca:
			p.Object = by.Node.(*llir.InstAlloca)
			return p
		case Address:
			p.Offset, p.Strides = p.Offset+by.Offset, append(p.Strides, by.Scales...)
		case BitCast:
			if by.Args[0].Type.Class != Pointer || by.Type.Class != Pointer {
				return p
			}
		default:
			return p
		}
		a = by.Args[0]
	}
}
