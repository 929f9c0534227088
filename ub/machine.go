package ub

import (
	"maps"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// machine follows addresses through code in the order in which it runs, and the truths
// that comparisons of them with null have.
type machine struct {
	fn *function
	s  *stretch // nil where only the original's code is run
	// held is where variables point.
	held pointers
	// truths are the numbers that variables hold which only this function knows.
	truths map[value.Value]result
	// items are what the original's operations gave from item first on, and scratch those of the
	// stretch.
	first          int
	items, scratch []result
	// pinned is a variable that holds what it does until the item pinnedTo, whatever is
	// written to it before.
	pinned   value.Value
	pinnedTo int
	// numbers say what integers can be, nil for what they can in the original.
	numbers valuesOf
	// ended says that the program ends within what was run.
	ended bool
}

// result is what an operation gave: a place, or a truth or number.
type result struct {
	place  place
	number int64
	counts bool // number is known
}

func newMachine(fn *function, s *stretch, held pointers) *machine {
	return &machine{fn: fn, s: s, held: maps.Clone(held)}
}

// original runs the items of one block before one of them; visit sees each before it is run.
func (m *machine) original(block, before int, visit func(item int, o *op.Op)) {
	m.first, m.items = m.fn.code.First[block], nil
	m.goOn(before, visit)
}

// goOn runs further items of the block, before one.
func (m *machine) goOn(before int, visit func(item int, o *op.Op)) {
	m.items = slices.Grow(m.items, before-m.first-len(m.items))
	for item := m.first + len(m.items); item < before; item++ {
		o := &m.fn.ops.Ops[item]
		if visit != nil {
			visit(item, o)
		}
		m.items = append(m.items, m.run(o, func(slot value.Value) bool {
			return !m.isPinned(slot, item) && m.fn.overwrites(item, slot)
		}))
	}
}

// until is a machine that has run the items of a block before one. Mutants come in the order of
// their places, so that mostly few are run.
func (fn *function) until(block, item int) *machine {
	if m := fn.ready; m == nil || m.first != fn.code.First[block] || m.first+len(m.items) > item {
		fn.ready = newMachine(fn, nil, fn.blocks[block])
		fn.ready.first = fn.code.First[block]
	}
	fn.ready.goOn(item, nil)
	return fn.ready
}

// fork is a machine for a stretch that goes on from where another is.
func (m *machine) fork(s *stretch) *machine {
	out := newMachine(m.fn, s, m.held)
	out.truths, out.first, out.items = maps.Clone(m.truths), m.first, m.items
	return out
}

// mutated runs the stretch, up to a call that ends the program.
func (m *machine) mutated() {
	m.scratch = make([]result, 0, len(m.s.ops.Ops))
	for k := range m.s.ops.Ops {
		o := &m.s.ops.Ops[k]
		if o.Code == op.Call && o.Library.Has(libc.Ends) {
			m.ended = true
			return
		}
		m.scratch = append(m.scratch, m.run(o, func(slot value.Value) bool {
			pinned := k < len(m.s.was) && m.s.was[k] >= 0 && m.isPinned(slot, m.s.was[k])
			return !pinned && m.writes(o, slot)
		}))
	}
}

func (m *machine) isPinned(slot value.Value, at int) bool { return slot == m.pinned && at < m.pinnedTo }

// writes reports whether an operation of the stretch may change what a variable holds.
func (m *machine) writes(o *op.Op, slot value.Value) bool {
	if !o.Writes() {
		return false
	}
	if o.Code == op.Store {
		if object := m.fn.ops.PlaceOf(o.Args[0], m.s.ops).Object; object != nil {
			return object == slot
		}
	}
	return !m.fn.isPrivate(slot)
}

// run is what one operation does.
func (m *machine) run(o *op.Op, overwrites func(slot value.Value) bool) result {
	switch o.Code {
	case op.Alloca:
		return result{place: place{object: o.Node.(*llir.InstAlloca), size: o.Bytes, offset: ranges.Exactly(0)}}
	case op.BitCast:
		return m.of(o.Args[0])
	case op.Address:
		return result{place: m.address(o)}
	case op.Load:
		if o.Type.Class == op.Pointer {
			if slot := m.slotOf(o.Args[0]); slot != nil {
				return result{place: m.held[slot]}
			}
		}
		if slot := m.slotOf(o.Args[0]); slot != nil && o.Type.Width() > 0 {
			return m.truths[slot]
		}
		return result{}
	case op.CompareInts:
		return m.compare(o)
	case op.ZExt, op.Trunc, op.SExt, op.Xor, op.And, op.Or:
		return m.truth(o)
	}
	for slot := range m.held {
		if overwrites(slot) {
			delete(m.held, slot)
		}
	}
	for slot := range m.truths {
		if overwrites(slot) {
			delete(m.truths, slot)
		}
	}
	if o.Code == op.Call {
		if size, allocates := m.fn.allocation(o); allocates {
			return result{place: place{object: o.Node.(value.Value), size: size, offset: ranges.Exactly(0)}}
		}
	}
	if o.Code == op.Store && o.Type.Class == op.Pointer {
		slot, to := m.slotOf(o.Args[0]), m.of(o.Args[1]).place
		if _, still := m.held[slot]; slot != nil && to.known() && !still {
			if m.held == nil {
				m.held = pointers{}
			}
			m.held[slot] = to
		}
	}
	if x := m.of(storedBy(o)); x.counts {
		if slot := m.slotOf(o.Args[0]); m.fn.isPrivate(slot) {
			if m.truths == nil {
				m.truths = map[value.Value]result{}
			}
			m.truths[slot] = x
		}
	}
	return result{}
}

// storedBy is what a store writes; nothing of other operations.
func storedBy(o *op.Op) op.Operand {
	if o.Code == op.Store {
		return o.Args[1]
	}
	return op.Operand{Kind: op.Unknown}
}

// slotOf is the variable whose own address an operand is.
func (m *machine) slotOf(a op.Operand) value.Value {
	p := m.of(a).place
	if p.object == nil || p.offset != ranges.Exactly(0) {
		return nil
	}
	switch p.object.(type) {
	case *llir.InstAlloca, *llir.Global:
		return p.object
	}
	return nil
}

// of is what is known of an operand.
func (m *machine) of(a op.Operand) result {
	switch a.Kind {
	case op.Number:
		if a.Type.Class == op.Pointer {
			return result{place: place{null: true, offset: ranges.Exactly(a.X)}}
		}
		return result{number: a.X, counts: a.Type.Class == op.Int}
	case op.Symbol:
		if g, ok := a.Of.(*llir.Global); ok {
			return result{place: place{object: g, size: sizeOfGlobal(g), offset: ranges.Exactly(a.X)}}
		}
	case op.Item:
		if k := int(a.X) - m.first; k >= 0 && k < len(m.items) {
			return m.items[k]
		}
		return m.before(int(a.X))
	case op.Scratch:
		if k := int(a.X); k < len(m.scratch) {
			return m.scratch[k]
		}
	}
	return result{}
}

// before is what an item of another block gave, as far as that is the same each time.
func (m *machine) before(item int) result {
	switch o := &m.fn.ops.Ops[item]; o.Code {
	case op.Alloca, op.BitCast, op.Address:
		return m.run(o, nil)
	}
	return result{}
}

// sizeOfGlobal is how many bytes a variable has that this module defines.
func sizeOfGlobal(g *llir.Global) int64 {
	if g.Init == nil {
		return 0
	}
	return op.TypeOf(g.ContentType).Size()
}

// address is the place that an address is computed to be.
func (m *machine) address(o *op.Op) place {
	p := m.of(o.Args[0]).place
	if !p.known() {
		return place{}
	}
	p = p.moved(ranges.Exactly(o.Offset))
	for k, scale := range o.Scales {
		if scale == 0 {
			continue
		}
		index, ok := m.interval(o.Args[k+1])
		if !ok || index.IsEmpty() {
			return place{}
		}
		p = p.moved(ranges.Apply(op.Mul, index, ranges.Exactly(scale), 64, true))
	}
	return p
}

func (m *machine) interval(a op.Operand) (ranges.Interval, bool) {
	switch {
	case m.numbers != nil:
		return m.numbers(a)
	case m.s != nil:
		return m.s.interval(a)
	}
	return m.fn.interval(a)
}

// compare is the truth of a comparison with null or of known numbers.
func (m *machine) compare(o *op.Op) result {
	a, b := m.of(o.Args[0]), m.of(o.Args[1])
	if a.counts && b.counts {
		if t := ranges.Compare(o.Pred, ranges.Exactly(a.number), ranges.Exactly(b.number), max(o.Args[0].Type.Width(), 1)); t.IsOne() {
			return result{number: t.Lo, counts: true}
		}
		return result{}
	}
	p, q := a.place, b.place
	switch {
	case !p.known() || !q.known():
		return result{}
	case p.null && q.null:
		if t := ranges.Compare(o.Pred, p.offset, q.offset, 64); t.IsOne() {
			return result{number: t.Lo, counts: true}
		}
		return result{}
	case o.Pred != enum.IPredEQ && o.Pred != enum.IPredNE, isAllocated(p), isAllocated(q): // which may have failed
		return result{}
	case p.isNull() && q.object != nil, q.isNull() && p.object != nil:
		return truthOf(o.Pred == enum.IPredNE)
	}
	return result{}
}
func isAllocated(p place) bool { _, is := p.object.(*llir.InstCall); return is }

func truthOf(holds bool) result {
	if holds {
		return result{number: 1, counts: true}
	}
	return result{counts: true}
}

// truth is what becomes of known numbers.
func (m *machine) truth(o *op.Op) result {
	a := m.of(o.Args[0])
	if !a.counts || o.Type.Width() == 0 {
		return result{}
	}
	if o.Code.IsConversion() {
		to := ranges.Convert(o.Code, ranges.Exactly(a.number), o.Args[0].Type.Width(), o.Type.Width())
		return result{number: to.Lo, counts: to.IsOne()}
	}
	b := m.of(o.Args[1])
	if !b.counts {
		return result{}
	}
	x, ok := o.Code.Ints(a.number, b.number, o.Type.Width())
	return result{number: x, counts: ok}
}
