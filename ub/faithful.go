package ub

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/mutant"
)

// Faithful gives the verdicts that the three analyses of Ebrahimipour (2016) give, as they
// are published, to compare with: null guard analysis ("NGA"), malloc pointer analysis
// ("MPA") and sign value analysis ("SVA"). They look at the operators that the thesis
// names, and at nothing but the place of a change; what they say need not be so. All their
// verdicts are Potential, since the thesis knows no grades. For the rest as Of.
//
// Variables stand for the registers that the thesis' form of the code has in their place:
// of those whose address is taken, and of globals, nothing is known.
func (j *Judge) Faithful(f *llir.Func, mutants []mutant.Mutant) []Verdict {
	fn := newFunction(&j.known, f)
	t := thesis{fn: fn, guards: fn.printedGuards(), forbidden: fn.forbiddenSteps()}
	out := make([]Verdict, len(mutants))
	for i := range mutants {
		s := fn.stretch(&mutants[i])
		if s == nil {
			continue
		}
		for _, a := range []func(*stretch) Verdict{t.nullGuard, t.mallocPointer, t.signValue} {
			out[i] = out[i].Worse(a(s))
		}
	}
	return out
}

// thesis is what the three analyses know of a function.
type thesis struct {
	fn     *function
	guards map[int]guardedEdge
	// forbidden are the steps that a pointer must not make, by the item that loads it.
	forbidden map[int]steps
}

// steps is a set of operators on a pointer; the lattice of figure 4.5 is that of its subsets.
type steps uint8

const (
	increments steps = 1 << iota
	decrements
)

func report(analysis string, c Category, reason string, line int) Verdict {
	return Verdict{Grade: Potential, Category: c, Analysis: analysis, Reason: reason, Line: line}
}

// mallocPointer (section 4.3): the mutants of UOI that move a pointer to the start of a block
// out of it where it is dereferenced. Whether ++ and -- come before or after the use, the
// thesis does not tell apart.
func (t *thesis) mallocPointer(s *stretch) Verdict {
	e, ok := s.mutant.Edit.(mutant.Rewrite)
	if !ok || e.Emit == nil {
		return Verdict{}
	}
	item, _ := t.fn.code.Number(e.Replaced())
	switch never := t.forbidden[item]; s.mutant.Replacer {
	case "PLEFTINC", "PRIGHTINC":
		if never&increments != 0 {
			return report("MPA", OutOfBounds, "increments a pointer to a block of one element", s.mutant.Line)
		}
	case "PLEFTDEC", "PRIGHTDEC":
		if never&decrements != 0 {
			return report("MPA", OutOfBounds, "decrements a pointer to the start of a block", s.mutant.Line)
		}
	}
	return Verdict{}
}

// forbiddenSteps is algorithms 5 to 7: for each item that loads a pointer which is
// dereferenced, the steps that leave its block. A pointer without an entry is not reached
// by any allocation (top of the lattice), one with an empty set is unknown (bottom).
func (fn *function) forbiddenSteps() map[int]steps {
	in := solve(fn.graph, func(block int, facts map[value.Value]steps, _ int) map[value.Value]steps {
		out := make(map[value.Value]steps, len(facts))
		for slot, s := range facts {
			out[slot] = s
		}
		fn.allocateIn(block, out, nil)
		return out
	}, func(before, further map[value.Value]steps) (changed bool) {
		for slot, s := range further {
			now, known := before[slot]
			if known {
				s &= now
			}
			if !known || s != now {
				before[slot], changed = s, true
			}
		}
		return changed
	})
	out := map[int]steps{}
	for block, facts := range in {
		if facts != nil {
			fn.allocateIn(block, facts, out)
		}
	}
	return out
}

// allocateIn makes facts those at the end of a block, and notes what they say of the
// pointers that are dereferenced in it.
func (fn *function) allocateIn(block int, facts map[value.Value]steps, at map[int]steps) {
	for item := fn.code.First[block]; item < fn.code.First[block+1]; item++ {
		if load := fn.loadOfDereferenced(item); load >= 0 && at != nil {
			if s := facts[fn.slotOf(fn.ops.Ops[load].Args[0])]; s != 0 {
				at[load] |= s
			}
		}
		for slot := range facts {
			if fn.overwrites(item, slot) {
				facts[slot] = 0
			}
		}
		o := &fn.ops.Ops[item]
		if o.Code != op.Store || o.Type.Class != op.Pointer {
			continue
		}
		if slot := fn.slotOf(o.Args[0]); slot != nil && fn.isPrivate(slot) {
			facts[slot] = fn.stepsOf(slot, o.Args[1])
		}
	}
}

// stepsOf are the steps that leave the block that a call allocates, if an address is that
// (algorithm 6).
func (fn *function) stepsOf(slot value.Value, a op.Operand) steps {
	for a.Kind == op.Item {
		o := &fn.ops.Ops[a.X]
		if o.Code == op.BitCast {
			a = o.Args[0]
			continue
		}
		if o.Code != op.Call || !allocatesByName(o) {
			return 0
		}
		switch bytes, one := sizeOf(o), pointeeSize(slot); {
		case bytes == one && one > 0:
			return increments | decrements
		case bytes > one && one > 0:
			return decrements
		}
		return 0
	}
	return 0
}

// loadOfDereferenced is the item that loads the pointer which an item reads or writes
// through; -1 for none.
func (fn *function) loadOfDereferenced(item int) int {
	if slot, load := fn.dereferencedAt(item); slot != nil && fn.isPrivate(slot) {
		return load
	}
	return -1
}

// signValue (section 4.4): values used as a subscript or as the width of a shift that become
// negative, and divisors that become zero. Only CRCR and ABS change values so, and only the
// outermost expression counts: what the change replaces has to be the operand itself.
func (t *thesis) signValue(s *stretch) Verdict {
	e, ok := s.mutant.Edit.(mutant.Rewrite)
	if !ok || e.Emit == nil || len(s.ops.Ops) == 0 {
		return Verdict{}
	}
	item, _ := t.fn.code.Number(e.Replaced())
	line := s.mutant.Line
	switch s.mutant.Matcher {
	case "C":
		// The same operation with another constant.
		for k, was := range s.was {
			if was >= 0 {
				break
			}
			if o := &s.ops.Ops[k]; o.Code == t.fn.ops.Ops[item].Code {
				return wrongConstant(o, line)
			}
		}
	case "@":
		if s.mutant.Rule == negatedAbsolute {
			return t.negated(item, line)
		}
	}
	return Verdict{}
}

// negatedAbsolute is the rule of ABS that makes values negative.
const negatedAbsolute = "@!NEGABS$@$"

// wrongConstant is the verdict on an operation that got another constant.
func wrongConstant(o *op.Op, line int) Verdict {
	last := o.Args[len(o.Args)-1]
	switch {
	case o.Code == op.Address && o.Offset < 0:
		return report("SVA", OutOfBounds, "has a negative subscript", line)
	case isShift(o.Code) && last.IsNumber() && last.X < 0:
		return report("SVA", ShiftTooFar, "shifts by a negative number", line)
	case isDivision(o.Code) && last.IsNumber() && last.X == 0:
		return report("SVA", DivisionByZero, "divides by 0", line)
	}
	return Verdict{}
}

// negated is the verdict on -abs() around what an item gives: what uses it, conversions
// aside.
func (t *thesis) negated(item, line int) Verdict {
	for _, user := range t.fn.code.Users[item] {
		o := &t.fn.ops.Ops[user]
		isLast := len(o.Args) > 1 && o.Args[len(o.Args)-1].Kind == op.Item && int(o.Args[len(o.Args)-1].X) == item
		switch {
		case o.Code == op.SExt, o.Code == op.ZExt, o.Code == op.Trunc:
			if v := t.negated(user, line); v.Grade != Unproven {
				return v
			}
		case o.Code == op.Address && isLast:
			return report("SVA", OutOfBounds, "has a negative subscript", line)
		case isShift(o.Code) && isLast:
			return report("SVA", ShiftTooFar, "shifts by a negative number", line)
		}
	}
	return Verdict{}
}

func isShift(c op.Code) bool    { return c == op.Shl || c == op.LShr || c == op.AShr }
func isDivision(c op.Code) bool { return c >= op.SDiv && c <= op.URem }
