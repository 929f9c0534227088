package op

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// ArrayAt is the variable, an *llir.InstAlloca or an *llir.Global, by which the source calls the array that an
// address lies in: the array itself, or the pointer that the address is computed from. It is nil for variables that
// are no arrays, for members of structures, and for addresses that are cast, or computed from others than those.
func (f *Function) ArrayAt(a Operand) value.Value {
	for a.Kind == Item {
		o := &f.Ops[a.X]
		switch o.Code {
		case Address:
			if i, ok := o.Node.(*llir.InstGetElementPtr); !ok || isOfStructures(i.ElemType) {
				return nil
			}
		case Load:
			if p := f.PlaceOf(o.Args[0], nil); p.Whole() && isPointer(p.Object) {
				return p.Object
			}
			return nil
		case Alloca:
			if i := o.Node.(*llir.InstAlloca); i.NElems != nil || isArrayOfNumbers(i.ElemType) {
				return i
			}
			return nil
		default:
			return nil
		}
		a = o.Args[0]
	}
	if g, ok := a.Of.(*llir.Global); ok && a.Kind == Symbol && isArrayOfNumbers(g.ContentType) {
		return g
	}
	return nil
}

// isPointer says that a variable is a pointer, and no structure that begins with one.
func isPointer(variable value.Value) bool {
	var t types.Type
	switch v := variable.(type) {
	case *llir.InstAlloca:
		t = v.ElemType
	case *llir.Global:
		t = v.ContentType
	}
	_, ok := t.(*types.PointerType)
	return ok
}

func isArrayOfNumbers(t types.Type) bool {
	_, ok := t.(*types.ArrayType)
	return ok && !isOfStructures(t)
}

func isOfStructures(t types.Type) bool {
	for {
		switch inner := t.(type) {
		case *types.ArrayType:
			t = inner.ElemType
		case *types.StructType:
			return true
		default:
			return false
		}
	}
}
