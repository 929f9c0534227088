package ub

import (
	"fmt"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/mutant"
)

// values finds divisions by zero, shifts by too much and accesses out of bounds in what a
// mutant runs of its block: Definite where no value that the operands can have is in
// order, Potential where all those of the original are and some of the mutant's are not.
func values(s *stretch) Verdict {
	m, was := s.run(), s.fn.accesses(s.block)
	// certain says that control comes here whenever it comes to the mutant.
	v, certain := Verdict{}, true
	for k := range min(len(m.scratch)+1, len(s.ops.Ops)) { // a call that ends the program is run no more, and checked
		o := &s.ops.Ops[k]
		found := s.check(m, was, k, o)
		if found.Grade == Definite && !certain {
			found.Grade = Potential
		}
		v = v.Worse(found)
		certain = certain && !s.mayStop(o)
	}
	return v
}

// accesses are the places that a block's own accesses go to, by item; a call that hands null to
// what uses it goes to null.
func (fn *function) accesses(block int) map[int]place {
	if fn.places[block] == nil {
		was, m := map[int]place{}, newMachine(fn, nil, fn.blocks[block])
		m.original(block, fn.code.First[block+1], func(item int, o *op.Op) {
			switch o.Code {
			case op.Load, op.Store:
				was[item] = m.of(o.Args[0]).place
			case op.Call:
				if fn.usesNull(m, o) {
					was[item] = place{null: true}
				}
			}
		})
		fn.places[block] = was
	}
	return fn.places[block]
}

// check looks at one operation of the stretch.
func (s *stretch) check(m *machine, was map[int]place, k int, o *op.Op) Verdict {
	item := -1 // what it is a copy of
	if k < len(s.was) {
		item = s.was[k]
	}
	switch o.Code {
	case op.Load, op.Store:
		return s.access(m, was, k, o, item)
	case op.Call:
		if s.fn.usesNull(m, o) && !(item >= 0 && was[item].null) {
			return Verdict{Grade: Definite, Category: NullDereference, Analysis: "values", Line: s.lineOf(k),
				Reason: "hands null to " + o.Callee.Name() + ", which uses it"}
		}
	}
	if o.Type.Class != op.Int || !isArithmetic(o.Code) || item < 0 && isSum(o.Code) && !s.isSigned() {
		return Verdict{}
	}
	if item >= 0 && isSum(o.Code) && o.Flags&op.NoSignedWrap == 0 {
		return Verdict{}
	}
	now := outcomeOf(o, s.interval)
	if now == unharmed {
		return Verdict{}
	}
	var before outcome
	if item >= 0 {
		original := &s.fn.ops.Ops[item]
		if sameOperands(o, original, s.interval) {
			return Verdict{}
		}
		before = outcomeOf(original, s.interval)
	} else if replaced := s.replaced(); replaced != nil && isArithmetic(replaced.Code) {
		before = outcomeOf(replaced, s.interval)
	}
	return verdictOf(o, now, before, item >= 0, s.interval, s.lineOf(k))
}

// isSigned reports that the mutant computes with signed numbers of at least the width of int in
// the place of an operation that does.
func (s *stretch) isSigned() bool {
	o := s.replaced()
	return o != nil && (o.Flags&op.NoSignedWrap != 0 || o.Code == op.SDiv || o.Code == op.SRem)
}

// replaced is the operation of the original whose result the mutant's takes the place of; nil
// where there is none.
func (s *stretch) replaced() *op.Op {
	if e, ok := s.mutant.Edit.(mutant.Rewrite); ok {
		if item, ok := s.fn.code.Number(e.Replaced()); ok {
			return &s.fn.ops.Ops[item]
		}
	}
	return nil
}

// shown is an interval in words.
func shown(i ranges.Interval) string {
	if i.IsOne() {
		return fmt.Sprint(i.Lo)
	}
	return fmt.Sprintf("%d to %d", i.Lo, i.Hi)
}

// access looks at where memory is read or written.
func (s *stretch) access(m *machine, was map[int]place, k int, o *op.Op, item int) Verdict {
	now := m.of(o.Args[0]).place
	if !now.known() {
		return Verdict{}
	}
	var before place
	if item >= 0 {
		before = was[item]
		if before == now {
			return Verdict{}
		}
	}
	v := Verdict{Analysis: "values", Line: s.lineOf(k), Category: OutOfBounds}
	if now.null {
		if before.null {
			return Verdict{}
		}
		v.Grade, v.Category, v.Reason = Definite, NullDereference, verb(o)+" through null"
		return v
	}
	if isAllocated(now) {
		v.Analysis = "allocation"
	}
	always, possibly := now.outside(o.Type.Size())
	_, wasPossible := before.outside(o.Type.Size())
	switch {
	case always:
		v.Grade = Definite
	case possibly && before.object == now.object && !wasPossible:
		v.Grade = Potential
	default:
		return Verdict{}
	}
	v.Reason = verb(o) + " " + s.where(now)
	if v.Grade == Potential {
		v.Reason = "may use memory outside of " + s.shownObject(now)
	}
	return v
}

func verb(o *op.Op) string {
	if o.Code == op.Store {
		return "writes"
	}
	return "reads"
}

// where says where an access is that is outside of its object.
func (s *stretch) where(p place) string {
	switch {
	case p.offset.Hi < 0:
		return "before the start of " + s.shownObject(p)
	case p.offset.IsOne():
		return fmt.Sprintf("at byte %d of %s", p.offset.Lo, s.shownObject(p))
	}
	return "behind the end of " + s.shownObject(p)
}

func (s *stretch) shownObject(p place) string {
	name := "a block of memory"
	if !isAllocated(p) {
		name = s.fn.name(p.object)
	}
	if p.size > 0 {
		return fmt.Sprintf("%s, which has %d bytes", name, p.size)
	}
	return name
}
