// Package expr rebuilds the expression trees of C from the operands of
// instructions.
//
// At -O0 each expression of C leaves a few instructions of one block, linked by
// registers. A Node is one such expression. Instructions without a counterpart
// of their own in the syntax tree are looked through, that is, counted to the
// node they belong to:
//
//   - casts, and the array-to-pointer conversion, to what they convert;
//   - the implicit `!= 0` of a condition, to what it tests;
//   - the load of an array element or member, to the computation of its address;
//   - the load and the store of ++, -- and of assignments with an operator, to
//     the operation;
//   - the store into the slot of a ?:, && or || (ir.DemotePhis), to what it
//     stores, and the load from the return slot, to the return.
//
// Where IR alone cannot tell (`x += e` from `x = x + e`, `if (x)` from
// `if (x != 0)`) debug locations decide: clang places made-up instructions
// where their expression is. Only equality of locations counts, so reformatting
// changes nothing. Without debug information, steps by one count as ++, every
// other form as written out.
//
// A node's children are the nodes whose values it uses in the same block, and,
// for the results of ?:, && and ||, the operands in other blocks. Names of
// values are never read. The time is linear in operands.
package expr

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/ir"
)

// None is the node of items that belong to no expression: stack slots and
// debug markers.
const None = -1

// Node is one expression, or one statement that uses a value.
type Node struct {
	Kind  Kind
	Block int
	// Items are the node's instructions, ascending.
	Items []int
	// Type is the type of the expression's value before any conversion; that
	// of the value assigned for an assignment; nil for statements.
	Type types.Type
	// Parents and Children are nodes, ascending.
	Parents, Children []int
	// Operands are what the expression is made of, as it is written.
	Operands []Operand
	// Sources and Consumers are nodes of other blocks that registers link with
	// this one; there are none in code of clang -O0.
	Sources, Consumers []int
}

// OperandKind tells operands apart.
type OperandKind uint8

const (
	// Expression is an operand with an operator of its own.
	Expression OperandKind = iota
	// Variable is the name of a variable or parameter.
	Variable
	// Literal is a number or string.
	Literal
)

// Operand is one operand of an expression.
type Operand struct {
	Kind OperandKind
	Type types.Type
}

// Forest is the expressions of a function.
type Forest struct {
	// Nodes are in the order of their first items.
	Nodes []Node
	// Of is the node of each item, or None.
	Of []int
	// Joins are the items that write or read join slots. The forest links
	// their nodes as parent and child, so they are no dependence through
	// memory.
	Joins []bool
}

// Build returns the expressions of a function without phis.
func Build(code *defuse.Code) *Forest {
	b := &builder{code: code, into: make([]int, len(code.Items)),
		returnSlots: map[int]bool{}, declared: ir.Variables(code.Func)}
	for i := range b.into {
		b.into[i] = i
	}
	for i := range code.Items {
		b.absorb(i)
	}
	f := &Forest{Of: make([]int, len(code.Items)), Joins: make([]bool, len(code.Items))}
	b.collect(f)
	b.link(f)
	b.linkJoins(f)
	for n := range f.Nodes {
		b.operands(f, &f.Nodes[n])
	}
	return f
}

type builder struct {
	code        *defuse.Code
	into        []int // the item that an item is counted to; itself for the core of a node
	returnSlots map[int]bool
	declared    map[value.Value]string // the variables of C
}

func (b *builder) core(i int) int {
	for b.into[i] != i {
		i = b.into[i]
	}
	return i
}

// collect makes a node of every core and what was counted to it.
func (b *builder) collect(f *Forest) {
	nodeOf := map[int]int{} // by core
	for i, item := range b.code.Items {
		f.Of[i] = None
		if isMarker(item) {
			continue
		}
		core := b.core(i)
		n, known := nodeOf[core]
		if !known {
			n = len(f.Nodes)
			nodeOf[core] = n
			f.Nodes = append(f.Nodes, b.newNode(core))
		}
		f.Of[i] = n
		f.Nodes[n].Items = append(f.Nodes[n].Items, i)
		switch inst := item.Inst.(type) {
		case *llir.InstStore:
			f.Joins[i] = IsJoinSlot(inst.Dst)
		case *llir.InstLoad:
			f.Joins[i] = IsJoinSlot(inst.Src)
		}
	}
	for n := range f.Nodes {
		b.refine(&f.Nodes[n], b.core(f.Nodes[n].Items[0]))
	}
}

func (b *builder) newNode(core int) Node {
	item := b.code.Items[core]
	n := Node{Kind: kindOf(item.Node()), Block: item.Block}
	switch i := item.Node().(type) {
	case *llir.InstStore:
		n.Type = i.Src.Type()
		if b.isReturnSlot(i.Dst) {
			n.Kind, n.Type = Return, nil
		}
	case *llir.InstGetElementPtr:
		n.Type = i.Type()
	case value.Value:
		n.Type = i.Type()
	}
	return n
}

// refine sets what depends on all items of a node: an operation that stores its
// result is an update, an address that is loaded from is an element.
func (b *builder) refine(n *Node, core int) {
	if n.Kind.IsStatement() {
		return
	}
	for _, i := range n.Items {
		switch inst := b.code.Items[i].Inst.(type) {
		case *llir.InstStore:
			if i != core && !IsJoinSlot(inst.Dst) {
				n.Kind = Update
			}
		case *llir.InstLoad:
			_, isAddress := b.code.Items[core].Inst.(*llir.InstGetElementPtr)
			if i != core && isAddress {
				n.Type = inst.ElemType
				if n.Kind == Identifier {
					n.Kind = Element // a[0]
				}
			}
		}
	}
	if n.Kind == Identifier && b.isStoredTo(core) {
		n.Kind = Element
	}
}

// isStoredTo reports an address that something is stored to directly.
func (b *builder) isStoredTo(i int) bool {
	v := b.code.Items[i].Value()
	for _, user := range b.code.Users[i] {
		if store, ok := b.code.Items[user].Inst.(*llir.InstStore); ok && store.Dst == v {
			return true
		}
	}
	return false
}

// link connects the nodes whose values are used with those that use them.
func (b *builder) link(f *Forest) {
	for i, uses := range b.code.Uses {
		user := f.Of[i]
		if user == None {
			continue
		}
		for _, u := range uses {
			used := f.Of[u]
			switch {
			case used == None || used == user:
			case f.Nodes[used].Block == f.Nodes[user].Block:
				f.parent(user, used)
			default:
				f.Nodes[user].Sources = insert(f.Nodes[user].Sources, used)
				f.Nodes[used].Consumers = insert(f.Nodes[used].Consumers, user)
			}
		}
	}
}

// linkJoins makes the operands of ?:, && and || children of the result. Of a
// short circuit, the first operand decides by a branch and stores a constant.
func (b *builder) linkJoins(f *Forest) {
	operands := map[value.Value][]int{} // by slot: nodes
	for i, item := range b.code.Items {
		store, ok := item.Inst.(*llir.InstStore)
		if !ok || !f.Joins[i] {
			continue
		}
		if def, ok := b.code.Number(store.Src); ok && f.Of[def] != None {
			operands[store.Dst] = insert(operands[store.Dst], f.Of[def])
			continue
		}
		end := b.code.Terminator(item.Block)
		if _, branches := b.code.Items[end].Term.(*llir.TermCondBr); branches && len(b.code.Uses[end]) == 1 {
			if first := f.Of[b.code.Uses[end][0]]; first != None {
				operands[store.Dst] = insert(operands[store.Dst], first)
			}
		}
	}
	for i, item := range b.code.Items {
		if load, ok := item.Inst.(*llir.InstLoad); ok && f.Joins[i] {
			for _, child := range operands[load.Src] {
				if child != f.Of[i] {
					f.parent(f.Of[i], child)
				}
			}
		}
	}
}

func (f *Forest) parent(parent, child int) {
	f.Nodes[parent].Children = insert(f.Nodes[parent].Children, child)
	f.Nodes[child].Parents = insert(f.Nodes[child].Parents, parent)
}

// insert keeps a list sorted and free of repetitions.
func insert(list []int, x int) []int {
	at, found := slices.BinarySearch(list, x)
	if found {
		return list
	}
	return slices.Insert(list, at, x)
}
