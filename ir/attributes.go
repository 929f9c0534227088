package ir

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
)

// AnyBody leaves out function attributes that a body earned and a changed one may not
// keep, such as readonly of a function that the source calls pure. clang puts attributes
// in groups that functions and calls share; to lose one there costs an optimisation at
// worst.
func AnyBody(attrs []llir.FuncAttribute) []llir.FuncAttribute {
	return slices.DeleteFunc(slices.Clone(attrs), func(a llir.FuncAttribute) bool {
		attr, ok := a.(enum.FuncAttr)
		return ok && earned[attr]
	})
}

var earned = map[enum.FuncAttr]bool{
	enum.FuncAttrReadNone: true, enum.FuncAttrReadOnly: true, enum.FuncAttrWriteOnly: true,
	enum.FuncAttrArgMemOnly: true, enum.FuncAttrNoFree: true, enum.FuncAttrNoSync: true,
	enum.FuncAttrWillReturn: true, enum.FuncAttrNoRecurse: true, enum.FuncAttrNoReturn: true,
	enum.FuncAttrMustProgress: true, enum.FuncAttrInaccessibleMemOnly: true,
	enum.FuncAttrInaccessibleMemOrArgMemOnly: true, enum.FuncAttrSpeculatable: true,
}
