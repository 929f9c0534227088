package ranges

import (
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// Scratch is code that takes the place of a stretch of a block, with its ranges.
type Scratch struct {
	f      *Facts
	code   *op.Replacement
	ops    []item
	values []Interval
}

// Instead finds the ranges of code that is run in the place of item at.
func (f *Facts) Instead(at int, code *op.Replacement) *Scratch {
	s := &Scratch{f: f, code: code, ops: make([]item, len(code.Ops)), values: make([]Interval, len(code.Ops))}
	if len(code.Ops) == 0 {
		return s
	}
	m := f.before(at)
	for k := range code.Ops {
		s.ops[k] = f.compile(&code.Ops[k], code)
	}
	s.run(m, f.Reachable(f.code.Code.Items[at].Block))
	return s
}

// run carries the state of a machine through the code.
func (s *Scratch) run(m *machine, reachable bool) {
	m.extra, m.instead = s.values, s.ops
	for k := range s.ops {
		o := &s.ops[k]
		if o.width > 0 {
			s.values[k] = m.eval(o)
		}
		switch {
		case !reachable:
			s.values[k] = Empty
		case o.stores():
			m.write(len(s.f.items)+k, o)
		case o.Writes(): // anything
			for c := range m.cells {
				m.cells[c] = Full(s.f.cells[c].width)
			}
		}
	}
}

// Value is what a result of the scratch code can be, or a value of the function.
func (s *Scratch) Value(v value.Value) (Interval, bool) { return s.can(s.code.Operand(v)) }

func (s *Scratch) can(a op.Operand) (Interval, bool) {
	if a.Kind == op.Scratch {
		return s.values[a.X], s.ops[a.X].width > 0
	}
	return s.f.can(a)
}

// before is a machine with the state before an item. The values of the function
// are left alone.
func (f *Facts) before(at int) *machine {
	if f.ready == nil {
		f.ready = newMachine(f)
		f.ready.settled = true
	}
	m, block := f.ready, f.code.Code.Items[at].Block
	m.block = block
	copy(m.cells, f.in[block])
	clear(m.written)
	if f.in[block] != nil {
		for i := f.code.Code.First[block]; i < at; i++ {
			m.write(i, &f.items[i])
		}
	}
	return m
}

// HeldBefore is what a variable can hold before an item, and an array's elements;
// false for variables that are not followed.
func (f *Facts) HeldBefore(at int, variable value.Value) (Interval, bool) {
	k, ok := f.cellOf[variable]
	switch {
	case !ok:
		return Interval{}, false
	case !f.Reachable(f.code.Code.Items[at].Block):
		return Empty, true
	}
	return f.before(at).cells[k], true
}
