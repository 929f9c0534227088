package ranges

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// machine carries a state through one block.
type machine struct {
	f      *Facts
	values []Interval // by item
	// settled: the values of other blocks are final.
	settled bool
	block   int
	cells   state
	written []int // by cell: the last item that wrote it, plus one
	// extra are the values of code that takes the place of some of the block's, and
	// instead that code.
	extra   []Interval
	instead []item
}

func newMachine(f *Facts) *machine {
	return &machine{f: f, values: f.values, cells: make(state, len(f.cells)), written: make([]int, len(f.cells))}
}

// run carries a block's state from its start to an item.
func (m *machine) run(block int, in state, end int) {
	m.block = block
	copy(m.cells, in)
	clear(m.written)
	for i := m.f.code.Code.First[block]; i < end; i++ {
		o := &m.f.items[i]
		if o.width > 0 {
			m.values[i] = m.eval(o)
		}
		m.write(i, o)
	}
}

func (m *machine) write(i int, o *item) {
	if o.stores() {
		x := m.get(o.args[1])
		if m.f.cells[o.cell].array {
			x = x.Join(m.cells[o.cell])
		}
		m.cells[o.cell] = x
		m.written[o.cell] = i + 1
		return
	}
	for _, k := range o.clobbers {
		switch {
		case o.fill == nil:
			m.cells[k] = Full(m.f.cells[k].width)
		case o.all:
			m.cells[k] = *o.fill
		default:
			m.cells[k] = m.cells[k].Join(*o.fill)
		}
		m.written[k] = i + 1
	}
}

// get is what an operand can be. While ranges are looked for, registers of other
// blocks are anything of their type: they are read in few places.
func (m *machine) get(a operand) Interval {
	items := len(m.f.items)
	switch {
	case a.item < 0:
		return a.constant
	case a.item >= items:
		return m.extra[a.item-items]
	case m.settled || m.f.code.Code.Items[a.item].Block == m.block:
		return m.values[a.item]
	}
	return Full(a.width)
}

// eval is what an item can give.
func (m *machine) eval(o *item) Interval {
	switch {
	case o.loads():
		return m.cells[o.cell]
	case o.character && m.get(o.args[1]).Within(characters):
		return characters.Meet(Full(o.width))
	case !o.computed:
		return o.known
	case o.Code == op.CompareInts:
		return Compare(o.Pred, m.get(o.args[0]), m.get(o.args[1]), o.args[0].width)
	case o.Code == op.Select:
		cond, out := m.get(o.args[0]), Empty
		if cond.Has(1) {
			out = m.get(o.args[1])
		}
		if cond.Has(0) {
			out = out.Join(m.get(o.args[2]))
		}
		return out
	case o.Code.IsConversion():
		return Convert(o.Code, m.get(o.args[0]), o.args[0].width, o.width)
	}
	return Apply(o.Code, m.get(o.args[0]), m.get(o.args[1]), o.width, o.Flags&op.NoSignedWrap != 0)
}

// require narrows the cells to where an item's value lies in an interval; false
// when it never does. Only items of the block that was run tell anything.
func (m *machine) require(a operand, within Interval) bool {
	if a.item < 0 {
		return !a.constant.Meet(within).IsEmpty()
	}
	was := &m.extra
	at := a.item - len(m.f.items)
	if at < 0 {
		if m.f.code.Code.Items[a.item].Block != m.block {
			return true
		}
		was, at = &m.values, a.item
	}
	within = within.Meet((*was)[at])
	if within.IsEmpty() {
		return false
	}
	if within == (*was)[at] && a.width > 1 {
		return true // nothing new
	}
	return m.requireCause(a.item, within) && m.requireHolders(a.item, within, true)
}

// requireCause narrows what an item was computed from.
func (m *machine) requireCause(i int, within Interval) bool {
	o := m.item(i)
	switch {
	case o.loads():
		if m.f.cells[o.cell].array || m.written[o.cell] > i {
			return true
		}
		m.cells[o.cell] = m.cells[o.cell].Meet(within)
		return !m.cells[o.cell].IsEmpty()
	case !o.computed:
	case o.Code.IsConversion():
		return m.requireConverted(o, within)
	case o.Code.IsBinaryInt():
		if by, x, ok := m.shiftOf(o); ok {
			return m.require(x, Interval{difference(within.Lo, by).x, difference(within.Hi, by).x})
		}
		if o.width == 1 && o.Code == op.Xor && o.args[1].item < 0 && o.args[1].constant == Exactly(1) && within.IsOne() {
			return m.require(o.args[0], Exactly(1-within.Lo)) // !
		}
	case o.Code == op.CompareInts:
		if !within.IsOne() {
			return true
		}
		x, y := Refine(o.Pred, within.Lo == 1, m.get(o.args[0]), m.get(o.args[1]), o.args[0].width)
		return m.require(o.args[0], x) && m.require(o.args[1], y)
	}
	return true
}

func (m *machine) requireConverted(o *item, within Interval) bool {
	from := o.args[0]
	switch o.Code {
	case op.SExt:
		if from.width == 1 {
			return m.require(from, Interval{-within.Hi, -within.Lo})
		}
	case op.ZExt:
		if from.width > 1 {
			if within.Hi > Full(from.width).Hi || within.Lo < 0 {
				return true
			}
		}
	case op.Trunc:
		if !m.get(from).Within(Full(o.width)) || o.width == 1 {
			return true
		}
	}
	return m.require(from, within)
}

// shiftOf recognises x + by, with results that do not wrap.
func (m *machine) shiftOf(o *item) (by int64, x operand, ok bool) {
	if !o.is(op.Add) && !o.is(op.Sub) || o.width == 1 {
		return 0, x, false
	}
	a, b := o.args[0], o.args[1]
	if o.Code == op.Add && a.item < 0 {
		a, b = b, a
	}
	if b.item >= 0 || !b.constant.IsOne() {
		return 0, x, false
	}
	by = b.constant.Lo
	if o.Code == op.Sub {
		by = difference(0, by).x
	}
	v := m.get(a)
	lo, hi := sum(v.Lo, by), sum(v.Hi, by)
	stays := !lo.over && !hi.over && Interval{lo.x, hi.x}.Within(Full(o.width))
	return by, a, o.Flags&op.NoSignedWrap != 0 || stays
}

// requireHolders narrows the variables that an item's value was stored to, and
// those of the sums of it and a constant.
func (m *machine) requireHolders(i int, within Interval, further bool) bool {
	if i < len(m.f.items) {
		for _, u := range m.f.code.Code.Users[i] {
			if m.f.code.Code.Items[u].Block == m.block && !m.requireHolder(u, i, within, further) {
				return false
			}
		}
	}
	for k := range m.instead {
		o := &m.instead[k]
		for _, a := range o.args {
			if a.item == i && !m.requireHolder(len(m.f.items)+k, i, within, further) {
				return false
			}
		}
	}
	return true
}

// requireHolder narrows what item u, which uses item i, holds.
func (m *machine) requireHolder(u, i int, within Interval, further bool) bool {
	o := m.item(u)
	if o.stores() && o.args[1].item == i && !m.f.cells[o.cell].array && m.written[o.cell] == u+1 {
		m.cells[o.cell] = m.cells[o.cell].Meet(within)
		if m.cells[o.cell].IsEmpty() {
			return false
		}
	}
	if !further {
		return true
	}
	if by, _, ok := m.shiftOf(o); ok {
		moved := Interval{sum(within.Lo, by).x, sum(within.Hi, by).x}.Meet(Full(o.width))
		return m.requireHolders(u, moved, false)
	}
	return true
}

// item is an operation of the function, or of the code instead.
func (m *machine) item(i int) *item {
	if i < len(m.f.items) {
		return &m.f.items[i]
	}
	return &m.instead[i-len(m.f.items)]
}

func (s state) equal(t state) bool { return slices.Equal(s, t) }
