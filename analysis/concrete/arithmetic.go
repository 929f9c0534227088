package concrete

import (
	"math"

	"github.com/llir/llvm/ir/enum"
)

func (r *Run) binaryInts(o *op) {
	x, y := r.get(o.args[0]), r.get(o.args[1])
	ux, uy := o.as.unsigned(x), o.as.unsigned(y)
	var z int64
	switch o.what {
	case add:
		z = x + y
	case sub:
		z = x - y
	case mul:
		z = x * y
	case sdiv, udiv, srem, urem:
		if r.Trapped = uy == 0; r.Trapped {
			return
		}
		switch o.what {
		case sdiv:
			z = x / y
		case udiv:
			z = int64(ux / uy)
		case srem:
			z = x % y
		case urem:
			z = int64(ux % uy)
		}
	case and:
		z = x & y
	case or:
		z = x | y
	case xor:
		z = x ^ y
	case shl: // a shift too far is what a processor makes of it
		z = x << (uy % uint64(o.as))
	case lshr:
		z = int64(ux >> (uy % uint64(o.as)))
	case ashr:
		z = x >> (uy % uint64(o.as))
	}
	r.set(o, o.as.wrap(z))
}

func binaryFloat(what int, x, y float64) float64 {
	switch what {
	case add:
		return x + y
	case sub:
		return x - y
	case mul:
		return x * y
	case sdiv:
		return x / y
	}
	return math.Mod(x, y)
}

func floatHolds(pred enum.FPred, x, y float64) bool {
	unordered := math.IsNaN(x) || math.IsNaN(y)
	switch pred {
	case enum.FPredOEQ:
		return x == y
	case enum.FPredONE:
		return x < y || x > y
	case enum.FPredOLT:
		return x < y
	case enum.FPredOLE:
		return x <= y
	case enum.FPredOGT:
		return x > y
	case enum.FPredOGE:
		return x >= y
	case enum.FPredUEQ:
		return unordered || x == y
	case enum.FPredUNE:
		return x != y
	case enum.FPredULT:
		return !(x >= y)
	case enum.FPredULE:
		return !(x > y)
	case enum.FPredUGT:
		return !(x <= y)
	case enum.FPredUGE:
		return !(x < y)
	case enum.FPredORD:
		return !unordered
	case enum.FPredUNO:
		return unordered
	}
	return pred == enum.FPredTrue
}

func (r *Run) convert(o *op) {
	from := o.args[0].as
	x := r.get(o.args[0])
	switch o.what {
	case zeroExtend:
		x = int64(from.unsigned(x))
	case truncate:
		x = o.as.wrap(x)
	case toFloat:
		x = floatWord(o.as.round(float64(x)))
	case toFloatUnsigned:
		x = floatWord(o.as.round(float64(from.unsigned(x))))
	case toInt:
		f := wordFloat(x)
		if math.IsNaN(f) || math.Abs(f) > 1<<62 {
			f = math.MinInt32
		}
		x = o.as.wrap(int64(f))
	}
	switch {
	case from == 1 && o.what == keep: // sext i1
		x = -x
	case o.as == kindSingle && from == kindFloat:
		x = floatWord(o.as.round(wordFloat(x)))
	}
	r.set(o, x)
}
