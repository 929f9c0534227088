package concrete

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// makeUp draws what an operation gives of which nothing is known, for its operands.
func (r *Run) makeUp(o *operation) {
	r.guess()
	r.set(o, draw(r.seed, r.key(o), o.as))
}

func (r *Run) binaryInts(o *operation) {
	x, y := r.get(o.args[0]), r.get(o.args[1])
	switch o.as {
	case opaqueKind:
		r.makeUp(o)
	case kindWide:
		z, ok := o.Code.Wides(r.program.wideInt(x), r.program.wideInt(y), uint(o.Type.Bits))
		if r.Trapped = !ok; ok {
			r.set(o, r.program.ofWideInt(z, o.Type))
		}
	default:
		z, ok := o.Code.Ints(x, y, uint(o.as))
		if r.Trapped = !ok; ok {
			r.set(o, z)
		}
		if r.path != nil && r.path.Transcript != nil && undefined(o, x, y) {
			r.guess()
		}
	}
}

// undefined reports what C leaves undefined of numbers of at most 64 bits, and another machine or
// an optimiser may give another result for: a shift that is too far, a sum, difference or
// product that its type does not hold, and 0 or 1 divided by 0, where optimisers say that 0 divided
// by anything is 0, and 1 by anything but 1 and -1.
func undefined(o *operation, x, y int64) bool {
	width := uint(o.as)
	switch {
	case o.Code == op.Shl || o.Code == op.LShr || o.Code == op.AShr:
		return uint64(y) >= uint64(width)
	case o.Code == op.SDiv || o.Code == op.UDiv || o.Code == op.SRem || o.Code == op.URem:
		return (x == 0 || x == 1) && y == 0 // elsewhere machines trap
	case o.Flags&op.NoSignedWrap == 0:
		return false
	}
	switch o.Code {
	case op.Add:
		sum := x + y
		return (x < 0) == (y < 0) && (sum < 0) != (x < 0) || op.Wrap(sum, width) != sum
	case op.Sub:
		difference := x - y
		return (x < 0) != (y < 0) && (difference < 0) != (x < 0) || op.Wrap(difference, width) != difference
	case op.Mul:
		high, low := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		product := x * y
		return high != 0 || low > 1<<63 || (product < 0) != ((x < 0) != (y < 0)) && product != 0 || op.Wrap(product, width) != product
	}
	return false
}

func (r *Run) compareInts(o *operation) {
	x, y := r.get(o.args[0]), r.get(o.args[1])
	if o.as != kindWide {
		r.set(o, boolWord(op.Holds(o.Pred, x, y, uint(o.as))))
		return
	}
	p, t := r.program, o.Args[0].Type
	less, below := p.wideInt(x).Cmp(p.wideInt(y)) < 0, p.unsignedWide(x, t).Cmp(p.unsignedWide(y, t)) < 0
	r.set(o, boolWord(op.HoldsOf(o.Pred, less, below, x == y)))
}

func (r *Run) convert(o *operation) {
	from := o.args[0].as
	x := r.get(o.args[0])
	switch {
	case from == opaqueKind || o.as == opaqueKind:
		r.makeUp(o)
		return
	case o.Code == op.BitCast:
		r.set(o, r.reread(x, o.Args[0].Type, o.Type))
		return
	case from == kindWide || o.as == kindWide:
		r.set(o, r.convertWide(o, x))
		return
	}
	switch o.Code {
	case op.SExt:
		if from == 1 {
			x = -x
		}
	case op.ZExt:
		x = int64(from.unsigned(x))
	case op.Trunc:
		x = o.as.wrap(x)
	case op.SIToFP:
		x = floatWord(o.as.round(float64(x)))
	case op.UIToFP:
		x = floatWord(o.as.round(float64(from.unsigned(x))))
	case op.FPToSI, op.FPToUI:
		x = o.as.wrap(toInt(wordFloat(x), o.Code))
	case op.FPTrunc:
		x = floatWord(o.as.round(wordFloat(x)))
	}
	r.set(o, x)
}

// toInt cuts the fraction off; a number that the type cannot hold, of which C says nothing,
// is the least int.
func toInt(f float64, code op.Code) int64 {
	switch {
	case code == op.FPToUI && f >= 1<<63 && f < 1<<64:
		return int64(uint64(f))
	case math.IsNaN(f) || math.Abs(f) >= 1<<63:
		return math.MinInt32
	}
	return int64(f)
}

// reread is a word of one type as that of another of as many bytes.
func (r *Run) reread(x int64, from, to op.Type) int64 {
	lo, hi := r.program.encode(x, kindOf(from), sizeOf(from))
	return r.program.decode(lo, hi, kindOf(to), sizeOf(to))
}

// convertWide is a conversion from or to an integer of more than 64 bits.
func (r *Run) convertWide(o *operation, x int64) int64 {
	from := o.Args[0].Type
	switch o.Code {
	case op.SIToFP, op.UIToFP:
		z := r.program.wideInt(x)
		if o.Code == op.UIToFP {
			z = r.program.unsignedWide(x, from)
		}
		f, _ := new(big.Float).SetInt(z).Float64()
		return floatWord(o.as.round(f))
	case op.FPToSI, op.FPToUI:
		f := wordFloat(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return math.MinInt64
		}
		z, _ := big.NewFloat(f).Int(nil)
		return r.program.ofWideInt(z, o.Type)
	case op.ZExt:
		z := new(big.Int).SetUint64(o.args[0].as.unsigned(x))
		if from.Bits > 64 {
			z = r.program.unsignedWide(x, from)
		}
		return r.program.ofWideInt(z, o.Type)
	}
	if o.Code == op.SExt && from.Bits == 1 {
		x = -x
	}
	return r.program.ofWideInt(r.program.wideInt(x), o.Type)
}

// part takes a member out of a structure in registers, or puts one in. No member lies on
// both sides of the middle of 16 bytes.
func (r *Run) part(o *operation) {
	p, whole := r.program, o.args[0].as
	if whole == opaqueKind || o.as == opaqueKind {
		r.makeUp(o)
		return
	}
	var halves [2]uint64
	halves[0], halves[1] = p.encode(r.get(o.args[0]), whole, sizeOf(o.Args[0].Type))
	half, by := &halves[o.Offset/8&1], 8*uint(o.Offset%8)
	if o.Code == op.Extract {
		if o.as == kindWide {
			r.set(o, p.decode(halves[0], halves[1], o.as, o.size))
			return
		}
		r.set(o, p.decode(*half>>by, 0, o.as, o.size))
		return
	}
	member := o.Args[1].Type
	x, _ := p.encode(r.get(o.args[1]), o.args[1].as, sizeOf(member))
	mask := low(sizeOf(member)) << by
	*half = *half&^mask | x<<by&mask
	r.set(o, p.decode(halves[0], halves[1], o.as, o.size))
}
