package ub

import (
	"fmt"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// values finds divisions by zero, shifts by too much and accesses out of bounds in what a
// mutant runs of its block: Definite where no value that the operands can have is in
// order, Potential where all those of the original are and some of the mutant's are not.
func values(s *stretch) Verdict {
	held := s.fn.blocks[s.block]
	m, original := newMachine(s.fn, s, held), newMachine(s.fn, nil, held)
	m.original(s.block, s.at, nil)
	// The places that the original's accesses go to, by item.
	was := map[int]place{}
	original.original(s.block, s.fn.code.First[s.block+1], func(item int, o *op.Op) {
		if o.Code == op.Load || o.Code == op.Store {
			was[item] = original.of(o.Args[0]).place
		}
	})
	// certain says that control comes here whenever it comes to the mutant.
	v, certain := Verdict{}, true
	m.mutated(func(k int, o *op.Op) {
		found := s.check(m, was, k, o)
		if found.Grade == Definite && !certain {
			found.Grade = Potential
		}
		v = v.Worse(found)
		certain = certain && !mayStop(o)
	})
	return v
}

// check looks at one operation of the stretch.
func (s *stretch) check(m *machine, was map[int]place, k int, o *op.Op) Verdict {
	item := -1 // what it is a copy of
	if k < len(s.was) {
		item = s.was[k]
	}
	switch o.Code {
	case op.SDiv, op.UDiv, op.SRem, op.URem:
		return s.operand(k, o, item, DivisionByZero, func(i ranges.Interval) (always, possibly bool) {
			return i == ranges.Exactly(0), i.Has(0)
		})
	case op.Shl, op.LShr, op.AShr:
		right := ranges.Interval{Lo: 0, Hi: int64(o.Type.Width()) - 1}
		return s.operand(k, o, item, ShiftTooFar, func(i ranges.Interval) (always, possibly bool) {
			return i.Meet(right).IsEmpty(), !i.Within(right)
		})
	case op.Load, op.Store:
		return s.access(m, was, k, o, item)
	}
	return Verdict{}
}

// operand looks at the second operand of an operation that some numbers are wrong for.
func (s *stretch) operand(k int, o *op.Op, item int, c Category, wrong func(ranges.Interval) (always, possibly bool)) Verdict {
	now, ok := s.interval(o.Args[1])
	if !ok || now.IsEmpty() || o.Type.Width() == 0 {
		return Verdict{}
	}
	always, possibly := wrong(now)
	grade := Unproven
	switch {
	case item >= 0 && s.unchanged(k, item):
		return Verdict{}
	case always:
		grade = Definite
	case item >= 0 && possibly:
		if before, ok := s.interval(s.fn.ops.Ops[item].Args[1]); ok {
			if _, was := wrong(before); !was {
				grade = Potential
			}
		}
	}
	if grade == Unproven {
		return Verdict{}
	}
	reason := "divides by "
	if c == ShiftTooFar {
		reason = fmt.Sprintf("shifts %d bits by ", o.Type.Width())
	}
	return Verdict{Grade: grade, Category: c, Analysis: "values", Reason: reason + shown(now), Line: s.lineOf(k)}
}

// unchanged reports a copy whose operands can be what the original's can be, and are so
// wrong already in the original.
func (s *stretch) unchanged(k, item int) bool {
	now, ok := s.interval(s.ops.Ops[k].Args[1])
	before, known := s.interval(s.fn.ops.Ops[item].Args[1])
	return ok && known && now == before
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
