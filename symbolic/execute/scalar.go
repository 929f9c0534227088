package execute

import (
	"slices"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Scalar is a variable of the function that is a vector of bits in every state: nobody but the
// function reads or writes it.
type Scalar struct {
	// Number is its place in State.Locals, Width that of its vector.
	Number int
	Width  uint8
	// Constants are the numbers that it is set to or compared with, ascending.
	Constants []int64
	// Integer says that it is declared as one, and no pointer, float or structure.
	Integer bool
	// Unsigned says that it is used as a number without a sign somewhere.
	Unsigned bool
}

// Scalars are the function's.
func (f *Function) Scalars() []Scalar {
	var out []Scalar
	at := map[int]int{} // by number
	for k, l := range f.locals {
		if l.place == asScalar {
			at[k] = len(out)
			out = append(out, Scalar{Number: k, Width: uint8(8 * l.bytes), Integer: f.code.Ops[l.item].Content.Class == op.Int})
		}
	}
	of := func(a op.Operand) *Scalar {
		if a.Kind != op.Item {
			return nil
		}
		if k, ok := f.localOf[int(a.X)]; ok {
			if n, ok := at[k]; ok {
				return &out[n]
			}
		}
		return nil
	}
	for i := range f.code.Ops {
		o := &f.code.Ops[i]
		switch o.Code {
		case op.Store:
			if v := of(o.Args[0]); v != nil && o.Args[1].IsNumber() {
				v.Constants = append(v.Constants, o.Args[1].X)
			}
		case op.ZExt, op.UDiv, op.URem, op.LShr, op.UIToFP:
			if from := f.loaded(o.Args[0]); from != nil {
				if v := of(from.Args[0]); v != nil {
					v.Unsigned = true
				}
			}
		case op.CompareInts:
			for k, a := range o.Args {
				from := f.loaded(a)
				if from == nil {
					continue
				}
				v := of(from.Args[0])
				if v == nil {
					continue
				}
				if other := o.Args[1-k]; other.IsNumber() {
					v.Constants = append(v.Constants, other.X)
				}
				v.Unsigned = v.Unsigned || o.Pred >= enum.IPredUGE && o.Pred <= enum.IPredULT
			}
		}
	}
	for n := range out {
		slices.Sort(out[n].Constants)
		out[n].Constants = slices.Compact(out[n].Constants)
	}
	return out
}

// loaded is the load that an operand is, widened or not; nil for others.
func (f *Function) loaded(a op.Operand) *op.Op {
	for a.Kind == op.Item {
		o := &f.code.Ops[a.X]
		switch o.Code {
		case op.Load:
			return o
		case op.SExt, op.ZExt:
			a = o.Args[0]
		default:
			return nil
		}
	}
	return nil
}

// largestStep is the largest constant that a counter goes on by.
const largestStep = 16

// Counted is Run of the original, with the condition that no counter runs over on the way: no
// sum with a sign of a number and a small constant, whose overflow C does not define. Large
// operands are let overflow, although C does not define that either: programs do it, and what
// they print then is what tests compare.
func (f *Function) Counted(block int, state State) ([]Outcome, *term.Term, error) {
	r := &run{f: f, p: f.Pool, counted: f.Pool.Truth(true)}
	out, err := r.from(block, state)
	return out, r.counted, err
}

// count notes that a sum does not run over if it is a counter's.
func (r *run) count(o *op.Op, args []*term.Term) {
	if r.counted == nil || o.Flags&op.NoSignedWrap == 0 || o.Code != op.Add && o.Code != op.Sub || !args[1].IsConst() {
		return
	}
	width := args[1].Width
	step := term.Signed(args[1].X, width)
	if o.Code == op.Sub {
		step = -step
	}
	least := -int64(term.Mask(width)>>1) - 1
	var fits *term.Term
	switch {
	case step > 0 && step <= largestStep:
		fits = r.p.Sle(args[0], r.p.Number(uint64(-least-1-step), width))
	case step < 0 && step >= -largestStep:
		fits = r.p.Sle(r.p.Number(uint64(least-step), width), args[0])
	default:
		return
	}
	r.counted = r.p.And(r.counted, r.p.Or(r.p.Not(r.when), fits))
}
