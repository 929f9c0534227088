package execute

import (
	"fmt"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Differ is the condition under which two versions of a region, begun in the same state,
// come to something that can be told apart: one dies where the other does not, they show
// other things, go to other places, or leave other states there. Live are the variables
// that matter at each cut.
func (f *Function) Differ(one, other []Outcome, live map[int][]bool) *term.Term {
	p := f.Pool
	diedOne, shownOne := f.end(one)
	diedOther, shownOther := f.end(other)
	alive := p.And(p.Not(diedOne), p.Not(diedOther))
	out := p.Xor(diedOne, diedOther)
	out = p.Or(out, p.And(p.And(diedOne, diedOther), p.Differs(shownOne, shownOther)))
	for _, a := range one {
		same := false
		for _, b := range other {
			if a.Kind != b.Kind || a.Block != b.Block {
				continue
			}
			same = true
			apart := p.Not(b.When)
			if both := p.And(a.When, b.When); !both.IsFalse() {
				apart = p.Or(apart, f.outcomesDiffer(&a, &b, live))
			}
			out = p.Or(out, p.And(alive, p.And(a.When, apart)))
		}
		if !same {
			out = p.Or(out, p.And(alive, a.When))
		}
	}
	return out
}

// Assumed is that what is taken for granted of a version holds on its way to the end of a region.
func (f *Function) Assumed(of []Outcome) *term.Term {
	out := of[0].State.Assumed
	for _, o := range of[1:] {
		out = f.Pool.Ite(o.When, o.State.Assumed, out)
	}
	return out
}

// end merges whether the program has died at the end of a region, and what it had shown.
func (f *Function) end(of []Outcome) (died, shown *term.Term) {
	died, shown = of[0].State.Trapped, of[0].State.Trace
	for _, o := range of[1:] {
		died, shown = f.Pool.Ite(o.When, o.State.Trapped, died), f.Pool.Ite(o.When, o.State.Trace, shown)
	}
	return died, shown
}

// outcomesDiffer compares what two versions leave that leave a region in one way.
func (f *Function) outcomesDiffer(a, b *Outcome, live map[int][]bool) *term.Term {
	p := f.Pool
	out := p.Differs(a.State.Trace, b.State.Trace)
	switch a.Kind {
	case Returns:
		if a.Value != nil && b.Value != nil {
			out = p.Or(out, p.Ne(f.seen(a.Value), f.seen(b.Value)))
		}
		return p.Or(out, f.leftDiffers(a.State.Memory, b.State.Memory))
	case Ends:
		return out // who ended the program has seen the memory
	}
	out = p.Or(out, p.Differs(a.State.Memory, b.State.Memory))
	for k := range f.locals {
		x, y := a.State.Locals[k], b.State.Locals[k]
		switch {
		case !live[a.Block][k] || x == y:
		case f.locals[k].place == asScalar:
			out = p.Or(out, p.Ne(x, y))
		case f.locals[k].place == asObject:
			at := p.Var(fmt.Sprintf("offset where %d and %d differ", x.ID, y.ID), 64)
			inside := p.Ult(at, p.Number(uint64(f.locals[k].bytes), 64))
			out = p.Or(out, p.And(inside, p.Ne(p.Load(x, at, 1), p.Load(y, at, 1))))
		}
	}
	return out
}

// seen is what is seen of the value that is returned.
func (f *Function) seen(v *term.Term) *term.Term {
	if f.last && v.Width > 8 {
		return f.Pool.Extract(v, 0, 8)
	}
	return v
}

// leftDiffers compares the memory that outlives the function: all but its own variables.
func (f *Function) leftDiffers(x, y *term.Term) *term.Term {
	p := f.Pool
	x, y = f.withoutLocals(x), f.withoutLocals(y)
	if x == y || f.last {
		return p.Truth(false)
	}
	at := p.Var(fmt.Sprintf("where %d and %d differ behind the function", x.ID, y.ID), 64)
	out := p.Ne(p.Load(x, at, 1), p.Load(y, at, 1))
	for _, l := range f.locals {
		if l.place == inMemory {
			offset := p.Sub(at, f.base(l.item))
			out = p.And(out, p.Not(p.Ult(offset, p.Number(uint64(l.bytes), 64))))
		}
	}
	return out
}

// withoutLocals leaves out the last stores to the function's own variables.
func (f *Function) withoutLocals(m *term.Term) *term.Term {
	for m.Op == term.Store {
		if of := f.Pool.ObjectOf(m.Args[1]); of == nil || of.Name[0] != '&' {
			return m
		}
		m = m.Args[0]
	}
	return m
}
