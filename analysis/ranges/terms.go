package ranges

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
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
	what    op.Code // of an operator or a conversion
	ways    Order   // that make an order true
	width   uint    // 0 for no integer
	x, y, z int     // terms, -1 for none
	k       int64   // the number; otherwise tells leaves and opaque functions apart
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
	results map[op.Operand]int
	operand func(value.Value) op.Operand
}

// Compare makes the terms of a stretch of the function and of the code instead.
func (f *Facts) Compare(old []llir.Instruction, instead *Scratch) *Comparison {
	c := &Comparison{f: f, known: map[term]int{}, leaf: map[any]int64{}}
	c.before = &effects{results: make(map[op.Operand]int, len(old)), operand: f.code.Operand}
	for _, inst := range old {
		if i, ok := f.code.Code.Number(inst); ok {
			c.follow(&f.code.Ops[i], op.Operand{Kind: op.Item, Type: f.code.Ops[i].Type, X: int64(i)}, f.can, c.before)
		}
	}
	c.after = &effects{results: make(map[op.Operand]int, len(instead.ops)), operand: instead.code.Operand}
	for k := range instead.ops {
		c.follow(instead.ops[k].Op, op.Operand{Kind: op.Scratch, Type: instead.ops[k].Type, X: int64(k)}, instead.can, c.after)
	}
	return c
}

// SameEffects reports that both write the same values to the same places and
// make the same calls.
func (c *Comparison) SameEffects() bool { return slices.Equal(c.before.of, c.after.of) }

// Same reports that a value of the original, or one that both may use, is always
// that of the code instead.
func (c *Comparison) Same(old, instead value.Value) bool {
	return c.value(c.before.operand(old), c.before) == c.value(c.after.operand(instead), c.after)
}

// follow makes a term of an operation with its result.
func (c *Comparison) follow(o *op.Op, result op.Operand, can func(op.Operand) (Interval, bool), e *effects) {
	if o.Code == op.Skip || o.Code.IsTerminator() {
		return
	}
	t := c.termOf(o, e)
	if o.Writes() {
		e.of = append(e.of, t)
		t = term{kind: leafTerm, x: -1, y: -1, z: -1, width: t.width, k: c.number(place{"effect", len(e.of)})}
	}
	if o.Code == op.Store {
		return
	}
	range_, isInteger := can(result)
	if !isInteger {
		t.width = 0
	}
	e.results[result] = c.simplified(t, range_)
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
func (c *Comparison) value(a op.Operand, e *effects) int {
	if n, ok := e.results[a]; ok {
		return n
	}
	t := term{kind: leafTerm, x: -1, y: -1, z: -1, width: a.Type.Width()}
	can, _ := c.f.can(a)
	if can.IsOne() && t.width > 0 {
		return c.add(term{kind: numberTerm, x: -1, y: -1, z: -1, width: t.width, k: can.Lo}, can)
	}
	t.k = c.number(a)
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

// termOf is an operation as a term.
func (c *Comparison) termOf(o *op.Op, e *effects) term {
	t := term{kind: opaqueTerm, x: -1, y: -1, z: -1}
	if o.Code != op.Store {
		t.width = o.Type.Width()
	}
	switch {
	case o.Code == op.Load:
		t.kind, t.x, t.k = leafTerm, c.value(o.Args[0], e), c.number(place{o.Type, len(e.of)})
		return t
	case o.Code == op.Select:
		t.kind, t.x, t.y, t.z = chooseTerm, c.value(o.Args[0], e), c.value(o.Args[1], e), c.value(o.Args[2], e)
		if t.width > 0 && c.terms[t.x].width > 0 {
			return t
		}
	case o.Code == op.CompareInts:
		if w := o.Args[0].Type.Width(); w > 0 {
			return c.order(o.Pred, c.value(o.Args[0], e), c.value(o.Args[1], e), w)
		}
	case t.width > 0 && o.Code.IsBinaryInt():
		t.kind, t.what = operatorTerm, o.Code
		t.x, t.y = c.value(o.Args[0], e), c.value(o.Args[1], e)
		return t
	case t.width > 0 && (o.Code == op.SExt || o.Code == op.ZExt || o.Code == op.Trunc):
		t.kind, t.what, t.x = conversionTerm, o.Code, c.value(o.Args[0], e)
		return t
	}
	return c.opaque(o, t, e)
}

// function tells functions of operands apart.
type function struct {
	code   op.Code
	result op.Type
	pred   enum.IPred
	fpred  enum.FPred
	offset int64
	scale  int64 // of the operand that a link adds
	own    any   // an operation that is like no other
}

// opaque chains the operands of an operation that nothing is known of. Of an address the
// indices count that are not known: what the others add is part of its function.
func (c *Comparison) opaque(o *op.Op, t term, e *effects) term {
	t.kind, t.x, t.y, t.z = opaqueTerm, -1, -1, -1
	of := function{code: o.Code, result: o.Type, pred: o.Pred, fpred: o.FPred, offset: o.Offset}
	switch o.Code {
	case op.Other, op.Alloca, op.Phi:
		of.own = o.Node
	}
	for k, a := range o.Args {
		n, link := c.value(a, e), of
		if o.Code == op.Address && k > 0 {
			if by := c.terms[n]; by.kind == numberTerm {
				of.offset += o.Scales[k-1] * by.k
				continue
			}
			link.scale = o.Scales[k-1]
		}
		link.offset = 0
		t.x = c.add(term{kind: opaqueTerm, x: t.x, y: n, z: -1, k: c.number(link)}, Interval{})
	}
	t.k = c.number(of)
	return t
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
		if zero := c.terms[y]; zero.kind == numberTerm && zero.k == 0 && t.kind == operatorTerm && (t.what == op.Sub || t.what == op.Xor) {
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
	t := term{kind: orderTerm, ways: ways & can, width: 1, x: x, y: y, z: -1}
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
