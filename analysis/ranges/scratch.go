package ranges

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"
)

// Scratch is code that takes the place of a stretch of a block, with its ranges.
type Scratch struct {
	f      *Facts
	insts  []llir.Instruction
	local  map[value.Value]int
	ops    []op
	values []Interval
}

// Instead finds the ranges of instructions that are run in the place of item at,
// of those that may use the function's values.
func (f *Facts) Instead(at int, insts []llir.Instruction) *Scratch {
	s := &Scratch{f: f, insts: insts, ops: make([]op, len(insts)), values: make([]Interval, len(insts))}
	if len(insts) == 0 {
		return s
	}
	items := len(f.code.Items)
	s.local = make(map[value.Value]int, len(insts))
	m := f.before(at)
	m.extra = s.values
	for k, inst := range insts {
		o := f.compile(inst, s.local)
		if o.width > 0 {
			s.values[k] = m.eval(&o)
		}
		switch {
		case !f.Reachable(f.code.Items[at].Block):
			s.values[k] = Empty
		case o.code == storeOp:
			m.write(items+k, &o)
		default:
			if writesMemory(inst) { // anything
				for c := range m.cells {
					m.cells[c] = Full(f.cells[c].width)
				}
			}
		}
		if v, ok := inst.(value.Value); ok {
			s.local[v] = items + k
		}
		s.ops[k] = o
	}
	return s
}

func writesMemory(inst llir.Instruction) bool {
	switch inst.(type) {
	case *llir.InstStore, *llir.InstCall, *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstVAArg:
		return true
	}
	return false
}

// Value is what a result of the scratch code can be, or a value of the function.
func (s *Scratch) Value(v value.Value) (Interval, bool) {
	if k, ok := s.local[v]; ok {
		return s.values[k-len(s.f.code.Items)], s.ops[k-len(s.f.code.Items)].width > 0
	}
	return s.f.Value(v)
}

// before is a machine with the state before an item. The values of the function
// are left alone.
func (f *Facts) before(at int) *machine {
	if f.ready == nil {
		f.ready = newMachine(f)
		f.ready.settled = true
	}
	m, block := f.ready, f.code.Items[at].Block
	m.block = block
	copy(m.cells, f.in[block])
	if f.in[block] != nil {
		for i := f.code.First[block]; i < at; i++ {
			m.write(i, &f.ops[i])
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
	case !f.Reachable(f.code.Items[at].Block):
		return Empty, true
	}
	return f.before(at).cells[k], true
}
