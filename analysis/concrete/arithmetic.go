package concrete

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/op"
)

func (r *Run) binaryInts(o *operation) {
	if o.as == opaqueKind {
		r.set(o, draw(r.seed, r.key(o), o.as))
		return
	}
	z, ok := o.Code.Ints(r.get(o.args[0]), r.get(o.args[1]), uint(o.as))
	if r.Trapped = !ok; ok {
		r.set(o, z)
	}
}

func (r *Run) convert(o *operation) {
	from := o.args[0].as
	x := r.get(o.args[0])
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
		f := wordFloat(x)
		if math.IsNaN(f) || math.Abs(f) > 1<<62 {
			f = math.MinInt32
		}
		x = o.as.wrap(int64(f))
	case op.FPTrunc:
		x = floatWord(o.as.round(wordFloat(x)))
	}
	r.set(o, x)
}
