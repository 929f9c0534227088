// Package ranges finds which values the integers of a function can have: an
// interval for every register, and for every variable at the start of every
// block.
//
// # Method
//
// It is abstract interpretation with intervals (Cousot and Cousot, "Abstract
// Interpretation: A Unified Lattice Model", 1977), forward and sensitive to the
// order of the code. A state maps cells to intervals. A cell is an integer slot or
// global variable, which a store replaces, or an array of integers of any
// dimension, whose elements are one cell that stores add to. Parameters and
// memory that was not written hold anything of their type, in main the globals
// what they start with. What calls return is in library.go; a call of another
// function may write all that package dataflow says it may.
//
// Each way out of a branch or switch refines what its condition was computed
// from: through conversions and added constants to the loads, as long as the
// variable was not written since, and to the variables that hold a result of
// the computation. Where && and || are used as values a block only reads the
// truth that its predecessors left in a slot; those predecessors then go on
// right to where that truth leads.
//
// At the heads of loops intervals are widened, for variables that the loop
// writes only; then two passes over the code take back what went too far.
//
// # What is assumed
//
// Signed arithmetic that the compiler marks nsw does not leave its type, which C
// says, as do addresses that stay within their array. What is computed from a
// variable without a value is anything. Nothing is known of floating-point numbers,
// structures, and memory that is reached through pointers.
//
// # Cost
//
// Time and memory are about blocks times cells. Functions in which that is more
// than 131072 keep the cells that are read most; where the passes do not end
// soon nothing but types is known.
package ranges

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// stateBound is how many blocks times cells are kept.
const stateBound = 1 << 17

// Facts are the value ranges of a function.
type Facts struct {
	code   *op.Function
	cells  []cell
	cellOf map[value.Value]int
	items  []item
	in     []state    // by block; nil where control never comes
	values []Interval // by item; of items without an integer nothing
	ready  *machine   // see before

	graph   *cfg.Graph
	loops   *loop.Nest
	further *further // see Further
}

// state is what the cells hold.
type state []Interval

// cell is a variable whose content is known.
type cell struct {
	object value.Value
	width  uint
	// array: the cell stands for all elements.
	array bool
	bytes uint64 // of the variable
	reads int
}

// Of finds the ranges of a function.
func Of(code *op.Function, g *cfg.Graph, loops *loop.Nest, flow *dataflow.Flow) *Facts {
	f := &Facts{code: code, cellOf: map[value.Value]int{}, values: make([]Interval, len(code.Ops)), graph: g, loops: loops}
	f.findCells(g.Len())
	f.compileAll(flow)
	newSolver(f, g, loops).solve()
	return f
}

// Reachable reports whether control can come to a block.
func (f *Facts) Reachable(block int) bool { return f.in[block] != nil }

// Value is what a register, parameter or number can be; false for what is no
// integer of up to 64 bits. In code that never runs it is empty.
func (f *Facts) Value(v value.Value) (Interval, bool) {
	return f.can(f.code.Operand(v))
}

func (f *Facts) can(a op.Operand) (Interval, bool) {
	o := f.operand(a)
	if o.width == 0 {
		return Interval{}, false
	}
	if o.item < 0 {
		return o.constant, true
	}
	return f.values[o.item], true
}

// Held is what a variable can hold at the start of a block, and an array's
// elements; false for variables that are not followed.
func (f *Facts) Held(variable value.Value, block int) (Interval, bool) {
	k, ok := f.cellOf[variable]
	switch {
	case !ok:
		return Interval{}, false
	case f.in[block] == nil:
		return Empty, true
	}
	return f.in[block][k], true
}

// findCells lists the variables that the function loads from or stores to, in
// the order of the function.
func (f *Facts) findCells(blocks int) {
	for i := range f.code.Ops {
		switch o := &f.code.Ops[i]; o.Code {
		case op.Load:
			if c := f.addCell(o.Args[0]); c != nil {
				c.reads++
			}
		case op.Store:
			f.addCell(o.Args[0])
		}
	}
	if most := stateBound / max(1, blocks); len(f.cells) > most {
		slices.SortStableFunc(f.cells, func(a, b cell) int { return b.reads - a.reads })
		f.cells = slices.Clone(f.cells[:most])
		clear(f.cellOf)
		for k := range f.cells {
			f.cellOf[f.cells[k].object] = k
		}
	}
}

// addCell returns the cell that an address lies in, nil for none.
func (f *Facts) addCell(address op.Operand) *cell {
	object := f.code.PlaceOf(address, nil).Object
	if k, ok := f.cellOf[object]; ok {
		return &f.cells[k]
	}
	var content types.Type
	switch v := object.(type) {
	case *llir.InstAlloca:
		if v.NElems == nil {
			content = v.ElemType
		}
	case *llir.Global:
		if !v.Immutable {
			content = v.ContentType
		}
	}
	element, array, elements := elementOf(content)
	width := widthOf(element)
	if width == 0 {
		return nil
	}
	f.cellOf[object] = len(f.cells)
	f.cells = append(f.cells, cell{object: object, width: width, array: array, bytes: elements * uint64((width+7)/8)})
	return &f.cells[len(f.cells)-1]
}

// elementOf is the type of the elements of an array of arrays, or the type
// itself, and how many there are.
func elementOf(t types.Type) (element types.Type, array bool, elements uint64) {
	elements = 1
	for {
		a, ok := t.(*types.ArrayType)
		if !ok {
			return t, array, elements
		}
		t, array, elements = a.ElemType, true, elements*a.Len
	}
}

// widthOf is the width of an integer, 0 for other types and wider ones.
func widthOf(t types.Type) uint {
	if i, ok := t.(*types.IntType); ok && i.BitSize <= 64 {
		return uint(i.BitSize)
	}
	return 0
}
