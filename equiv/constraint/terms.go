package constraint

import (
	"fmt"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// term is a value by what computes it. Two terms that are the same number are the same value
// wherever both are known.
type term int32

// form is how a term is computed.
type form struct {
	code    op.Code // Skip: a leaf
	a, b, c term
	// k is a leaf's: a number's value, a parameter's place, an item, a variable with its join.
	k     int64
	leaf  leaf
	width uint8
	// of a comparison
	rel      relation
	unsigned bool
}

// leaf says what a term without operands is.
type leaf uint8

const (
	isNumber leaf = iota + 1
	isParam
	isItem    // what an item computes that is not looked into
	isJoin    // a variable as several assignments leave it at a join, k of variable a
	isScratch // what changed code computes that is not looked into
)

// terms are the terms of a function, each once.
type terms struct {
	forms []form
	known map[form]term
	// names are what leaves are called in the source.
	names []string
}

func newTerms() *terms { return &terms{known: map[form]term{}} }

func (t *terms) add(f form) term {
	if x, ok := t.known[f]; ok {
		return x
	}
	x := term(len(t.forms))
	t.known[f] = x
	t.forms, t.names = append(t.forms, f), append(t.names, "")
	return x
}

func (t *terms) leaf(kind leaf, a term, k int64, width uint, name string) term {
	x := t.add(form{leaf: kind, a: a, k: k, width: uint8(width)})
	if t.names[x] == "" {
		t.names[x] = name
	}
	return x
}

func (t *terms) number(k int64, width uint) term {
	if k = op.Wrap(k, width); width == 1 { // a truth
		k &= 1
	}
	return t.add(form{leaf: isNumber, k: k, width: uint8(width)})
}

// constant is a term's value, if it is a number.
func (t *terms) constant(x term) (int64, bool) {
	f := &t.forms[x]
	return f.k, f.leaf == isNumber
}

func (t *terms) width(x term) uint { return uint(t.forms[x].width) }

var commutes = map[op.Code]bool{op.Add: true, op.Mul: true, op.And: true, op.Or: true, op.Xor: true}

// binary is an operator of two integers of a width, in a form that does not depend on the
// order of operands where the operator does not.
func (t *terms) binary(code op.Code, a, b term, width uint) term {
	x, xNumber := t.constant(a)
	y, yNumber := t.constant(b)
	switch {
	case xNumber && yNumber:
		if z, ok := code.Ints(x, y, width); ok && !shiftsTooFar(code, y, width) {
			return t.number(z, width)
		}
	case commutes[code] && (xNumber || !yNumber && a > b):
		return t.binary(code, b, a, width)
	}
	if yNumber {
		switch {
		case y == 0 && (code == op.Add || code == op.Sub || code == op.Or || code == op.Xor || isShift(code)), y == 1 && (code == op.Mul || code == op.SDiv || code == op.UDiv) && width > 1, y == -1 && code == op.And:
			return a
		case y == 0 && (code == op.Mul || code == op.And):
			return t.number(0, width)
		}
	}
	if a == b {
		switch code {
		case op.Sub, op.Xor:
			return t.number(0, width)
		case op.And, op.Or:
			return a
		}
	}
	return t.add(form{code: code, a: a, b: b, width: uint8(width)})
}

func isShift(code op.Code) bool { return code == op.Shl || code == op.LShr || code == op.AShr }

func shiftsTooFar(code op.Code, by int64, width uint) bool {
	return isShift(code) && op.Unsigned(by, width) >= uint64(width)
}

// convert is a conversion between widths of integers.
func (t *terms) convert(code op.Code, a term, width uint) term {
	if x, ok := t.constant(a); ok {
		switch {
		case code == op.ZExt:
			x = int64(op.Unsigned(x, t.width(a)))
		case t.width(a) == 1:
			x = -x // the sign of a truth is its only bit
		}
		return t.number(x, width)
	}
	if f := t.forms[a]; code == f.code && (code == op.ZExt || code == op.SExt) {
		a = f.a
	} else if code == op.Trunc && (f.code == op.ZExt || f.code == op.SExt) && t.width(f.a) == width {
		return f.a
	}
	return t.add(form{code: code, a: a, width: uint8(width)})
}

// compare is a comparison: a number, or one whose second operand is one if any is.
func (t *terms) compare(a, b term, rel relation, unsigned bool) term {
	c := t.constraint(a, b, rel, unsigned)
	switch {
	case c.rel == never:
		return t.number(0, 1)
	case c.rel == always:
		return t.number(1, 1)
	}
	return t.add(form{code: op.CompareInts, a: c.a, b: c.b, rel: c.rel, unsigned: c.unsigned, width: 1})
}

var symbols = map[op.Code]string{op.Add: "+", op.Sub: "-", op.Mul: "*", op.SDiv: "/", op.UDiv: "/", op.SRem: "%", op.URem: "%",
	op.And: "&", op.Or: "|", op.Xor: "^", op.Shl: "<<", op.LShr: ">>", op.AShr: ">>"}

// text is a term as C, as far as it has names there.
func (t *terms) text(x term) string {
	return t.textWithin(x, 4)
}

func (t *terms) textWithin(x term, depth int) string {
	f := &t.forms[x]
	switch {
	case f.leaf == isNumber:
		return fmt.Sprint(f.k)
	case t.names[x] != "":
		return t.names[x]
	case depth == 0 || f.leaf != 0:
		return "…"
	case symbols[f.code] != "":
		return t.operand(f.a, depth) + " " + symbols[f.code] + " " + t.operand(f.b, depth)
	case f.code == op.CompareInts:
		return t.operand(f.a, depth) + " " + f.rel.String() + " " + t.operand(f.b, depth)
	case f.code == op.Select:
		return t.operand(f.a, depth) + " ? " + t.operand(f.b, depth) + " : " + t.operand(f.c, depth)
	case f.code.IsConversion():
		return t.textWithin(f.a, depth)
	}
	return "…"
}

// compared is the text of what is compared, with a sign or without: the operators that bind weaker than a
// comparison are in parentheses.
func (t *terms) compared(x term, unsigned bool) string {
	f := &t.forms[x]
	if f.leaf == isNumber && unsigned {
		return fmt.Sprint(op.Unsigned(f.k, t.width(x)))
	}
	if t.names[x] == "" && (f.code == op.And || f.code == op.Or || f.code == op.Xor || f.code == op.CompareInts || f.code == op.Select) {
		return "(" + t.text(x) + ")"
	}
	return t.text(x)
}

func (t *terms) operand(x term, depth int) string {
	f := &t.forms[x]
	text := t.textWithin(x, depth-1)
	if t.names[x] == "" && f.leaf == 0 && !f.code.IsConversion() {
		return "(" + text + ")"
	}
	return text
}
