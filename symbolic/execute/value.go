package execute

import (
	"fmt"
	"math"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// value is the result of an operation that is no terminator; nil for those without one.
func (r *run) value(o *op.Op, item int) (*term.Term, error) {
	switch o.Code {
	case op.Skip:
		return nil, nil
	case op.Alloca:
		return r.allocate(o, item)
	case op.Load:
		return r.load(o)
	case op.Store:
		return nil, r.store(o)
	case op.Call:
		return r.call(o)
	case op.Phi, op.Extract, op.Insert, op.Other:
		return r.other(o)
	}
	width, err := widthOf(o.Type)
	if err != nil {
		return nil, err
	}
	args, err := r.operands(o.Args)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Code == op.Address:
		return r.address(o, args), nil
	case o.Code == op.Select:
		return r.p.Ite(args[0], args[1], args[2]), nil
	case o.Code == op.CompareInts:
		if r.neverNull(o.Pred, args[0], args[1]) {
			return r.p.Truth(o.Pred == enum.IPredNE), nil
		}
		return r.compare(o.Pred, args[0], args[1]), nil
	case o.Code == op.CompareFloats:
		return r.compareFloats(o.FPred, args[0], args[1]), nil
	case o.Code.IsBinaryInt():
		r.count(o, args)
		return r.binary(o.Code, args[0], args[1]), nil
	case o.Code.IsBinaryFloat() || o.Code == op.FNeg:
		return r.float(o.Code, width, args), nil
	}
	return r.convert(o, width, args[0]), nil
}

// allocate makes a variable whose size is not known, or that is made more than once.
func (r *run) allocate(o *op.Op, item int) (*term.Term, error) {
	if _, known := r.f.localOf[item]; known || item < 0 {
		return nil, nil
	}
	sizes, err := r.operands(o.Args)
	if err != nil {
		return nil, err
	}
	r.event(r.p.Truth(true), fmt.Sprintf("make variable %d", item), sizes...)
	return r.p.App("variable made", 64, r.state.Trace), nil
}

// other is what clang makes of C rarely. What freezes a value has it.
func (r *run) other(o *op.Op) (*term.Term, error) {
	if _, ok := o.Node.(*llir.InstFreeze); ok && len(o.Args) == 1 {
		return r.operand(o.Args[0])
	}
	return nil, Unsupported{fmt.Sprintf("it has an instruction that is not understood (%T)", o.Node)}
}

func (r *run) address(o *op.Op, args []*term.Term) *term.Term {
	out := r.p.Add(args[0], r.p.Number(uint64(o.Offset), 64))
	for k, a := range args[1:] {
		index := a
		if a.Width < 64 {
			index = r.p.SExt(a, 64)
		}
		out = r.p.Add(out, r.p.Mul(index, r.p.Number(uint64(o.Scales[k]), 64)))
	}
	return out
}

// neverNull reports the question whether an address in a variable of the function is null.
func (r *run) neverNull(pred enum.IPred, a, b *term.Term) bool {
	if pred != enum.IPredEQ && pred != enum.IPredNE || !b.IsConst() || b.X != 0 || b.Width != 64 {
		return false
	}
	t := a
	if a.Op == term.Sum && len(a.Args) == 1 && a.Coefficients[0] == 1 && a.X < 1<<20 {
		t = a.Args[0]
	}
	of, n, ok := r.f.variable(t)
	return ok && a.X <= uint64(of.locals[n].bytes)
}

func (r *run) compare(pred enum.IPred, a, b *term.Term) *term.Term {
	switch pred {
	case enum.IPredEQ:
		return r.p.Eq(a, b)
	case enum.IPredNE:
		return r.p.Ne(a, b)
	case enum.IPredSLT:
		return r.p.Slt(a, b)
	case enum.IPredSLE:
		return r.p.Sle(a, b)
	case enum.IPredSGT:
		return r.p.Slt(b, a)
	case enum.IPredSGE:
		return r.p.Sle(b, a)
	case enum.IPredULT:
		return r.p.Ult(a, b)
	case enum.IPredULE:
		return r.p.Ule(a, b)
	case enum.IPredUGT:
		return r.p.Ult(b, a)
	}
	return r.p.Ule(b, a)
}

// binary is an operator of integers.
func (r *run) binary(code op.Code, a, b *term.Term) *term.Term {
	switch code {
	case op.Add:
		return r.p.Add(a, b)
	case op.Sub:
		return r.p.Sub(a, b)
	case op.Mul:
		return r.p.Mul(a, b)
	case op.And:
		return r.p.And(a, b)
	case op.Or:
		return r.p.Or(a, b)
	case op.Xor:
		return r.p.Xor(a, b)
	case op.SDiv, op.UDiv, op.SRem, op.URem:
		return r.divide(code, a, b)
	}
	shifted := map[op.Code]func(a, b *term.Term) *term.Term{op.Shl: r.p.Shl, op.LShr: r.p.LShr, op.AShr: r.p.AShr}[code](a, b)
	near := r.p.Ult(b, r.p.Number(uint64(a.Width), a.Width))
	if uint64(a.Width) > term.Mask(a.Width) { // every amount is one
		return shifted
	}
	return r.p.Ite(near, shifted, r.p.App(fmt.Sprintf("shift %d", code), a.Width, a, b))
}

// divide traps where processors do.
func (r *run) divide(code op.Code, a, b *term.Term) *term.Term {
	zero := r.p.Eq(b, r.p.Number(0, b.Width))
	trap := zero
	if code == op.SDiv || code == op.SRem {
		least := r.p.Number(1<<(a.Width-1), a.Width)
		trap = r.p.Or(zero, r.p.And(r.p.Eq(a, least), r.p.Eq(b, r.p.Number(term.Mask(b.Width), b.Width))))
	}
	r.trap(trap)
	return r.p.Divide(map[op.Code]term.Op{op.SDiv: term.SDiv, op.UDiv: term.UDiv, op.SRem: term.SRem, op.URem: term.URem}[code], a, b)
}

// trap ends the program under a condition.
func (r *run) trap(when *term.Term) { r.state.Trapped = r.p.Or(r.state.Trapped, when) }

// float is an operator of floating-point numbers, computed for numbers that are known.
func (r *run) float(code op.Code, width uint8, args []*term.Term) *term.Term {
	if code == op.FNeg { // the sign's bit
		return r.p.Xor(args[0], r.p.Number(1<<(width-1), width))
	}
	a, b := args[0], args[1]
	if a.IsConst() && b.IsConst() && width >= 32 && code != op.FRem {
		return r.floatNumber(code.Floats(floatOf(a), floatOf(b)), width)
	}
	if (code == op.FAdd || code == op.FMul) && a.ID > b.ID {
		a, b = b, a
	}
	return r.p.App(fmt.Sprintf("float %d", code), width, a, b)
}

func floatOf(t *term.Term) float64 {
	if t.Width == 32 {
		return float64(math.Float32frombits(uint32(t.X)))
	}
	return math.Float64frombits(t.X)
}

// floatNumber is a floating-point constant; which NaN it is, nobody asks.
func (r *run) floatNumber(x float64, width uint8) *term.Term {
	if width == 32 {
		return r.p.Number(uint64(math.Float32bits(float32(x))), 32)
	}
	return r.p.Number(math.Float64bits(x), 64)
}

// compareFloats has three questions, o<, o<= and o==, and "is a number"; all others are
// put in terms of these.
func (r *run) compareFloats(pred enum.FPred, a, b *term.Term) *term.Term {
	if a.IsConst() && b.IsConst() && a.Width >= 32 {
		return r.p.Truth(op.HoldsFloat(pred, floatOf(a), floatOf(b)))
	}
	ask := func(name string, a, b *term.Term) *term.Term { return r.p.App("float "+name, 1, a, b) }
	equal := func() *term.Term {
		if a.ID > b.ID {
			return ask("==", b, a)
		}
		return ask("==", a, b)
	}
	number := func() *term.Term { return r.p.And(r.p.App("number", 1, a), r.p.App("number", 1, b)) }
	switch pred {
	case enum.FPredOEQ:
		return equal()
	case enum.FPredUNE:
		return r.p.Not(equal())
	case enum.FPredOLT:
		return ask("<", a, b)
	case enum.FPredOGT:
		return ask("<", b, a)
	case enum.FPredOLE:
		return ask("<=", a, b)
	case enum.FPredOGE:
		return ask("<=", b, a)
	case enum.FPredUGE:
		return r.p.Not(ask("<", a, b))
	case enum.FPredULE:
		return r.p.Not(ask("<", b, a))
	case enum.FPredUGT:
		return r.p.Not(ask("<=", a, b))
	case enum.FPredULT:
		return r.p.Not(ask("<=", b, a))
	case enum.FPredONE:
		return r.p.And(number(), r.p.Not(equal()))
	case enum.FPredUEQ:
		return r.p.Or(r.p.Not(number()), equal())
	case enum.FPredORD:
		return number()
	case enum.FPredUNO:
		return r.p.Not(number())
	}
	return r.p.Truth(pred == enum.FPredTrue)
}

// convert is a conversion.
func (r *run) convert(o *op.Op, width uint8, a *term.Term) *term.Term {
	switch o.Code {
	case op.SExt:
		return r.p.SExt(a, width)
	case op.ZExt:
		return r.p.ZExt(a, width)
	case op.Trunc:
		return r.p.Extract(a, 0, width)
	case op.BitCast:
		switch {
		case a.Width > width: // an address as an integer
			return r.p.Extract(a, 0, width)
		default:
			return r.p.ZExt(a, width)
		}
	}
	return r.p.App(fmt.Sprintf("convert %d from %d", o.Code, a.Width), width, a)
}
