package ranges

import (
	"slices"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// item is an operation and what the analysis knows of it.
type item struct {
	*op.Op
	width uint // of the result; 0 for no integer
	cell  int  // loaded or stored, -1 for none
	args  []operand
	// known is what an operation can give that is not computed from its operands'
	// intervals, as a call, or a load of a constant.
	known Interval
	// computed: it is computed from them; character: it gives a character where its
	// argument is one.
	computed, character bool
	// clobbers are the cells that get what fill is, besides their own cell; nil
	// fill is anything.
	clobbers []int
	fill     *Interval
	all      bool // fill replaces what was there
}

// stores reports a store to a cell.
func (o *item) stores() bool { return o.Code == op.Store && o.cell >= 0 }

// loads reports a load of a cell.
func (o *item) loads() bool { return o.Code == op.Load && o.cell >= 0 }

// is reports an operator that is computed from the intervals of its operands.
func (o *item) is(code op.Code) bool { return o.computed && o.Code == code }

// operand is a register, or a value that is the same all the time.
type operand struct {
	item     int // -1 for none
	width    uint
	constant Interval // without an item
}

func (f *Facts) compileAll(flow *dataflow.Flow) {
	f.items = make([]item, len(f.code.Ops))
	var exposed []int
	for k := range f.cells {
		if flow.Exposed(f.cells[k].object) {
			exposed = append(exposed, k)
		}
	}
	for i := range f.code.Ops {
		f.items[i] = f.compile(&f.code.Ops[i], nil)
		if o := &f.items[i]; !o.stores() || o.Type.Width() == 0 {
			f.findClobbers(i, flow, exposed)
		}
	}
}

func (f *Facts) findClobbers(i int, flow *dataflow.Flow, exposed []int) {
	o := &f.items[i]
	if flow.Writes(i, func(object value.Value, _ bool) {
		if k, ok := f.cellOf[object]; ok {
			o.clobbers = append(o.clobbers, k)
		}
	}) {
		if len(o.clobbers) == 0 {
			o.clobbers = exposed
			return
		}
		o.clobbers = append(o.clobbers, exposed...)
		slices.Sort(o.clobbers)
		o.clobbers = slices.Compact(o.clobbers)
		return
	}
	if o.Code == op.Call && len(o.clobbers) == 1 {
		c := &f.cells[o.clobbers[0]]
		if o.fill = f.filled(o.Op, c.width); o.fill != nil {
			o.all = f.replacesAll(c, o.Op)
		}
	}
}

// compile finds what is known of an operation of the function or of a replacement.
func (f *Facts) compile(o *op.Op, r *op.Replacement) item {
	out := item{Op: o, cell: -1}
	if o.Code != op.Store {
		out.width = o.Type.Width()
	}
	out.known = fullOrNone(out.width)
	out.args = make([]operand, len(o.Args))
	integers := true
	for k, a := range o.Args {
		out.args[k] = f.operand(a)
		integers = integers && out.args[k].width > 0
	}
	switch {
	case o.Code == op.Load:
		if out.cell = f.cellAt(o, r); out.cell < 0 {
			out.known = f.constantMemory(o, r)
		}
	case o.Code == op.Store:
		out.cell = f.cellAt(o, r)
	case o.Code == op.Call:
		out.known = callResult(o, out.width)
		out.character = out.width > 0 && o.Library.Has(libc.Letter) && len(o.Args) == 2 && out.args[1].width > 0
	case out.width > 0 && integers:
		out.computed = o.Code == op.Select || o.Code == op.CompareInts || o.Code.IsBinaryInt() ||
			o.Code == op.SExt || o.Code == op.ZExt || o.Code == op.Trunc
	}
	return out
}

func (f *Facts) operand(a op.Operand) operand {
	o := operand{item: -1, width: a.Type.Width()}
	if o.width == 0 {
		return o
	}
	switch a.Kind {
	case op.Item:
		o.item = int(a.X)
		return o
	case op.Scratch:
		o.item = len(f.code.Ops) + int(a.X)
		return o
	}
	o.constant = Full(o.width)
	switch {
	case a.IsNumber():
		o.constant = Exactly(a.X)
	case a.Kind == op.Param && a.X == 0 && f.isMain():
		o.constant.Lo = 0 // argc
	}
	return o
}

func (f *Facts) isMain() bool { return f.code.Code.Func.Name() == "main" }

// cellAt is the cell that an operation loads from or stores to, -1 where the
// address or the type is another one.
func (f *Facts) cellAt(o *op.Op, r *op.Replacement) int {
	at := f.code.PlaceOf(o.Args[0], r)
	k, ok := f.cellOf[at.Object]
	if !ok || o.Type.Width() != f.cells[k].width || !f.cells[k].holds(at) {
		return -1
	}
	return k
}

// holds reports that a place is the variable, or an element of the array.
func (c *cell) holds(at op.Place) bool {
	if c.array {
		return at.Aligned(bytesOf(c.width))
	}
	return at.Whole()
}

// bytesOf is how far integers of a width lie apart in an array.
func bytesOf(width uint) int64 { return op.Type{Class: op.Int, Bits: uint32(width)}.Size() }

func fullOrNone(width uint) Interval {
	if width == 0 {
		return Interval{}
	}
	return Full(width)
}
