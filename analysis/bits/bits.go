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

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/ir"
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
	code      *defuse.Code
	values    []Known
	variables map[value.Value]*variable
}

type variable struct {
	held    Known
	changes int
}

// rounds bounds the passes over the code; they end far sooner.
const rounds = 64

// Of finds the known bits of a function.
func Of(code *defuse.Code) *Facts {
	f := &Facts{code: code, values: make([]Known, len(code.Items)), variables: map[value.Value]*variable{}}
	for i := range code.Items {
		if v := code.Items[i].Value(); v != nil && code.Items[i].Inst != nil {
			f.values[i] = never(widthOf(v.Type()))
		}
		if slot, ok := code.Items[i].Inst.(*llir.InstAlloca); ok && f.whole(i, slot) {
			f.variables[slot] = &variable{held: never(widthOf(slot.ElemType))}
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
func (f *Facts) whole(at int, slot *llir.InstAlloca) bool {
	if slot.NElems != nil || widthOf(slot.ElemType) == 0 {
		return false
	}
	for _, u := range f.code.Users[at] {
		switch inst := f.code.Items[u].Inst.(type) {
		case *llir.InstLoad:
			if !inst.Type().Equal(slot.ElemType) {
				return false
			}
		case *llir.InstStore:
			if inst.Src == value.Value(slot) || !inst.Src.Type().Equal(slot.ElemType) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pass computes everything anew and reports whether something changed.
func (f *Facts) pass() bool {
	changed := false
	for i := range f.code.Items {
		inst := f.code.Items[i].Inst
		if store, ok := inst.(*llir.InstStore); ok {
			if v := f.variables[store.Dst]; v != nil {
				changed = v.store(f.Value(store.Src)) || changed
			}
			continue
		}
		if f.values[i].Width == 0 {
			continue
		}
		if k := f.eval(inst, f.Value); k != f.values[i] {
			f.values[i], changed = k, true
		}
	}
	return changed
}

// narrow computes everything anew from what holds, each variable from its stores
// alone.
func (f *Facts) narrow() {
	stored := make(map[value.Value]Known, len(f.variables))
	for slot, v := range f.variables {
		stored[slot] = never(v.held.Width)
	}
	for i := range f.code.Items {
		inst := f.code.Items[i].Inst
		if store, ok := inst.(*llir.InstStore); ok {
			if k, ok := stored[store.Dst]; ok {
				stored[store.Dst] = k.join(f.Value(store.Src))
			}
		} else if f.values[i].Width > 0 {
			f.values[i] = f.eval(inst, f.Value)
		}
	}
	for slot, k := range stored {
		f.variables[slot].held = k
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
func (f *Facts) Value(v value.Value) Known {
	v = ir.Unwrap(v)
	width := widthOf(v.Type())
	if width == 0 {
		return Known{}
	}
	if c, ok := v.(*constant.Int); ok {
		x := c.X.Int64()
		if !c.X.IsInt64() {
			x = int64(c.X.Uint64())
		}
		return Exactly(uint64(x), width)
	}
	if i, ok := f.code.Number(v); ok && f.code.Items[i].Inst != nil {
		return f.values[i]
	}
	return Unknown(width)
}

// Scratch is code that takes the place of some of the function's.
type Scratch struct {
	f     *Facts
	local map[value.Value]Known
}

// Instead finds the known bits of instructions that may use the function's values.
func (f *Facts) Instead(insts []llir.Instruction) *Scratch {
	s := &Scratch{f: f, local: make(map[value.Value]Known, len(insts))}
	for _, inst := range insts {
		if v, ok := inst.(value.Value); ok && widthOf(v.Type()) > 0 {
			s.local[v] = f.eval(inst, s.Value)
		}
	}
	return s
}

// Value is what is known of a result of the scratch code, or of a value of the
// function.
func (s *Scratch) Value(v value.Value) Known {
	if k, ok := s.local[v]; ok {
		return k
	}
	return s.f.Value(v)
}

func widthOf(t types.Type) uint {
	if i, ok := t.(*types.IntType); ok && i.BitSize <= 64 {
		return uint(i.BitSize)
	}
	return 0
}
