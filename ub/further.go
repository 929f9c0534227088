package ub

import (
	"fmt"
	"maps"
	"slices"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// watched is an operation of the original that can be undefined in C, and what it can do there.
type watched struct {
	item   int
	access bool // of memory whose object is known; else arithmetic
	was    outcome
}

// findWatched are, by block, the operations that a change elsewhere can make undefined: those
// that are not always so in the original.
func findWatched(fn *function) [][]watched {
	byBlock := make([][]watched, fn.graph.Len())
	m := newMachine(fn, nil, nil)
	for b := range byBlock {
		if !fn.ranges.Reachable(b) {
			continue
		}
		for item := fn.code.First[b]; item < fn.code.First[b+1]; item++ {
			o, c := &fn.ops.Ops[item], watched{item: item}
			switch {
			case o.Code == op.Load || o.Code == op.Store:
				c.access = true
				if p := m.of(o.Args[0]).place; p.object == nil || p.size == 0 || p.offset.IsOne() {
					continue // nothing that a number can change
				}
				c.was = m.reaches(o)
			case isArithmetic(o.Code) && o.Type.Width() > 0 && (!isSum(o.Code) || o.Flags&op.NoSignedWrap != 0):
				if o.Args[1].IsNumber() && !isSum(o.Code) {
					continue
				}
				c.was = outcomeOf(o, fn.interval)
			default:
				continue
			}
			if c.was != harms {
				byBlock[b] = append(byBlock[b], c)
			}
		}
	}
	return byBlock
}

// findTowards finds the blocks that control can come from to what is watched.
func (fn *function) findTowards() []bool {
	out := make([]bool, len(fn.watched))
	var next []int
	for b := range fn.watched {
		if len(fn.watched[b]) > 0 {
			out[b], next = true, append(next, b)
		}
	}
	for len(next) > 0 {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		for _, p := range fn.graph.Preds[b] {
			if !out[p] {
				out[p], next = true, append(next, p)
			}
		}
	}
	return out
}

// reaches is what an access can do that a machine knows the place of.
func (m *machine) reaches(o *op.Op) outcome {
	switch always, possibly := m.of(o.Args[0]).place.outside(o.Type.Size()); {
	case always:
		return harms
	case possibly:
		return mayHarm
	}
	return unharmed
}

// interval is what an integer operand can be in the original.
func (fn *function) interval(a op.Operand) (ranges.Interval, bool) {
	switch a.Kind {
	case op.Number:
		return ranges.Exactly(a.X), a.Type.Class == op.Int
	case op.Item:
		return fn.ranges.Value(fn.code.Items[a.X].Value())
	case op.Param:
		return fn.ranges.Value(fn.code.Func.Params[a.X])
	}
	return ranges.Interval{}, false
}

// further finds what the values that a mutant leaves behind do in the blocks that control goes
// on to (Ebrahimipour 2016, figure 3.5, where a comparison lets a bad subscript through):
// Definite where control comes to it in any case.
func further(s *stretch) Verdict {
	w, ok := s.fn.ranges.Further(s.at, s.ranges, s.fn.towards)
	if !ok {
		return Verdict{}
	}
	m := newMachine(s.fn, nil, nil)
	m.numbers = w.Value
	v := Verdict{}
	for _, b := range w.Blocks() {
		for _, c := range s.fn.watched[b] {
			found := s.checkFurther(m, w, c)
			if found.Grade == Definite && !s.mustReach(w, c.item, nil) {
				found.Grade = Potential
			}
			v = v.Worse(found)
		}
	}
	return v
}

// checkFurther looks at one operation with the values that the mutant leaves.
func (s *stretch) checkFurther(m *machine, w *ranges.Further, c watched) Verdict {
	o, line := &s.fn.ops.Ops[c.item], lineOf(s.fn, c.item)
	if !c.access {
		return verdictOf(o, outcomeOf(o, w.Value), c.was, true, w.Value, line)
	}
	v := Verdict{Category: OutOfBounds, Analysis: "values", Line: line}
	p := m.of(o.Args[0]).place
	switch now := m.reaches(o); {
	case now == harms:
		v.Grade, v.Reason = Definite, verb(o)+" "+s.where(p)
	case now == mayHarm && c.was == unharmed:
		v.Grade, v.Reason = Potential, "may use memory outside of "+s.shownObject(p)
	default:
		return Verdict{}
	}
	return v
}

// mustReach reports that control comes to an item on every way from the end of the stretch, with
// nothing between that may end the program or go round for ever, nor write a variable, if one is
// given. w says which ways there are, nil for those of the original.
func (s *stretch) mustReach(w *ranges.Further, item int, unwritten value.Value) bool {
	for k := range s.ops.Ops {
		if s.mayStop(&s.ops.Ops[k]) {
			return false
		}
	}
	known := map[int]bool{} // a block that is being looked at goes round, and does not come there
	var must func(b int) bool
	must = func(b int) bool {
		if does, seen := known[b]; seen {
			return does
		}
		known[b] = false
		known[b] = s.comesFrom(b, w, item, unwritten, must)
		return known[b]
	}
	exits := s.ops.Ops[len(s.ops.Ops)-1].Targets
	if w != nil {
		exits = w.Exits()
	}
	return len(exits) > 0 && !slices.ContainsFunc(exits, func(b int) bool { return b >= s.fn.graph.Len() || !must(b) })
}

// comesFrom reports that control comes to an item from the start of a block, in it or as must says
// of the blocks that follow.
func (s *stretch) comesFrom(b int, w *ranges.Further, item int, unwritten value.Value, must func(b int) bool) bool {
	for i := s.fn.code.First[b]; i < s.fn.code.First[b+1]; i++ {
		if i == item {
			return true
		}
		if s.mayStop(&s.fn.ops.Ops[i]) || unwritten != nil && s.fn.overwrites(i, unwritten) {
			return false
		}
	}
	ways := 0
	for _, next := range s.fn.graph.Succs[b] {
		if w != nil && !w.Leads(b, next) {
			continue
		}
		if ways++; !must(next) {
			return false
		}
	}
	return ways > 0
}

// null finds what a pointer that the mutant leaves null does in the blocks that control goes on
// to: one whose only other value a deleted statement gave it (figure 3.7).
func null(s *stretch) Verdict {
	m := s.run()
	if m.ended || len(s.ops.Ops) == 0 {
		return Verdict{}
	}
	v := Verdict{}
	for slot, p := range m.held {
		if !p.isNull() || s.fn.leaves[s.block][slot].isNull() {
			continue
		}
		held := maps.Clone(m.held)
		item := s.nullComesTo(m, held, slot)
		if item < 0 {
			continue
		}
		found := Verdict{Grade: Potential, Category: NullDereference, Analysis: "values", Line: lineOf(s.fn, item),
			Reason: fmt.Sprintf("line %d uses %s, which is null then", lineOf(s.fn, item), s.fn.name(slot))}
		if s.mustReach(nil, item, slot) {
			found.Grade = Definite
		}
		if found.Grade > v.Grade || found.Grade == v.Grade && found.Line < v.Line {
			v = found
		}
	}
	return v
}

// nullComesTo is the first use of memory through a variable that holds null from the end of the
// stretch on; -1 for none.
func (s *stretch) nullComesTo(m *machine, held pointers, slot value.Value) int {
	next := m.next(&s.ops.Ops[len(s.ops.Ops)-1])
	seen := map[int]bool{}
	for len(next) > 0 {
		b := next[0]
		next = next[1:]
		if b >= s.fn.graph.Len() || seen[b] {
			continue
		}
		seen[b] = true
		only := pointers{slot: held[slot]}
		m := newMachine(s.fn, nil, only)
		hit := -1
		m.original(b, s.fn.code.First[b+1], func(item int, o *op.Op) {
			if hit < 0 && s.fn.usesNull(m, o) {
				hit = item
			}
		})
		if hit >= 0 {
			return hit
		}
		if m.held[slot].isNull() {
			next = append(next, m.next(&s.fn.ops.Ops[s.fn.code.Terminator(b)])...)
		}
	}
	return -1
}

// usesNull reports an operation that reads or writes memory through null, or hands it to what does.
func (fn *function) usesNull(m *machine, o *op.Op) bool {
	switch o.Code {
	case op.Load, op.Store:
		return m.of(o.Args[0]).place.null
	case op.Call:
		for k, a := range o.Args[1:] {
			if fn.summaries.dereferences(o, k) && m.of(a).place.isNull() {
				return true
			}
		}
	}
	return false
}
