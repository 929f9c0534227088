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
			return draw(r.seed, uint64(a.x+otherBlock), a.as)
		}
		return r.regs[a.x]
	case register:
		if r.path != nil && !r.path.frame.ran(int(a.x)) {
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
	case op.Other, op.Extract, op.Insert:
		r.set(o, draw(r.seed, r.key(o), o.as))
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
			r.write(write{at: at, value: r.get(o.args[1])})
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
		x, y := r.get(o.args[0]), r.get(o.args[1])
		r.set(o, boolWord(op.HoldsOf(o.Pred, x < y, o.as.unsigned(x) < o.as.unsigned(y), x == y)))
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

// write notes what is in a cell. A path, which may write it often, keeps the last.
func (r *Run) write(w write) {
	if r.path == nil {
		r.log = append(r.log, w)
		return
	}
	if isLocal(w.at) && r.path.writeSlot(w) {
		return
	}
	w.fills = int32(len(r.path.fills))
	c := &r.path.cells
	if s := c.find(w.at); s.known(c.epoch) {
		r.log[s.place] = w
		return
	}
	r.log = append(r.log, w)
	c.add(r.log)
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
		h = r.path.again(r.get(o.args[0]), h)
	}
	for _, a := range o.args[1:] {
		if a.as == pointer {
			if at := r.get(a); !nearNull(at) {
				r.write(write{at: at, value: int64(h), reseeded: true})
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
	r.set(o, draw(r.seed, r.key(o), o.as))
}

func (r *Run) load(o *operation) {
	at := r.get(o.args[0])
	if r.Trapped = nearNull(at); r.Trapped {
		return
	}
	r.set(o, r.at(at, o.as))
}

// at is what a memory cell holds.
func (r *Run) at(at int64, as kind) int64 {
	if r.path != nil {
		return r.path.read(at, as)
	}
	w, written := r.cell(at)
	if !written {
		return r.draw(uint64(at), as)
	}
	return r.held(w, as)
}

// held is what a cell holds that was written.
func (r *Run) held(w write, as kind) int64 {
	switch {
	case w.filled:
		return as.filled(w.value)
	case w.reseeded:
		return r.draw(mix(uint64(w.value), uint64(w.at)), as)
	}
	return w.value
}

// draw makes up what a memory cell holds. The texts of a path end somewhere.
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
	default:
		r.Target = noBlock
	}
}

// noBlock is the target of what leads to no block of the function.
const noBlock = math.MaxInt32
