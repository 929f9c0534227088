// Package bits finds which bits of the integers of a function are always the
// same: the parity of 2*i, the zeros above x & 15, the low zeros of n << 3.
//
// # Method
//
// It is abstract interpretation with two masks a value, those of the bits that are
// always 0 and of those that are always 1 (Warren, "Hacker's Delight", 2-nd ed.,
// chapter 4; Reps and Thakur call the domain bitwise). Sums and differences follow
// the carries that are known. A local variable that is only loaded from and stored
// to, as a whole, holds the join of all that the function stores to it, whatever
// the order. Sets of known bits start as "never computed" and only shrink; where a
// variable changes for the third time, all bits from the lowest that changed are
// given up, which ends soon. Then two passes over the code take back what went too
// far, as that of (x + 1) & 7.
//
// # What is assumed
//
// A variable is not read before it was written, which C says. Nothing is known of
// parameters, memory reached through addresses, arrays, what calls return, and
// integers wider than 64 bits.
package bits

import (
	"math/bits"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// Known is what is known of an integer: the masks of the bits that are 0 and that
// are 1 whenever it is computed. A bit of both masks means that it never is. Bits
// from Width on are in no mask; a Width of 0 is no integer.
type Known struct {
	Zero, One uint64
	Width     uint
}

// Unknown is a value of which nothing is known.
func Unknown(width uint) Known { return Known{Width: width} }

// Exactly is a value that is always the same.
func Exactly(x uint64, width uint) Known {
	m := mask(width)
	return Known{Zero: ^x & m, One: x & m, Width: width}
}

func never(width uint) Known { return Known{Zero: mask(width), One: mask(width), Width: width} }

func mask(width uint) uint64 { return ^uint64(0) >> (64 - min(64, width)) * min(1, uint64(width)) }

// Never reports a value that is never computed.
func (k Known) Never() bool { return k.Zero&k.One != 0 }

// Count is how many bits are known.
func (k Known) Count() int { return bits.OnesCount64(k.Zero | k.One) }

// Low is how many bits are known from the lowest up, without a gap.
func (k Known) Low() int { return min(int(k.Width), bits.TrailingZeros64(^(k.Zero | k.One))) }

// LowZeros is how many of the lowest bits are 0: 2 for a multiple of 4.
func (k Known) LowZeros() int { return min(int(k.Width), bits.TrailingZeros64(^k.Zero)) }

// May is the mask of the bits that may be 1.
func (k Known) May() uint64 { return mask(k.Width) &^ k.Zero }

// Differs reports that two values of one width are never equal: some bit is 0 in
// one and 1 in the other.
func (k Known) Differs(o Known) bool {
	return k.Width == o.Width && !k.Never() && !o.Never() && (k.Zero&o.One|k.One&o.Zero) != 0
}

// join is what holds of either.
func (k Known) join(o Known) Known {
	return Known{Zero: k.Zero & o.Zero, One: k.One & o.One, Width: k.Width}
}

// Facts are the known bits of a function.
type Facts struct {
	code      *op.Function
	values    []Known     // by item; those of terminators have no width
	variables []*variable // by the item of their allocation; nil for others
}

type variable struct {
	held    Known
	changes int
	stored  Known // of one pass
}

// rounds bounds the passes over the code; they end far sooner.
const rounds = 64

// Of finds the known bits of a function.
func Of(code *op.Function) *Facts {
	f := &Facts{code: code, values: make([]Known, len(code.Ops)), variables: make([]*variable, len(code.Ops))}
	for i := range code.Ops {
		o := &code.Ops[i]
		if o.Code == op.Store || o.Code.IsTerminator() {
			continue
		}
		f.values[i] = never(o.Type.Width())
		if o.Code == op.Alloca && f.whole(i) {
			f.variables[i] = &variable{held: never(o.Content.Width())}
		}
	}
	for range rounds {
		if !f.pass() {
			f.narrow()
			f.narrow()
			return f
		}
	}
	for i := range f.values { // nothing that did not settle is believed
		f.values[i] = Unknown(f.values[i].Width)
	}
	clear(f.variables)
	return f
}

// whole reports a variable that is only loaded from and stored to as it is.
func (f *Facts) whole(at int) bool {
	content := f.code.Ops[at].Content
	if f.code.Ops[at].Bytes == 0 || content.Width() == 0 {
		return false
	}
	for _, u := range f.code.Code.Users[at] {
		switch o := &f.code.Ops[u]; {
		case o.Code == op.Load && o.Type == content:
		case o.Code == op.Store && o.Type == content: // which is no address
		default:
			return false
		}
	}
	return true
}

// variableAt is the variable at an address, nil for none.
func (f *Facts) variableAt(a op.Operand) *variable {
	if a.Kind != op.Item {
		return nil
	}
	return f.variables[a.X]
}

// pass computes everything anew and reports whether something changed.
func (f *Facts) pass() bool {
	changed := false
	for i := range f.code.Ops {
		o := &f.code.Ops[i]
		if o.Code == op.Store {
			if v := f.variableAt(o.Args[0]); v != nil {
				changed = v.store(f.operand(o.Args[1])) || changed
			}
			continue
		}
		if f.values[i].Width == 0 {
			continue
		}
		if k := f.eval(o, f.operand); k != f.values[i] {
			f.values[i], changed = k, true
		}
	}
	return changed
}

// narrow computes everything anew from what holds, each variable from its stores
// alone.
func (f *Facts) narrow() {
	for _, v := range f.variables {
		if v != nil {
			v.stored = never(v.held.Width)
		}
	}
	for i := range f.code.Ops {
		o := &f.code.Ops[i]
		if o.Code == op.Store {
			if v := f.variableAt(o.Args[0]); v != nil {
				v.stored = v.stored.join(f.operand(o.Args[1]))
			}
		} else if f.values[i].Width > 0 {
			f.values[i] = f.eval(o, f.operand)
		}
	}
	for _, v := range f.variables {
		if v != nil {
			v.held = v.stored
		}
	}
}

func (v *variable) store(k Known) bool {
	joined := v.held.join(k)
	if joined == v.held {
		return false
	}
	if v.changes++; v.changes > 2 {
		lost := (v.held.Zero | v.held.One) &^ (joined.Zero | joined.One)
		kept := mask(uint(bits.TrailingZeros64(lost)))
		joined.Zero, joined.One = joined.Zero&kept, joined.One&kept
	}
	v.held = joined
	return true
}

// Value is what is known of a register, parameter or number; its Width is 0 for
// what is no integer of up to 64 bits.
func (f *Facts) Value(v value.Value) Known { return f.operand(f.code.Operand(v)) }

func (f *Facts) operand(a op.Operand) Known {
	width := a.Type.Width()
	switch {
	case width == 0:
		return Known{}
	case a.IsNumber():
		return Exactly(uint64(a.X), width)
	case a.Kind == op.Item:
		return f.values[a.X]
	}
	return Unknown(width)
}

// Scratch is code that takes the place of some of the function's.
type Scratch struct {
	f      *Facts
	code   *op.Replacement
	values []Known // by operation
}

// Instead finds the known bits of code that takes the place of some of the function's.
func (f *Facts) Instead(code *op.Replacement) *Scratch {
	s := &Scratch{f: f, code: code, values: make([]Known, 0, len(code.Ops))}
	for k := range code.Ops {
		known := Known{}
		if o := &code.Ops[k]; o.Code != op.Store && o.Type.Width() > 0 {
			known = f.eval(o, s.operand)
		}
		s.values = append(s.values, known)
	}
	return s
}

// Value is what is known of a result of the scratch code, or of a value of the
// function.
func (s *Scratch) Value(v value.Value) Known { return s.operand(s.code.Operand(v)) }

func (s *Scratch) operand(a op.Operand) Known {
	if a.Kind == op.Scratch {
		return s.values[a.X]
	}
	return s.f.operand(a)
}
