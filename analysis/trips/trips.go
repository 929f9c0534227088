// Package trips finds the loops that count, and how often they run: for (i = 0; i
// < 10; i++) ten times. It does so for the code as it is, and for code in which an
// edit was made, so that one sees what the edit does to the loop.
//
// A loop counts when one variable, which is only loaded and stored as a whole, is
// stored to at one place in the loop, which every round passes once, when what is
// stored there is the variable plus a number, and when the loop's first block or
// its only last one leaves it by a comparison of two sums of multiples of the
// variable and values that have a range (package ranges). Other ways out, such as
// break, are not looked at: the count is that of the loop's own condition. Values
// are taken not to leave their type.
package trips

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// Function is what the package reads of a function.
type Function struct {
	Code       *defuse.Code
	Graph      *cfg.Graph
	Loops      *loop.Nest
	Dominators *dominance.Tree
	Flow       *dataflow.Flow
	Ranges     *ranges.Facts
}

// Loop is a loop that counts.
type Loop struct {
	f *Function
	// Number is its place in the nest's loops.
	Number int
	// Counter is the variable. Step is the item that stores to it in the loop,
	// Starts are those whose values the loop may begin with; there are none when
	// a parameter's or no value is left of what is stored.
	Counter *llir.InstAlloca
	Step    int
	Starts  []int
	// Branch is the item of the condition's branch, Bottom says that it comes
	// after the body.
	Branch int
	Bottom bool
	stays  value.Value // the block that the condition leads to when the loop goes on
	before ranges.Interval
}

// Trips says how often a loop's body runs.
type Trips struct {
	// Known says that Count is how often, unless Endless: then the condition
	// never ends the loop.
	Known, Endless bool
	Count          int64
	// Bounded says that it runs at most Most times, fewer than 2³⁰.
	Bounded bool
	Most    int64
	// Step is what the counter grows by in a round.
	Step int64
}

// Edit is a change of the function: Insts take the place of Replaced, New that of
// the result Old; or Term, with Insts before it, that of a block's terminator. The
// zero value changes nothing.
type Edit struct {
	Replaced, Insts []llir.Instruction
	Old             llir.Instruction
	New             value.Value
	At              int // the item that Insts come before
	Term            llir.Terminator
	// Value is what a value of either version can be.
	Value func(value.Value) (ranges.Interval, bool)
}

// Of finds the loops that count, in the order of the nest.
func Of(f *Function) []*Loop {
	var out []*Loop
	for n := range f.Loops.Loops {
		l := &f.Loops.Loops[n]
		if !l.Natural || !f.Dominators.Has(l.Header, l.Header) {
			continue
		}
		exits := []int{l.Header}
		if len(l.Latches) == 1 && l.Latches[0] != l.Header {
			exits = append(exits, l.Latches[0])
		}
		for k, b := range exits {
			if c := f.counting(n, b, k == 1); c != nil {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// counting finds out whether a loop counts that is left at a block.
func (f *Function) counting(n, b int, bottom bool) *Loop {
	l := &f.Loops.Loops[n]
	branch, ok := f.Code.Items[f.Code.Terminator(b)].Term.(*llir.TermCondBr)
	if !ok {
		return nil
	}
	succs := f.Graph.Succs[b]
	if len(succs) != 2 || l.Has(succs[0]) == l.Has(succs[1]) {
		return nil
	}
	out := &Loop{f: f, Number: n, Branch: f.Code.Terminator(b), Bottom: bottom, stays: branch.TargetFalse}
	if b == l.Header && len(l.Latches) == 1 && l.Latches[0] == b {
		out.Bottom = true // one block: what it does comes before its condition
	}
	for _, s := range succs {
		if l.Has(s) && f.Code.Func.Blocks[s] == branch.TargetTrue {
			out.stays = branch.TargetTrue
		}
	}
	for _, slot := range f.read(out.Branch) {
		if step, ok := f.stepOf(slot, l); ok {
			out.Counter, out.Step = slot, step
			v := &view{Loop: out}
			v.grows, ok = v.step()
			_, x, y, decided, linear := v.condition()
			if ok && v.grows != 0 && linear && decided < 0 && x.factor != y.factor && out.start() {
				return out
			}
		}
	}
	return nil
}

// read lists the variables that an item's operands are computed from.
func (f *Function) read(item int) []*llir.InstAlloca {
	var out []*llir.InstAlloca
	for _, i := range f.Computing(item) {
		if load, ok := f.Code.Items[i].Inst.(*llir.InstLoad); ok {
			if slot, ok := load.Src.(*llir.InstAlloca); ok {
				out = append(out, slot)
			}
		}
	}
	return out
}

// Computing lists an item and those whose results it is computed from, through
// registers.
func (f *Function) Computing(item int) []int {
	out := []int{item}
	for k := 0; k < len(out); k++ {
		for _, used := range f.Code.Uses[out[k]] {
			if _, slot := f.Code.Items[used].Inst.(*llir.InstAlloca); !slot && !slices.Contains(out, used) {
				out = append(out, used)
			}
		}
	}
	return out
}

// stepOf finds the one store to a variable in a loop, if every round passes it
// once and nothing else is done with the variable than loads and stores.
func (f *Function) stepOf(slot *llir.InstAlloca, l *loop.Loop) (step int, ok bool) {
	at, _ := f.Code.Number(slot)
	step = -1
	for _, u := range f.Code.Users[at] {
		switch inst := f.Code.Items[u].Inst.(type) {
		case *llir.InstLoad:
		case *llir.InstStore:
			if inst.Dst != value.Value(slot) {
				return 0, false
			}
			if l.Has(f.Code.Items[u].Block) {
				if step >= 0 {
					return 0, false
				}
				step = u
			}
		default:
			return 0, false
		}
	}
	if step < 0 {
		return 0, false
	}
	b := f.Code.Items[step].Block
	for _, latch := range l.Latches {
		if !f.Dominators.Has(b, latch) {
			return 0, false
		}
	}
	inner := f.Loops.Innermost[b]
	return step, inner >= 0 && f.Loops.Loops[inner].Header == l.Header
}

// start finds the stores that the loop begins with and the range of what they
// leave in the counter; false where control never comes.
func (l *Loop) start() bool {
	f, own := l.f, &l.f.Loops.Loops[l.Number]
	seen := map[int]bool{}
	for _, i := range f.Computing(l.Branch) {
		if load, ok := f.Code.Items[i].Inst.(*llir.InstLoad); ok && load.Src == value.Value(l.Counter) {
			for from := range f.Flow.Sources(i).Each {
				if !own.Has(f.Code.Items[from].Block) && !seen[from] {
					if _, isStore := f.Code.Items[from].Inst.(*llir.InstStore); !isStore {
						return false
					}
					seen[from] = true
					l.Starts = append(l.Starts, from)
				}
			}
		}
	}
	l.before = ranges.Empty
	for _, p := range f.Graph.Preds[own.Header] {
		if own.Has(p) || !f.Ranges.Reachable(p) {
			continue
		}
		held, ok := f.Ranges.HeldBefore(f.Code.Terminator(p), l.Counter)
		if !ok {
			return false
		}
		l.before = l.before.Join(held)
	}
	return !l.before.IsEmpty()
}

// Trips counts a loop in which an edit was made.
func (l *Loop) Trips(e Edit) Trips {
	v := &view{Loop: l, Edit: e}
	step, ok := v.step()
	if !ok || l.before.IsEmpty() && e.Value != nil {
		return Trips{}
	}
	v.grows = step
	t := Trips{Step: step}
	start, ok := v.starts()
	if !ok {
		return t
	}
	p, x, y, decided, ok := v.condition()
	switch {
	case !ok:
		return t
	case decided == 0:
		t.Known, t.Bounded = true, true
	case decided > 0:
		t.Known, t.Endless = true, true
	default:
		if !signed(&p, x.at(start), y.at(start), x.factor*step >= 0 && y.factor*step >= 0) {
			return t
		}
		difference := x.minus(y)
		if difference.factor > most || difference.factor < -most || step > most || step < -most {
			return t
		}
		t.count(p, difference.factor*step, difference.at(start))
	}
	if l.Bottom && t.Known && !t.Endless {
		t.Count++
	}
	if l.Bottom && t.Bounded {
		t.Most++
	}
	return t
}

const (
	// most bounds the numbers that are multiplied.
	most = 1 << 40
	// boundedBelow is the least bound that tells no more than the type does.
	boundedBelow = 1 << 30
)

// count solves how often a comparison with 0 of rate k + offset holds, from k = 0
// on without a gap.
func (t *Trips) count(p enum.IPred, rate int64, offset ranges.Interval) {
	if offset.Lo < -most || offset.Hi > most {
		if offset.Lo < -most && offset.Hi > most {
			return
		}
		offset.Lo, offset.Hi = max(offset.Lo, -2*most), min(offset.Hi, 2*most)
	}
	low, lowEnds := holds(p, rate, offset.Lo)
	high, highEnds := holds(p, rate, offset.Hi)
	if offset.IsOne() {
		t.Known, t.Endless, t.Count = true, !lowEnds, low
	}
	// Between the two ends the count of an order lies between theirs; those that
	// were cut off are no ends.
	ordered := p != enum.IPredEQ && p != enum.IPredNE
	if lowEnds && highEnds && (ordered || offset.IsOne()) && max(low, high) < boundedBelow {
		t.Bounded, t.Most = true, max(low, high)
	}
	if p == enum.IPredEQ && rate != 0 && !t.Bounded {
		t.Bounded, t.Most = true, 1
	}
}

func holds(p enum.IPred, rate, offset int64) (count int64, ends bool) {
	switch p {
	case enum.IPredSGT:
		return holds(enum.IPredSLT, -rate, -offset)
	case enum.IPredSGE:
		return holds(enum.IPredSLE, -rate, -offset)
	case enum.IPredSLE:
		return holds(enum.IPredSLT, rate, offset-1)
	case enum.IPredSLT:
		switch {
		case offset >= 0:
			return 0, true
		case rate <= 0:
			return 0, false
		}
		return (-offset + rate - 1) / rate, true
	case enum.IPredEQ:
		if offset != 0 {
			return 0, true
		}
		return 1, rate != 0
	case enum.IPredNE:
		switch {
		case offset == 0:
			return 0, true
		case rate == 0 || -offset%rate != 0 || -offset/rate < 0:
			return 0, false
		}
		return -offset / rate, true
	}
	return 0, false
}

// signed turns an unsigned comparison into a signed one where it is the same:
// between numbers that are not negative and do not shrink.
func signed(p *enum.IPred, x, y ranges.Interval, grow bool) bool {
	to, unsigned := map[enum.IPred]enum.IPred{enum.IPredULT: enum.IPredSLT, enum.IPredULE: enum.IPredSLE,
		enum.IPredUGT: enum.IPredSGT, enum.IPredUGE: enum.IPredSGE}[*p]
	if !unsigned {
		return true
	}
	*p = to
	return grow && x.Lo >= 0 && y.Lo >= 0
}

func inverse(p enum.IPred) enum.IPred {
	return map[enum.IPred]enum.IPred{
		enum.IPredEQ: enum.IPredNE, enum.IPredNE: enum.IPredEQ,
		enum.IPredSLT: enum.IPredSGE, enum.IPredSGE: enum.IPredSLT, enum.IPredSLE: enum.IPredSGT, enum.IPredSGT: enum.IPredSLE,
		enum.IPredULT: enum.IPredUGE, enum.IPredUGE: enum.IPredULT, enum.IPredULE: enum.IPredUGT, enum.IPredUGT: enum.IPredULE,
	}[p]
}

// truthOf is the number that a condition is; false for others.
func truthOf(v value.Value) (int, bool) {
	c, ok := v.(*constant.Int)
	if !ok {
		return 0, false
	}
	return int(c.X.Int64() & 1), true
}
