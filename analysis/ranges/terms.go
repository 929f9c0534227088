package ranges

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// termKind says how a term is computed.
type termKind uint8

const (
	leafTerm termKind = iota // a value of the function, or what a load or call gives
	numberTerm
	operatorTerm
	conversionTerm
	orderTerm // whether x and y are ordered in one of the ways
	chooseTerm
	opaqueTerm // any function of its operands
)

// term is a value as a function of the values before the code. Terms of one
// Comparison that are equal are the same number, the place in its list.
type term struct {
	kind    termKind
	what    uint8 // Operator, Conversion or Order
	width   uint  // 0 for no integer
	x, y, z int   // terms, -1 for none
	k       int64 // the number; otherwise tells leaves and opaque functions apart
}

// Comparison holds the code of the original and of a mutant as terms. What the
// ranges decide is taken out: |x| is x where x is not negative.
type Comparison struct {
	f     *Facts
	terms []term
	can   []Interval // by term
	known map[term]int
	leaf  map[any]int64

	before, after *effects
}

// effects is what a stretch of code does: the terms of the writes and calls, in
// order.
type effects struct {
	of      []term
	results map[value.Value]int
}

// Compare makes the terms of a stretch of the function and of the code instead.
func (f *Facts) Compare(old []llir.Instruction, instead *Scratch) *Comparison {
	c := &Comparison{f: f, known: map[term]int{}, leaf: map[any]int64{}}
	c.before = c.follow(old, f.Value)
	c.after = c.follow(instead.insts, instead.Value)
	return c
}

// SameEffects reports that both write the same values to the same places and
// make the same calls.
func (c *Comparison) SameEffects() bool { return slices.Equal(c.before.of, c.after.of) }

// Same reports that a value of the original, or one that both may use, is always
// that of the code instead.
func (c *Comparison) Same(old, instead value.Value) bool {
	return c.value(old, c.before) == c.value(instead, c.after)
}

// follow makes terms of instructions.
func (c *Comparison) follow(insts []llir.Instruction, can func(value.Value) (Interval, bool)) *effects {
	e := &effects{results: make(map[value.Value]int, len(insts))}
	for _, inst := range insts {
		if ir.IsDebug(inst) {
			continue
		}
		t := c.termOf(inst, e)
		if writesMemory(inst) {
			e.of = append(e.of, t)
			t = term{kind: leafTerm, x: -1, y: -1, z: -1, width: t.width, k: c.number(place{"effect", len(e.of)})}
		}
		v, ok := inst.(value.Value)
		if !ok {
			continue
		}
		range_, isInteger := can(v)
		if !isInteger {
			t.width = 0
		}
		e.results[v] = c.simplified(t, range_)
	}
	return e
}

// place tells leaves apart: what they are of, and how many effects came before.
type place struct {
	of any
	n  int
}

func (c *Comparison) number(key any) int64 {
	n, ok := c.leaf[key]
	if !ok {
		n = int64(len(c.leaf))
		c.leaf[key] = n
	}
	return n
}

// value is the term of an operand.
func (c *Comparison) value(v value.Value, e *effects) int {
	v = ir.Unwrap(v)
	if n, ok := e.results[v]; ok {
		return n
	}
	t := term{kind: leafTerm, x: -1, y: -1, z: -1, width: widthOf(v.Type())}
	if k, ok := v.(constant.Constant); ok {
		if i, ok := k.(*constant.Int); ok && t.width > 0 {
			x := numberOf(i, t.width)
			return c.add(term{kind: numberTerm, x: -1, y: -1, z: -1, width: t.width, k: x}, Exactly(x))
		}
		t.k = c.number(place{k.Type().String() + " " + k.Ident(), 0})
		return c.add(t, fullOrNone(t.width))
	}
	t.k = c.number(v)
	can, _ := c.f.Value(v)
	if can.IsOne() && t.width > 0 {
		return c.add(term{kind: numberTerm, x: -1, y: -1, z: -1, width: t.width, k: can.Lo}, can)
	}
	return c.add(t, can)
}

func (c *Comparison) add(t term, can Interval) int {
	n, ok := c.known[t]
	if !ok {
		n = len(c.terms)
		c.known[t] = n
		c.terms, c.can = append(c.terms, t), append(c.can, can)
	} else if t.width > 0 {
		c.can[n] = c.can[n].Meet(can)
	}
	return n
}

// termOf is an instruction as a term.
func (c *Comparison) termOf(inst llir.Instruction, e *effects) term {
	t := term{kind: opaqueTerm, x: -1, y: -1, z: -1}
	if v, ok := inst.(value.Value); ok {
		t.width = widthOf(v.Type())
	}
	switch i := inst.(type) {
	case *llir.InstLoad:
		t.kind, t.x, t.k = leafTerm, c.value(i.Src, e), c.number(place{"memory of " + i.Type().String(), len(e.of)})
		return t
	case *llir.InstSelect:
		t.kind, t.x, t.y, t.z = chooseTerm, c.value(i.Cond, e), c.value(i.ValueTrue, e), c.value(i.ValueFalse, e)
		if t.width > 0 && c.terms[t.x].width > 0 {
			return t
		}
		t.kind = opaqueTerm
	case *llir.InstICmp:
		if w := widthOf(i.X.Type()); w > 0 {
			return c.order(i.Pred, c.value(i.X, e), c.value(i.Y, e), w)
		}
	}
	if operands, ok := inst.(value.User); ok && t.width > 0 {
		if what, _, ok := operatorOf(inst); ok {
			t.kind, t.what = operatorTerm, uint8(what)
			t.x, t.y = c.value(*operands.Operands()[0], e), c.value(*operands.Operands()[1], e)
			return t
		}
		if what, ok := conversionOf(inst); ok {
			t.kind, t.what, t.x = conversionTerm, uint8(what), c.value(*operands.Operands()[0], e)
			return t
		}
	}
	return c.opaque(inst, t, e)
}

// opaque chains the operands of an instruction that nothing is known of.
func (c *Comparison) opaque(inst llir.Instruction, t term, e *effects) term {
	t.kind, t.x, t.y, t.z = opaqueTerm, -1, -1, -1
	t.k = c.number(kindOf(inst))
	user, ok := inst.(value.User)
	if !ok {
		return t
	}
	for _, slot := range user.Operands() {
		if slot == nil || *slot == nil {
			continue
		}
		if _, isBlock := (*slot).(*llir.Block); isBlock {
			continue
		}
		link := term{kind: opaqueTerm, x: t.x, y: c.value(*slot, e), z: -1, k: t.k}
		t.x = c.add(link, Interval{})
	}
	return t
}

// kindOf tells functions of operands apart.
func kindOf(inst llir.Instruction) any {
	kind := struct{ of, result string }{of: fmt.Sprintf("%T", inst)}
	if v, ok := inst.(value.Value); ok {
		kind.result = v.Type().String()
	}
	switch i := inst.(type) {
	case *llir.InstFCmp:
		kind.of += i.Pred.String()
	case *llir.InstICmp: // of pointers
		kind.of += i.Pred.String()
	case *llir.InstStore, *llir.InstCall, *llir.InstGetElementPtr, *llir.InstSelect,
		*llir.InstFAdd, *llir.InstFSub, *llir.InstFMul, *llir.InstFDiv, *llir.InstFRem, *llir.InstFNeg:
	default:
		if !isCast(inst) {
			return inst // its own
		}
	}
	return kind
}

func isCast(inst llir.Instruction) bool {
	switch inst.(type) {
	case *llir.InstBitCast, *llir.InstPtrToInt, *llir.InstIntToPtr, *llir.InstSIToFP, *llir.InstUIToFP,
		*llir.InstFPToSI, *llir.InstFPToUI, *llir.InstFPExt, *llir.InstFPTrunc, *llir.InstSExt, *llir.InstZExt, *llir.InstTrunc:
		return true
	}
	return false
}

// order is a comparison as the ways that make it true, out of those that can be.
func (c *Comparison) order(p enum.IPred, x, y int, width uint) term {
	ways, unsigned := holdsFor(p)
	a, b := c.can[x], c.can[y]
	if unsigned && inOneHalf(a) && inOneHalf(b) && a.Lo < 0 == (b.Lo < 0) {
		unsigned = false
	}
	// x - y and x ^ y are zero where x and y are equal.
	if t := c.terms[x]; ways == Equal || ways == Less|Greater {
		if zero := c.terms[y]; zero.kind == numberTerm && zero.k == 0 && t.kind == operatorTerm && (Operator(t.what) == Sub || Operator(t.what) == Xor) {
			x, y = t.x, t.y
			a, b = c.can[x], c.can[y]
		}
		unsigned = false
	}
	can := Orders(a, b, width, unsigned)
	if x == y {
		can &= Equal
	}
	if x > y {
		x, y = y, x
		ways, can = mirrored(ways), mirrored(can)
	}
	t := term{kind: orderTerm, what: uint8(ways & can), width: 1, x: x, y: y, z: -1}
	if unsigned {
		t.k = 1
	}
	switch ways & can {
	case 0:
		return term{kind: numberTerm, width: 1, x: -1, y: -1, z: -1}
	case can:
		return term{kind: numberTerm, width: 1, x: -1, y: -1, z: -1, k: 1}
	}
	return t
}

func mirrored(o Order) Order {
	out := o & Equal
	if o&Less != 0 {
		out |= Greater
	}
	if o&Greater != 0 {
		out |= Less
	}
	return out
}
