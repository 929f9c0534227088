package ub

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// stretch is a mutant's block from its change on: the code that takes the place of the
// original's, then what follows it, with the mutated values in it.
type stretch struct {
	fn     *function
	mutant *mutant.Mutant
	block  int
	at     int // the item that the stretch starts in the place of
	insts  []llir.Instruction
	// was are the items that the instructions are copies of; -1 for the mutant's own.
	was    []int
	ops    *op.Replacement
	ranges *ranges.Scratch
	ran    *machine // see run
}

// stretch lays a mutant's stretch out; nil where control cannot come to it.
func (fn *function) stretch(m *mutant.Mutant) *stretch {
	s := &stretch{fn: fn, mutant: m}
	code := &mutant.Code{Prefix: "ub"}
	var term llir.Terminator
	switch e := m.Edit.(type) {
	case mutant.Redirect:
		item, ok := fn.code.Number(e.Term)
		if !ok || e.Emit == nil {
			return nil
		}
		s.start(item)
		term = e.Emit(code)
		s.add(code.Insts)
	case mutant.Rewrite:
		item, ok := fn.code.Number(e.Insts[0])
		if !ok {
			return nil
		}
		s.start(item)
		instead := map[value.Value]value.Value{}
		if e.Emit != nil {
			result := e.Emit(code)
			if old, is := e.Replaced().(value.Value); is && result != nil {
				instead[old] = result
			}
		}
		s.add(code.Insts)
		term = s.follow(item+len(e.Insts), instead)
	}
	if !fn.ranges.Reachable(s.block) {
		return nil
	}
	s.ops = fn.ops.Instead(s.insts, term)
	s.ranges = fn.ranges.Instead(s.at, s.ops)
	return s
}

// run is the block of the stretch with the mutant in it, run with what its variables hold in any
// case.
func (s *stretch) run() *machine {
	if s.ran == nil {
		s.ran = s.fn.until(s.block, s.at).fork(s)
		s.ran.mutated()
	}
	return s.ran
}

func (s *stretch) start(item int) { s.at, s.block = item, s.fn.code.Items[item].Block }

// add takes the mutant's own code.
func (s *stretch) add(insts []llir.Instruction) {
	for _, inst := range insts {
		s.insts, s.was = append(s.insts, inst), append(s.was, -1)
	}
}

// horizon is how many instructions of a block are looked at from a mutant on: unrolled ciphers have
// blocks of ten thousand, and as many mutants in each.
const horizon = 256

// follow takes the rest of the block with other values in the place of some, in copies of what uses
// them, and returns its end; nil where that is behind the horizon.
func (s *stretch) follow(from int, instead map[value.Value]value.Value) llir.Terminator {
	last := s.fn.code.Terminator(s.block)
	for item := from; item < last; item++ {
		inst := s.fn.code.Items[item].Inst
		if ir.IsDebug(inst) {
			continue
		}
		if len(s.insts) >= horizon {
			return nil
		}
		if allocates(inst) || uses(inst.(value.User), instead) {
			twin := mutant.CopyOf(inst)
			substitute(twin.(value.User), instead)
			if old, is := inst.(value.Value); is {
				instead[old] = twin.(value.Value)
			}
			inst = twin
		}
		s.insts, s.was = append(s.insts, inst), append(s.was, item)
	}
	if branch, ok := s.fn.code.Items[last].Term.(*llir.TermCondBr); ok && uses(branch, instead) {
		twin := *branch
		twin.Successors = nil
		substitute(&twin, instead)
		return &twin
	}
	return s.fn.code.Items[last].Term
}

// allocates reports what can make an object, which in the mutant is another than in the original.
func allocates(inst llir.Instruction) bool {
	switch inst.(type) {
	case *llir.InstAlloca, *llir.InstCall:
		return true
	}
	return false
}

// uses reports whether other values are to be put in the place of some operands.
func uses(user value.User, instead map[value.Value]value.Value) bool {
	if len(instead) == 0 {
		return false
	}
	return slices.ContainsFunc(user.Operands(), func(slot *value.Value) bool {
		if arg, ok := (*slot).(*llir.Arg); ok {
			return instead[arg.Value] != nil
		}
		return instead[*slot] != nil
	})
}

// substitute puts other values in the place of some operands.
func substitute(user value.User, instead map[value.Value]value.Value) {
	for _, slot := range user.Operands() {
		if arg, ok := (*slot).(*llir.Arg); ok {
			if v := instead[arg.Value]; v != nil {
				arg.Value = v
			}
			continue
		}
		if v := instead[*slot]; v != nil {
			*slot = v
		}
	}
}

// interval is what an integer operand can be; the second result is false where that is
// not known.
func (s *stretch) interval(a op.Operand) (ranges.Interval, bool) {
	if a.Kind == op.Scratch {
		return s.ranges.Value(s.insts[a.X].(value.Value))
	}
	return s.fn.interval(a)
}

// mayStop reports what control may not come back from: a call of what is not known to
// return.
func (s *stretch) mayStop(o *op.Op) bool {
	if o.Code != op.Call || s.fn.summaries.ask(o).returns {
		return false
	}
	return o.Library == nil || o.Library.Has(libc.Ends) || o.Library.Arguments == "" && len(o.Args) > 1
}

// lineOf is where an instruction of the stretch stands; the mutant's line where that is
// not known.
func (s *stretch) lineOf(k int) int {
	if p := ir.PositionOf(s.insts[k]); p.Known() {
		return p.Line
	}
	return s.mutant.Line
}
