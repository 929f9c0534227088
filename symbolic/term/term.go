// Package term has the formulas of symbolic execution: bit vectors of 1 to 64 bits, memory
// and traces of what a program showed, made once each (hash-consing) and rewritten to a
// normal form as they are made. Two terms that are one pointer are equal for every input;
// most questions about mutants end here.
//
// # Normal forms
//
// Truths are vectors of one bit. Sums are polynomials modulo 2^width: a constant and
// coefficients of products, in the order of their making (sum.go), so that commutativity,
// associativity and distributivity are no questions. Comparisons are Eq, Ult and Slt, with
// constants on the right; the least and the greatest of two are one Ite each, whatever
// comparison made them (choose.go). Every term knows bounds of its value with a sign and
// without (bounds.go), which decide comparisons.
//
// # What is not interpreted
//
// An App is a function of which only that is known that equal arguments give equal
// results: floating-point arithmetic, the results of calls, what memory held at first.
// A trace is a list of events, each with its arguments; traces are equal if their events
// are. Memory is a list of stores of bytes on what it was at first (memory.go).
//
// What machines do where C leaves a result undefined is part of the meaning here: results
// wrap. Division by zero gives what SMT-LIB says; that it traps is for those to say who
// make terms of programs.
package term

import (
	"encoding/binary"
	"fmt"
)

// Op is what a term does with its arguments.
type Op uint8

// The operators. All but Extract, Concat, ZExt, SExt, comparisons and what is not of bits
// have arguments of the term's own width.
const (
	Const   Op = iota // X
	Var               // Name
	Sum               // X plus each argument times its coefficient
	Product           // of the arguments, none of which is a constant or a Sum
	UDiv
	URem
	SDiv
	SRem
	And
	Or
	Xor
	Not
	Shl  // by less than the width, or 0
	LShr // by less than the width, or 0
	AShr // by less than the width, or the sign
	Eq
	Ult
	Slt
	Ite     // of anything: the second argument where the first is 1, else the third
	Extract // the bits from X on
	Concat  // the first argument has the upper bits
	ZExt
	SExt
	App   // Name of the arguments, not interpreted
	Store // memory: the first argument with the third at the address that the second is
	Event // trace: the first argument and then Name with the others
)

var opNames = [...]string{"const", "var", "sum", "product", "udiv", "urem", "sdiv", "srem", "and", "or", "xor", "not", "shl", "lshr", "ashr",
	"eq", "ult", "slt", "ite", "extract", "concat", "zext", "sext", "app", "store", "event"}

func (o Op) String() string { return opNames[o] }

// The sorts that are not bits are widths of their own.
const (
	Memory uint8 = 200 // of a Term: bytes by address
	Trace  uint8 = 201 // events
)

// Term is a formula. Terms of one Pool are equal if they are the same pointer.
type Term struct {
	Op    Op
	Width uint8 // in bits, or Memory or Trace
	ID    uint32
	X     uint64
	Name  string
	Args  []*Term
	// Coefficients are those of a Sum's arguments.
	Coefficients []uint64

	bounds bounds
}

// Pool makes terms. It is for one goroutine.
type Pool struct {
	terms   map[string]*Term
	all     []*Term
	buffer  []byte
	cut     map[[3]uint32]*Term // what Extract makes of terms, by term, first bit and width
	loads   map[loadKey]*Term
	objects map[*Term]bool
	numbers map[[2]uint64]*Term // constants, by width and value
	truth   [2]*Term
}

// NewPool makes an empty pool.
func NewPool() *Pool {
	p := &Pool{terms: map[string]*Term{}, cut: map[[3]uint32]*Term{}, loads: map[loadKey]*Term{}, objects: map[*Term]bool{}, numbers: map[[2]uint64]*Term{}}
	p.truth = [2]*Term{p.Number(0, 1), p.Number(1, 1)}
	return p
}

// Len is how many terms were made.
func (p *Pool) Len() int { return len(p.all) }

// Mask has the bits of a width.
func Mask(width uint8) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}

// Signed reads the bits of a width with a sign.
func Signed(x uint64, width uint8) int64 {
	if width >= 64 {
		return int64(x)
	}
	return int64(x<<(64-width)) >> (64 - width)
}

// make is the term of which there is one.
func (p *Pool) make(t Term) *Term {
	b := append(p.buffer[:0], byte(t.Op), t.Width)
	b = binary.LittleEndian.AppendUint64(b, t.X)
	for _, a := range t.Args {
		b = binary.LittleEndian.AppendUint32(b, a.ID)
	}
	for _, c := range t.Coefficients {
		b = binary.LittleEndian.AppendUint64(b, c)
	}
	b = append(b, t.Name...)
	p.buffer = b
	if same := p.terms[string(b)]; same != nil {
		return same
	}
	t.ID = uint32(len(p.all))
	made := &t
	made.bounds = boundsOf(made)
	p.terms[string(b)] = made
	p.all = append(p.all, made)
	return made
}

// Number is a constant.
func (p *Pool) Number(x uint64, width uint8) *Term {
	x &= Mask(width)
	key := [2]uint64{uint64(width), x}
	if n := p.numbers[key]; n != nil {
		return n
	}
	n := p.make(Term{Op: Const, Width: width, X: x})
	p.numbers[key] = n
	return n
}

// Truth is 1 or 0, of one bit.
func (p *Pool) Truth(b bool) *Term {
	if b {
		return p.truth[1]
	}
	return p.truth[0]
}

// Var is an input, of bits or a memory or trace of which nothing is known. Names are
// unique for a width.
func (p *Pool) Var(name string, width uint8) *Term {
	return p.make(Term{Op: Var, Width: width, Name: name})
}

// App is a function that is not interpreted.
func (p *Pool) App(name string, width uint8, args ...*Term) *Term {
	return p.make(Term{Op: App, Width: width, Name: name, Args: args})
}

// Event is a trace with one more event.
func (p *Pool) Event(name string, trace *Term, args ...*Term) *Term {
	return p.make(Term{Op: Event, Width: Trace, Name: name, Args: append([]*Term{trace}, args...)})
}

// IsConst reports a constant.
func (t *Term) IsConst() bool { return t.Op == Const }

// IsTrue and IsFalse report the truths.
func (t *Term) IsTrue() bool { return t.Op == Const && t.Width == 1 && t.X == 1 }

// IsFalse is described at IsTrue.
func (t *Term) IsFalse() bool { return t.Op == Const && t.Width == 1 && t.X == 0 }

// IsBits reports a term that is neither memory nor a trace.
func (t *Term) IsBits() bool { return t.Width <= 64 }

// String is the term as an S-expression, for errors and tests.
func (t *Term) String() string {
	switch t.Op {
	case Const:
		return fmt.Sprintf("%d:%d", Signed(t.X, t.Width), t.Width)
	case Var:
		return t.Name
	}
	text := "(" + t.Op.String()
	switch t.Op {
	case Sum, Extract:
		text += fmt.Sprintf(" %d", Signed(t.X, t.Width))
	case App, Event:
		text += " " + t.Name
	}
	for k, a := range t.Args {
		if t.Op == Sum {
			text += fmt.Sprintf(" %d*", Signed(t.Coefficients[k], t.Width))
		} else {
			text += " "
		}
		text += a.String()
	}
	return text + ")"
}

// Each calls do with the terms that a term is made of, itself last, each once.
func Each(do func(*Term), roots ...*Term) {
	seen := map[*Term]bool{}
	type visit struct {
		t    *Term
		next int
	}
	var stack []visit
	for _, root := range roots {
		if seen[root] {
			continue
		}
		seen[root] = true
		stack = append(stack, visit{root, 0})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.t.Args) {
				do(top.t)
				stack = stack[:len(stack)-1]
				continue
			}
			a := top.t.Args[top.next]
			top.next++
			if !seen[a] {
				seen[a] = true
				stack = append(stack, visit{a, 0})
			}
		}
	}
}
