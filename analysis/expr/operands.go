package expr

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// operands fills in what an expression is made of: its children, the variables
// that it names and the literals.
func (b *builder) operands(f *Forest, n *Node) {
	for _, child := range n.Children {
		kind := Expression
		if f.Nodes[child].Kind == Identifier {
			kind = Variable
		}
		n.Operands = append(n.Operands, Operand{Kind: kind, Type: f.Nodes[child].Type})
	}
	named := map[value.Value]bool{}
	for _, i := range n.Items {
		for k, v := range b.code.Operands[i] {
			switch {
			case isVariable(v) && !IsJoinSlot(v) && !isString(v) && !named[v]:
				named[v] = true
				if !b.isReturnSlot(v) {
					n.Operands = append(n.Operands, Operand{Kind: Variable, Type: b.variableType(i, v)})
				}
			case b.isWritten(i, k, v):
				n.Operands = append(n.Operands, Operand{Kind: Literal, Type: v.Type()})
			}
		}
	}
}

// variableType is the type of a variable's content where the item goes there,
// else that of its address.
func (b *builder) variableType(i int, v value.Value) types.Type {
	switch inst := b.code.Items[i].Inst.(type) {
	case *llir.InstLoad, *llir.InstGetElementPtr, *llir.InstBitCast:
		return contentOf(v)
	case *llir.InstStore:
		if inst.Dst == v {
			return contentOf(v)
		}
	}
	return v.Type()
}

// contentOf is the type of what a variable holds; a parameter is a value itself.
func contentOf(v value.Value) types.Type {
	switch v := v.(type) {
	case *llir.InstAlloca:
		return v.ElemType
	case *llir.Global:
		return v.ContentType
	}
	return v.Type()
}

// isWritten reports a constant operand, the k-th of an item, that stands in
// the C source, as far as IR tells.
func (b *builder) isWritten(i, k int, v value.Value) bool {
	if !isLiteral(v) {
		return false
	}
	_, implicitTest := tested(b.code.Items[i].Node())
	switch inst := b.code.Items[i].Node().(type) {
	case *llir.InstGetElementPtr:
		return k == len(inst.Indices) && addressKind(inst) != Member && !b.isUpdateOperation(i)
	case *llir.InstICmp, *llir.InstFCmp:
		return !implicitTest || b.into[i] == i
	case *llir.InstStore:
		return !IsJoinSlot(inst.Dst)
	case *llir.InstSub, *llir.InstXor:
		kind := kindOf(inst)
		return kind != Neg && kind != Complement && kind != Not && !(isUnit(v) && b.isUpdateOperation(i))
	case *llir.InstAdd:
		return !(isUnit(v) && b.isUpdateOperation(i))
	case *llir.TermSwitch, *llir.TermCondBr:
		return false
	}
	return true
}

// isUpdateOperation reports the operation of ++, -- or an assignment with an
// operator.
func (b *builder) isUpdateOperation(i int) bool {
	for _, user := range b.code.Users[i] {
		if _, ok := b.code.Items[user].Inst.(*llir.InstStore); ok && b.core(user) == i {
			return true
		}
		if _, ok := ir.ConvertedBy(b.code.Items[user].Node()); ok && b.core(user) == i && b.isUpdateOperation(user) {
			return true
		}
	}
	return false
}

func isLiteral(v value.Value) bool {
	switch c := v.(type) {
	case *constant.Int, *constant.Float, *constant.Null:
		return true
	case *constant.ExprGetElementPtr:
		return isString(c.Src)
	}
	return isString(v)
}

// isString reports the constant array of a string literal.
func isString(v value.Value) bool {
	g, ok := v.(*llir.Global)
	if !ok || !g.Immutable {
		return false
	}
	_, ok = g.Init.(*constant.CharArray)
	return ok
}
