package trips

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/ir"
)

// view is a loop as an edit leaves it.
type view struct {
	*Loop
	Edit
	grows int64 // what a round adds to the counter
}

// linear is factor times the counter at the start of a round, plus a value.
type linear struct {
	factor int64
	offset ranges.Interval
}

func (x linear) at(counter ranges.Interval) ranges.Interval {
	lo, hi := x.factor*clamp(counter.Lo), x.factor*clamp(counter.Hi)
	return ranges.Interval{Lo: clamp(min(lo, hi) + clamp(x.offset.Lo)), Hi: clamp(max(lo, hi) + clamp(x.offset.Hi))}
}

func (x linear) minus(y linear) linear {
	return linear{x.factor - y.factor, ranges.Interval{Lo: clamp(x.offset.Lo) - clamp(y.offset.Hi), Hi: clamp(x.offset.Hi) - clamp(y.offset.Lo)}}
}

func (x linear) plus(y linear) linear {
	return linear{x.factor + y.factor, ranges.Interval{Lo: clamp(x.offset.Lo) + clamp(y.offset.Lo), Hi: clamp(x.offset.Hi) + clamp(y.offset.Hi)}}
}

// clamp keeps sums of a few numbers, and small multiples, from leaving the type; what is
// beyond is not counted.
func clamp(x int64) int64 { return max(-1<<50, min(1<<50, x)) }

const factorMost = 1 << 10

// step is what a round adds to the counter.
func (v *view) step() (int64, bool) {
	store := v.f.Code.Items[v.Step].Inst.(*llir.InstStore)
	if slices.Contains(v.Replaced, llir.Instruction(store)) {
		if store = v.lastStore(); store == nil {
			return 0, true // it is dropped
		}
	}
	x, ok := v.linear(store.Src)
	return x.offset.Lo, ok && x.factor == 1 && x.offset.IsOne()
}

// lastStore is the last store of the new code to the counter.
func (v *view) lastStore() *llir.InstStore {
	for k := len(v.Insts) - 1; k >= 0; k-- {
		if store, ok := v.Insts[k].(*llir.InstStore); ok && store.Dst == value.Value(v.Counter) {
			return store
		}
	}
	return nil
}

// starts is what the counter can be when the loop begins.
func (v *view) starts() (ranges.Interval, bool) {
	for _, item := range v.Starts {
		store := v.f.Code.Items[item].Inst.(*llir.InstStore)
		changed := slices.Contains(v.Replaced, llir.Instruction(store))
		if changed {
			store = v.lastStore()
		} else if v.Old != nil {
			at, ok := v.f.Code.Number(v.Old)
			changed = ok && slices.Contains(v.f.Computing(item), at)
		}
		switch {
		case !changed:
			continue
		case store == nil || len(v.Starts) > 1:
			return ranges.Interval{}, false
		}
		x, ok := v.linear(store.Src)
		return x.offset, ok && x.factor == 0
	}
	return v.before, !v.before.IsEmpty() || v.Value == nil
}

// condition is the comparison that keeps the loop going; decided is 1 when it is
// always true, 0 when it never is, else -1.
func (v *view) condition() (p enum.IPred, x, y linear, decided int, ok bool) {
	term := v.f.Code.Items[v.Branch].Term
	if v.Term != nil && v.At == v.Branch {
		term = v.Term
	}
	var cond value.Value
	var stays bool // where the condition is true
	switch t := term.(type) {
	case *llir.TermBr:
		if t.Target == v.stays {
			return 0, x, y, 1, true
		}
		return 0, x, y, 0, true
	case *llir.TermCondBr:
		cond, stays = v.now(t.Cond), t.TargetTrue == v.stays
		if t.TargetTrue == t.TargetFalse {
			return 0, x, y, -1, false
		}
	default:
		return 0, x, y, -1, false
	}
	if truth, ok := truthOf(cond); ok {
		if stays {
			return 0, x, y, truth, true
		}
		return 0, x, y, 1 - truth, true
	}
	compare, ok := cond.(*llir.InstICmp)
	if !ok {
		return 0, x, y, -1, false
	}
	x, okX := v.linear(compare.X)
	y, okY := v.linear(compare.Y)
	p = compare.Pred
	if !stays {
		p = inverse(p)
	}
	return p, x, y, -1, okX && okY
}

// now is a value after the edit.
func (v *view) now(x value.Value) value.Value {
	x = ir.Unwrap(x)
	if v.Old != nil && v.New != nil && any(x) == any(v.Old) {
		return ir.Unwrap(v.New)
	}
	return x
}

// linear finds a value as a multiple of the counter plus a range.
func (v *view) linear(of value.Value) (linear, bool) {
	of = v.now(of)
	two := func(a, b value.Value, join func(x, y linear) linear) (linear, bool) {
		x, okX := v.linear(a)
		y, okY := v.linear(b)
		out := join(x, y)
		return out, okX && okY && out.factor < factorMost && out.factor > -factorMost
	}
	switch inst := of.(type) {
	case *llir.InstLoad:
		if inst.Src == value.Value(v.Counter) {
			if v.inLoop(inst) {
				return linear{1, ranges.Exactly(v.passed(inst))}, true
			}
		}
	case *llir.InstAdd:
		return two(inst.X, inst.Y, linear.plus)
	case *llir.InstSub:
		return two(inst.X, inst.Y, linear.minus)
	case *llir.InstMul:
		if out, ok := v.times(inst.X, inst.Y); ok {
			return out, true
		}
		if out, ok := v.times(inst.Y, inst.X); ok {
			return out, true
		}
	case *llir.InstSExt:
		if inst.From.Type().String() != "i1" {
			return v.linear(inst.From)
		}
	case *llir.InstZExt:
		if can, ok := v.can(inst.From); ok && can.Lo >= 0 && inst.From.Type().String() != "i1" {
			return v.linear(inst.From)
		}
	}
	if v.mentions(of) {
		return linear{}, false
	}
	can, ok := v.can(of)
	return linear{0, can}, ok && !can.IsEmpty()
}

// times is a multiple of the counter by a number.
func (v *view) times(a, b value.Value) (linear, bool) {
	c, ok := v.now(b).(*constant.Int)
	if !ok || !c.X.IsInt64() {
		return linear{}, false
	}
	x, ok := v.linear(a)
	k := c.X.Int64()
	if !ok || !x.offset.IsOne() || max(k, -k) >= factorMost || max(x.factor, -x.factor) >= factorMost {
		return linear{}, false
	}
	return linear{x.factor * k, ranges.Exactly(clamp(x.offset.Lo) * k)}, true
}

// mentions reports a value of the loop that is computed from the counter.
func (v *view) mentions(of value.Value) bool {
	if load, ok := of.(*llir.InstLoad); ok {
		return load.Src == value.Value(v.Counter) && v.inLoop(load)
	}
	inst, ok := of.(llir.Instruction)
	if !ok {
		return false
	}
	user, ok := inst.(value.User)
	if _, isSlot := of.(*llir.InstAlloca); !ok || isSlot {
		return false
	}
	for _, slot := range user.Operands() {
		if slot != nil && *slot != nil && v.mentions(v.now(*slot)) {
			return true
		}
	}
	return false
}

func (v *view) can(of value.Value) (ranges.Interval, bool) {
	if v.Value != nil {
		return v.Value(of)
	}
	return v.f.Ranges.Value(of)
}

// place is where an instruction of either version is.
func (v *view) place(inst llir.Instruction) int {
	if at, ok := v.f.Code.Number(inst); ok {
		return at
	}
	return v.At
}

func (v *view) inLoop(inst llir.Instruction) bool {
	return v.f.Loops.Loops[v.Number].Has(v.f.Code.Items[v.place(inst)].Block)
}

// passed is what the round has added to the counter where a load is.
func (v *view) passed(load llir.Instruction) int64 {
	at := v.place(load)
	here, step := v.f.Code.Items[at].Block, v.f.Code.Items[v.Step].Block
	if here == step && v.Step < at || here != step && v.f.Dominators.Has(step, here) {
		return v.grows
	}
	return 0
}
