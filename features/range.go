package features

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// codeCompared bounds the instructions of both versions that are compared.
const codeCompared = 64

var valueRange = Family{
	Name: "range",
	Doc: "Which values the mutated expression can have, by loops, conditions, library functions and types (analysis/ranges), and what is left of the change then. " +
		"The old value is what the expression gives, the condition of a branch or what a statement stores, the new value what the mutant puts in its place; " +
		"bounds are missing where nothing but the type bounds the value, and where it is no integer.",
	Columns: []Column{
		{Name: "range_first_low", Unit: "signed log2", Source: "own", Doc: "least value of the first operand, or of a variable that is read, as sign(x) log2(1 + |x|)"},
		{Name: "range_first_high", Unit: "signed log2", Source: "own", Doc: "its greatest value"},
		{Name: "range_second_low", Unit: "signed log2", Source: "own", Doc: "least value of the second operand, or of what an assigned variable holds before"},
		{Name: "range_second_high", Unit: "signed log2", Source: "own", Doc: "its greatest value"},
		{Name: "range_old_low", Unit: "signed log2", Source: "own", Doc: "least old value"},
		{Name: "range_old_high", Unit: "signed log2", Source: "own", Doc: "greatest old value"},
		{Name: "range_new_low", Unit: "signed log2", Source: "own", Doc: "least new value"},
		{Name: "range_new_high", Unit: "signed log2", Source: "own", Doc: "greatest new value"},
		{Name: "range_negative", Source: "own", Doc: "an operand may be negative; missing without integers"},
		{Name: "range_zero", Source: "own", Doc: "the last operand may be zero; missing without integers"},
		{Name: "range_equal", Source: "own", Doc: "the two operands may be equal; missing without two integers"},
		{Name: "range_decided", Source: "own", Doc: "the old value is always the same"},
		{Name: "range_shows", Source: "own", Doc: "the mutant may change something: 0 where the ranges show that it computes the same, or that its code never runs"},
		{Name: "range_differ_share", Unit: "share", Source: "own", Doc: "share of the inputs on which the new value differs, of the 16 values nearest to zero that each of at most two inputs can have; missing for more"},
		{Name: "range_leaves", Source: "own", Doc: "the new value may lie outside of the range of the old one"},
		{Name: "range_overrun", Source: "own", Doc: "the new value may lie outside of the array that it is an index of, where the old one does not; missing for what is no index of an array of known size"},
	},
	Requires: []Requirement{changedRanges},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if r := changedRanges.of(m); r != nil {
			r.fill(row)
		}
	},
}

// ranged is a mutant's change with the ranges around it.
type ranged struct {
	fn       *function
	facts    *ranges.Facts
	at       int // the first replaced item
	edit     *edit
	instead  *ranges.Scratch
	compared *ranges.Comparison
	// old and new are nil where there is none. place is what a statement writes.
	old, new, place value.Value
	operands        []interval
}

// interval is what a value can be, and its width.
type interval struct {
	ranges.Interval
	full ranges.Interval
}

// changedRanges are a mutant's change with the ranges around it; nil where it is too
// long, or replaces nothing.
var changedRanges = &analysis[*mutation, *ranged]{
	name: "ranges of the change", requires: []Requirement{edited, valueRanges},
	find: func(m *mutation) *ranged {
		f, c := m.site.fn, edited.of(m)
		r := &ranged{fn: f, facts: valueRanges.of(f), edit: c}
		ok := false
		if c.term != nil {
			r.at, ok = f.code.First[m.site.block+1]-1, true
		} else if len(c.replaced) > 0 {
			r.at, ok = f.code.Number(c.replaced[0])
		}
		if !ok || len(c.replaced)+len(c.insts) > codeCompared {
			return nil
		}
		r.instead = r.facts.Instead(r.at, f.replacement(c))
		r.compared = r.facts.Compare(c.replaced, r.instead)
		r.findValues()
		r.findOperands()
		return r
	},
}

// findValues finds the old and the new value.
func (r *ranged) findValues() {
	c := r.edit
	switch {
	case c.term != nil:
		if old, ok := r.fn.code.Items[r.at].Term.(*llir.TermCondBr); ok {
			r.old = old.Cond
			if instead, ok := c.term.(*llir.TermCondBr); ok {
				r.new = instead.Cond
			}
		}
	case c.result != nil:
		r.old, _ = c.resultOf.(value.Value)
		r.new = c.result
	default:
		if old := lastStore(c.replaced); old != nil {
			r.old, r.place = old.Src, old.Dst
			if instead := lastStore(c.insts); instead != nil && instead.Dst == old.Dst {
				r.new = instead.Src
			}
		}
	}
}

func lastStore(insts []llir.Instruction) *llir.InstStore {
	for k := len(insts) - 1; k >= 0; k-- {
		if store, ok := insts[k].(*llir.InstStore); ok {
			return store
		}
	}
	return nil
}

// findOperands finds what the old value is computed from.
func (r *ranged) findOperands() {
	of := r.old
	if of == nil {
		return
	}
	if r.place != nil {
		r.add(r.valueOf(r.old))
		if held, ok := r.facts.HeldBefore(r.at, r.place); ok {
			r.add(interval{held, fullOf(r.old.Type())}, true)
		}
		return
	}
	switch inst := of.(type) {
	case *llir.InstICmp:
		r.add(r.valueOf(inst.X))
		r.add(r.valueOf(inst.Y))
	case *llir.InstLoad, *llir.InstCall, *llir.Param:
		r.add(r.valueOf(of))
	case llir.Instruction:
		if user, ok := of.(value.User); ok {
			for k, slot := range user.Operands() {
				if k < 2 {
					r.add(r.valueOf(*slot))
				}
			}
		}
	}
}

func (r *ranged) add(x interval, ok bool) {
	if ok {
		r.operands = append(r.operands, x)
	}
}

// valueOf is what a value of either version can be.
func (r *ranged) valueOf(v value.Value) (interval, bool) {
	if v == nil {
		return interval{}, false
	}
	x, ok := r.instead.Value(v)
	if !ok {
		return interval{}, false
	}
	return interval{x, fullOf(v.Type())}, true
}

func fullOf(t types.Type) ranges.Interval {
	if i, ok := t.(*types.IntType); ok && i.BitSize >= 1 && i.BitSize <= 64 {
		return ranges.Full(uint(i.BitSize))
	}
	return ranges.Full(64)
}

// fill writes the columns of the family.
func (r *ranged) fill(row []float64) {
	for k := range min(2, len(r.operands)) {
		r.operands[k].bounds(row[2*k:])
	}
	old, hasOld := r.valueOf(r.old)
	instead, hasNew := r.valueOf(r.new)
	if hasOld {
		old.bounds(row[4:])
		row[11] = truth(old.IsOne())
	}
	if hasNew {
		instead.bounds(row[6:])
	}
	r.fillFacts(row[8:])
	row[12] = truth(r.shows())
	if hasOld && hasNew {
		if x, ok := r.compared.Differ(r.old, r.new); ok {
			row[13] = x
		}
		row[14] = truth(!instead.Within(old.Interval))
		if size, ok := r.indexes(); ok {
			row[15] = truth(old.Within(size) && !instead.Within(size))
		}
	}
}

func (r *ranged) fillFacts(row []float64) {
	if len(r.operands) == 0 {
		return
	}
	negative := false
	for _, x := range r.operands {
		negative = negative || x.Lo < 0
	}
	row[0] = truth(negative)
	row[1] = truth(r.operands[len(r.operands)-1].Has(0))
	if len(r.operands) > 1 {
		row[2] = truth(!r.operands[0].Meet(r.operands[1].Interval).IsEmpty())
	}
}

func (x interval) bounds(row []float64) {
	if x.IsEmpty() {
		return
	}
	if x.Lo > x.full.Lo {
		row[0] = magnitude(float64(x.Lo))
	}
	if x.Hi < x.full.Hi {
		row[1] = magnitude(float64(x.Hi))
	}
}

// shows is false when the ranges show that the mutant is the original.
func (r *ranged) shows() bool {
	if !r.facts.Reachable(r.fn.code.Items[r.at].Block) {
		return false
	}
	c := r.edit
	switch {
	case c.term != nil:
		return !r.compared.SameEffects() || !r.sameWay()
	case c.result != nil:
		return r.old == nil || !r.compared.SameEffects() || !r.compared.Same(r.old, r.new)
	case len(c.replaced) == 1 && len(c.insts) == 0 && len(r.operands) == 2:
		// A store of what the variable holds already.
		return !(r.operands[0].IsOne() && r.operands[0].Interval == r.operands[1].Interval)
	}
	return !r.compared.SameEffects()
}

// sameWay: both terminators go to the same block.
func (r *ranged) sameWay() bool {
	to := func(t llir.Terminator) value.Value {
		switch t := t.(type) {
		case *llir.TermBr:
			return t.Target
		case *llir.TermCondBr:
			switch cond, _ := r.instead.Value(t.Cond); cond {
			case ranges.Exactly(1):
				return t.TargetTrue
			case ranges.Exactly(0):
				return t.TargetFalse
			}
		}
		return nil
	}
	if a, b := to(r.fn.code.Items[r.at].Term), to(r.edit.term); a != nil && a == b {
		return true
	}
	old, okOld := r.fn.code.Items[r.at].Term.(*llir.TermCondBr)
	instead, okNew := r.edit.term.(*llir.TermCondBr)
	return okOld && okNew && old.TargetTrue == instead.TargetTrue && old.TargetFalse == instead.TargetFalse && r.compared.Same(old.Cond, instead.Cond)
}

// indexes is the range of the indices of the array that the old value is an index
// of.
func (r *ranged) indexes() (ranges.Interval, bool) {
	at, ok := r.fn.code.Number(r.old)
	if !ok {
		return ranges.Interval{}, false
	}
	users := r.fn.code.Users[at]
	if len(users) == 1 {
		if _, widened := r.fn.code.Items[users[0]].Inst.(*llir.InstSExt); widened {
			at = users[0]
			users = r.fn.code.Users[at]
		}
	}
	for _, u := range users {
		element, ok := r.fn.code.Items[u].Inst.(*llir.InstGetElementPtr)
		if !ok || len(element.Indices) != 2 || element.Indices[1] != r.fn.code.Items[at].Value() {
			continue
		}
		if a, ok := element.ElemType.(*types.ArrayType); ok && a.Len > 0 {
			return ranges.Interval{Lo: 0, Hi: int64(a.Len) - 1}, true
		}
	}
	return ranges.Interval{}, false
}
