package features

import (
	"math"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/trips"
)

var loopTrips = Family{
	Name: "loops",
	Doc: "How often the loop runs that the mutant is in the head of, else the innermost one around it, where it counts with a constant step (analysis/trips), " +
		"and how often it does with the change. Ways out besides the loop's own condition are not looked at. Missing where there is no such loop.",
	Columns: []Column{
		{Name: "loop_counts", Source: "own", Doc: "the loop counts; missing outside of loops"},
		{Name: "loop_trips", Unit: "log2", Source: "own", Doc: "how often its body runs, as log2(1 + x); missing where it is not known, or never ends"},
		{Name: "loop_trips_most", Unit: "log2", Source: "own", Doc: "how often it runs at most, by the ranges of its bounds, on the same scale; missing where only types bound it"},
		{Name: "loop_nest_trips", Unit: "log2", Source: "own", Doc: "sum of loop_trips of all loops around the mutant; missing where one is not known"},
		{Name: "loop_step", Unit: "signed log2", Source: "own", Doc: "what a round adds to the counter, as sign(x) log2(1 + |x|)"},
		{Name: "loop_in_condition", Source: "own", Doc: "the mutant changes the comparison or the branch that ends a counting loop"},
		{Name: "loop_in_bound", Source: "own", Doc: "it changes what the counter is compared with"},
		{Name: "loop_in_counter", Source: "own", Doc: "it changes the counter as the comparison reads it"},
		{Name: "loop_in_step", Source: "own", Doc: "it changes what a round adds to the counter"},
		{Name: "loop_in_start", Source: "own", Doc: "it changes what the counter starts with"},
		{Name: "loop_trips_new", Unit: "log2", Source: "own", Doc: "how often the body runs with the change, as log2(1 + x); missing where the change is not in the loop's head, or nothing is known"},
		{Name: "loop_trips_change", Unit: "signed log2", Source: "own", Doc: "how many more runs that are, as sign(x) log2(1 + |x|)"},
		{Name: "loop_endless", Source: "own", Doc: "with the change its condition never ends the loop; missing where that is not known"},
		{Name: "loop_skipped", Source: "own", Doc: "with the change the body never runs; missing likewise"},
	},
	Requires: []Requirement{loopHeads, changedRanges},
	PerSite: func(s *site, row []float64) {
		missing(row)
		h := loopHeads.of(s.fn)
		head, part := h.partOf(s)
		if head == nil {
			head = h.around(s)
		}
		if inner := loopNest.of(s.fn).Innermost[s.block]; inner >= 0 {
			row[0] = truth(h.counts[inner] != nil)
			row[3] = h.nest(s)
		}
		if head == nil {
			return
		}
		t := h.trips[head]
		if t.Known && !t.Endless {
			row[1] = often(t.Count)
		}
		if t.Bounded {
			row[2] = often(t.Most)
		}
		row[4] = magnitude(float64(t.Step))
		for k := range partsOfHead {
			row[5+k] = truth(part == headPart(k))
		}
	},
	PerMutant: func(m *mutation, row []float64) {
		h := loopHeads.of(m.site.fn)
		head, _ := h.partOf(m.site)
		if head == nil {
			return
		}
		r := changedRanges.of(m)
		if r == nil {
			return
		}
		old, t := h.trips[head], head.Trips(r.tripEdit())
		if !t.Known {
			return
		}
		row[12], row[13] = truth(t.Endless), truth(!t.Endless && t.Count == 0)
		if t.Endless {
			return
		}
		row[10] = often(t.Count)
		if old.Known && !old.Endless {
			row[11] = magnitude(float64(t.Count - old.Count))
		}
	},
}

// tripEdit is a change as package trips reads it.
func (r *ranged) tripEdit() trips.Edit {
	e := trips.Edit{Replaced: r.edit.replaced, Insts: r.edit.insts, At: r.at, Term: r.edit.term, Value: r.instead.Value}
	if r.edit.result != nil {
		e.Old, e.New = r.edit.resultOf, r.edit.result
	}
	return e
}

// headPart is a part of the head of a loop, in the order of the columns.
type headPart int

const (
	inCondition headPart = iota
	inBound
	inCounter
	inStep
	inStart
	partsOfHead
)

// heads are the counting loops of a function and the items of their heads.
type heads struct {
	f      *function
	loops  *loop.Nest
	counts []*trips.Loop // by loop of the nest, nil for those that do not count
	trips  map[*trips.Loop]trips.Trips
	at     map[int]headAt // by item
}

type headAt struct {
	loop *trips.Loop
	part headPart
}

var loopHeads = &analysis[*function, *heads]{
	name: "heads of loops", requires: []Requirement{graph, loopNest, dominators, dataFlow, valueRanges},
	find: func(f *function) *heads {
		loops := loopNest.of(f)
		h := &heads{f: f, loops: loops, counts: make([]*trips.Loop, len(loops.Loops)), trips: map[*trips.Loop]trips.Trips{}, at: map[int]headAt{}}
		if len(loops.Loops) == 0 {
			return h
		}
		of := &trips.Function{Code: f.code, Graph: graph.of(f), Loops: loops, Dominators: dominators.of(f), Flow: dataFlow.of(f), Ranges: valueRanges.of(f)}
		for _, l := range trips.Of(of) { // inner loops first
			h.counts[l.Number], h.trips[l] = l, l.Trips(trips.Edit{})
			h.mark(l, inStep, of.Computing(l.Step)...)
			h.markCondition(of, l)
			for _, start := range l.Starts {
				h.mark(l, inStart, of.Computing(start)...)
			}
		}
		return h
	},
}

// mark says what items are part of, if nothing said so before.
func (h *heads) mark(l *trips.Loop, part headPart, items ...int) {
	for _, i := range items {
		if _, taken := h.at[i]; !taken {
			h.at[i] = headAt{l, part}
		}
	}
}

func (h *heads) markCondition(of *trips.Function, l *trips.Loop) {
	h.mark(l, inCondition, l.Branch)
	for _, i := range of.Computing(l.Branch)[1:] {
		compare, ok := h.f.code.Items[i].Inst.(*llir.InstICmp)
		if !ok {
			continue
		}
		h.mark(l, inCondition, i)
		for _, side := range []value.Value{compare.X, compare.Y} {
			at, ok := h.f.code.Number(side)
			if !ok {
				continue
			}
			items, part := of.Computing(at), inBound
			if slices.ContainsFunc(items, func(i int) bool {
				load, ok := h.f.code.Items[i].Inst.(*llir.InstLoad)
				return ok && load.Src == value.Value(l.Counter)
			}) {
				part = inCounter
			}
			h.mark(l, part, items...)
		}
	}
}

// partOf is the loop in whose head a site is; that of the last instruction that the
// site touches, which makes its value.
func (h *heads) partOf(s *site) (*trips.Loop, headPart) {
	for k := len(s.items) - 1; k >= 0; k-- {
		if at, ok := h.at[s.items[k]]; ok {
			return at.loop, at.part
		}
	}
	return nil, partsOfHead
}

// around is the innermost loop around a site if it counts.
func (h *heads) around(s *site) *trips.Loop {
	if inner := h.loops.Innermost[s.block]; inner >= 0 {
		return h.counts[inner]
	}
	return nil
}

// nest adds up the trips of the loops around a site.
func (h *heads) nest(s *site) float64 {
	sum := 0.
	for n := range h.loops.Loops {
		if !h.loops.Loops[n].Has(s.block) {
			continue
		}
		l := h.counts[n]
		if l == nil || !h.trips[l].Known || h.trips[l].Endless {
			return math.NaN()
		}
		sum += often(h.trips[l].Count)
	}
	return sum
}
