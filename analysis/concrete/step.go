package concrete

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/op"
)

func floatWord(f float64) int64 { return int64(math.Float64bits(f)) }
func wordFloat(x int64) float64 { return math.Float64frombits(uint64(x)) }
func boolWord(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
func (r *Run) float(a ref) float64         { return wordFloat(r.get(a)) }
func nearNull(at int64) bool               { return at > -4096 && at < 4096 }
func (r *Run) set(o *operation, x int64)   { r.regs[o.to] = x }
func (r *Run) key(o *operation) (h uint64) { return r.hash(o.number(), o.args) }

func (r *Run) hash(h uint64, args []ref) uint64 {
	for _, a := range args {
		h = mix(h, uint64(r.get(a)))
	}
	return h
}

// get is small enough to be put where it is called: most operands are of the first kind.
func (r *Run) get(a ref) int64 {
	if a.kind == computed && !r.behind {
		return r.regs[a.x]
	}
	return r.find(a)
}

func (r *Run) find(a ref) int64 {
	switch a.kind {
	case computed:
		if r.behind && !r.path.frame.ran(int(a.x)) {
			r.guess()
			return draw(r.seed, uint64(a.x+otherBlock), a.as)
		}
		return r.regs[a.x]
	case register:
		if r.path != nil && !r.path.frame.ran(int(a.x)) {
			r.guess()
			return draw(r.seed, uint64(a.x+otherBlock), a.as)
		}
		return r.regs[a.x]
	case word:
		if r.path != nil && a.as == pointer && isLocal(a.x) {
			return a.x + r.path.frame.base
		}
		return a.x
	case input:
		if r.path != nil {
			if x, ok := r.path.knows(a); ok {
				return x
			}
			r.guess()
		}
		return draw(r.seed, uint64(a.x), a.as)
	}
	return 0
}

// step runs one operation.
func (r *Run) step(o *operation) {
	switch {
	case o.Code.IsBinaryInt():
		r.binaryInts(o)
		return
	case o.Code.IsBinaryFloat():
		if o.as == opaqueKind {
			r.makeUp(o)
			return
		}
		r.set(o, floatWord(o.as.round(o.Code.Floats(r.float(o.args[0]), r.float(o.args[1])))))
		return
	case o.Code.IsConversion():
		r.convert(o)
		return
	case o.Code.IsTerminator():
		r.leave(o)
		return
	}
	switch o.Code {
	case op.Other:
		r.makeUp(o)
	case op.Extract, op.Insert:
		r.part(o)
	case op.Call:
		r.call(o)
	case op.Load:
		if o.slot >= 0 && r.path != nil {
			if f := r.path.frame; f.ran(o.slot) {
				r.regs[o.to] = f.regs[o.slot]
				return
			}
		}
		r.load(o)
	case op.Store:
		if o.slot >= 0 && r.path != nil {
			r.path.frame.keep(o.slot, r.get(o.args[1]))
			return
		}
		at := r.get(o.args[0])
		if r.Trapped = nearNull(at); !r.Trapped {
			r.store(at, r.get(o.args[1]), o.as, o.size)
		}
	case op.Address:
		at := r.get(o.args[0]) + o.Offset
		for k, index := range o.args[1:] {
			at += o.Scales[k] * r.get(index)
		}
		r.set(o, at)
	case op.Select:
		if r.get(o.args[0]) != 0 {
			r.set(o, r.get(o.args[1]))
		} else {
			r.set(o, r.get(o.args[2]))
		}
	case op.Phi:
		r.phi(o)
	case op.CompareInts:
		r.compareInts(o)
	case op.CompareFloats:
		r.set(o, boolWord(op.HoldsFloat(o.FPred, r.float(o.args[0]), r.float(o.args[1]))))
	case op.FNeg:
		r.set(o, floatWord(-r.float(o.args[0])))
	}
}

// round cuts a number to its type.
func (k kind) round(f float64) float64 {
	if k == kindSingle {
		return float64(float32(f))
	}
	return f
}

// call makes up a result; memory that an argument points to is made up anew.
func (r *Run) call(o *operation) {
	if r.path != nil && r.path.enter(o) {
		return
	}
	if r.path != nil && o.library != nil && o.library(r.path, o) {
		return
	}
	h := r.key(o)
	r.Effects = mix(r.Effects, h)
	if r.path != nil {
		r.path.calls(o)
		h = r.path.again(r.get(o.args[0]), h)
	}
	for _, a := range o.args[1:] {
		if a.as == pointer {
			if at := r.get(a); !nearNull(at) {
				r.remake(at, h)
			}
		}
	}
	r.set(o, draw(r.seed, h, o.as))
}

// phi is the value that comes with the block that a path came from; where that is not
// known, it is made up.
func (r *Run) phi(o *operation) {
	if r.path != nil {
		for k, from := range o.Targets {
			if from == r.path.frame.from {
				r.set(o, r.get(o.args[k]))
				return
			}
		}
	}
	r.guess()
	r.set(o, draw(r.seed, r.key(o), o.as))
}

func (r *Run) load(o *operation) {
	at := r.get(o.args[0])
	if r.Trapped = nearNull(at); r.Trapped {
		return
	}
	r.set(o, r.read(at, o.as, o.size))
}

// draw makes up what a place in memory holds. The texts of a path end somewhere.
func (r *Run) draw(key uint64, as kind) int64 {
	if as == 8 && r.path != nil && mix(r.seed, key)>>32%8 == 0 {
		return 0
	}
	return draw(r.seed, key, as)
}

// leave runs a terminator.
func (r *Run) leave(o *operation) {
	switch o.Code {
	case op.Jump:
		r.Target = int64(o.Targets[0])
	case op.Branch:
		r.Target = int64(o.Targets[1])
		if r.get(o.args[0]) != 0 {
			r.Target = int64(o.Targets[0])
		}
	case op.Switch:
		x := r.get(o.args[0])
		r.Target = int64(o.Targets[len(o.Targets)-1])
		for k, a := range o.args[1:] {
			if r.get(a) == x {
				r.Target = int64(o.Targets[k])
				return
			}
		}
	case op.Return:
		if r.path != nil {
			r.path.leaves(o)
			return
		}
		r.Effects = r.hash(mix(r.Effects, 1), o.args)
		r.Target = math.MaxInt64
	case op.IndirectTo:
		r.Target = r.blockAt(o)
	default:
		r.guess()
		r.Target = noBlock
	}
}

// noBlock is the target of what leads to no block of the function.
const noBlock = math.MaxInt32

// blockAt is the block whose address goto leads to.
func (r *Run) blockAt(o *operation) int64 {
	if r.path == nil {
		return noBlock
	}
	at := r.get(o.args[0])
	f, off := r.program.functions[at&^(1<<symbolBits-1)], at&(1<<symbolBits-1)
	if f != r.path.frame.code.code.Func || off%op.BlockStride != 0 {
		return noBlock
	}
	return off/op.BlockStride - 1
}
