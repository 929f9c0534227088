// Package defuse numbers the instructions of a function and links each with the
// instructions whose results it uses, and with those that use its result.
//
// Numbers (items) run from 0 through the blocks in order, each block's
// terminator after its instructions. Analyses keep what they find in slices by
// item. Building takes time linear in operands.
package defuse

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// Code is the numbered instructions of a function.
type Code struct {
	Func *llir.Func
	// Items are the instructions and terminators.
	Items []Item
	// First is the item with which each block starts; one more entry than
	// blocks closes the last.
	First []int
	// Operands are the values that each item names, call arguments without
	// their attributes, blocks left out.
	Operands [][]value.Value
	// Uses are the items among the operands of each item, without repetition;
	// Users is the reverse. Both are in the order of the function.
	Uses, Users [][]int

	number map[any]int
}

// Item is one instruction or terminator; the other is nil.
type Item struct {
	Inst  llir.Instruction
	Term  llir.Terminator
	Block int // its block's number
}

// Value is the item as an operand of others; nil for what has no result.
func (i Item) Value() value.Value {
	v, _ := i.Node().(value.Value)
	return v
}

// Node is the instruction or terminator itself.
func (i Item) Node() any {
	if i.Inst != nil {
		return i.Inst
	}
	return i.Term
}

// Of numbers a function with a body.
func Of(f *llir.Func) *Code {
	n := len(f.Blocks)
	for _, b := range f.Blocks {
		n += len(b.Insts)
	}
	c := &Code{Func: f, Items: make([]Item, 0, n), number: make(map[any]int, n),
		Operands: make([][]value.Value, n), Uses: make([][]int, n), Users: make([][]int, n)}
	for k, b := range f.Blocks {
		c.First = append(c.First, len(c.Items))
		for _, inst := range b.Insts {
			c.add(Item{Inst: inst, Block: k})
		}
		c.add(Item{Term: b.Term, Block: k})
	}
	c.First = append(c.First, len(c.Items))
	for i := range c.Items {
		c.link(i)
	}
	return c
}

func (c *Code) add(item Item) {
	c.number[item.Node()] = len(c.Items)
	c.Items = append(c.Items, item)
}

func (c *Code) link(i int) {
	user, ok := c.Items[i].Node().(value.User)
	if !ok || ir.IsDebug(c.Items[i].Inst) {
		return
	}
	for _, slot := range user.Operands() {
		v := ir.Unwrap(*slot)
		if _, isBlock := v.(*llir.Block); isBlock || v == nil {
			continue
		}
		c.Operands[i] = append(c.Operands[i], v)
		def, ok := c.number[v]
		if !ok {
			continue
		}
		repeated := false
		for _, earlier := range c.Uses[i] {
			repeated = repeated || earlier == def
		}
		if !repeated {
			c.Uses[i] = append(c.Uses[i], def)
			c.Users[def] = append(c.Users[def], i)
		}
	}
}

// Number returns the item of an instruction or terminator of the function;
// false for anything else.
func (c *Code) Number(node any) (int, bool) {
	i, ok := c.number[node]
	return i, ok
}

// Terminator is the item of a block's terminator.
func (c *Code) Terminator(block int) int { return c.First[block+1] - 1 }
