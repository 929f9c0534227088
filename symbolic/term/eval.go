package term

import "math/bits"

// State gives inputs and functions their values: what an evaluation starts from.
type State interface {
	// Var is the value of an input; of memory and traces a number that stands for it.
	Var(t *Term) uint64
	// App is the value of a function for some arguments, of which memory and traces are
	// numbers that stand for them; the same for the same arguments.
	App(t *Term, args []uint64) uint64
}

// Evaluation computes terms in a state, each once.
type Evaluation struct {
	state  State
	values map[*Term]uint64
}

// Evaluate makes an evaluation in a state.
func Evaluate(s State) *Evaluation { return &Evaluation{s, map[*Term]uint64{}} }

// Of is a term's value. That of memory or a trace is a number that stands for it: equal
// terms have equal ones, others hardly.
func (e *Evaluation) Of(t *Term) uint64 {
	if v, ok := e.values[t]; ok {
		return v
	}
	Each(func(t *Term) {
		if _, ok := e.values[t]; !ok {
			e.values[t] = e.compute(t)
		}
	}, t)
	return e.values[t]
}

func (e *Evaluation) compute(t *Term) uint64 {
	args := make([]uint64, len(t.Args))
	for k, a := range t.Args {
		args[k] = e.values[a]
	}
	switch t.Op {
	case Var:
		return e.mask(t, e.state.Var(t))
	case App:
		return e.mask(t, e.state.App(t, args))
	case Store, Event:
		h := Mix(uint64(t.Op), uint64(len(args)))
		for _, c := range []byte(t.Name) {
			h = Mix(h, uint64(c))
		}
		for _, a := range args {
			h = Mix(h, a)
		}
		return h
	}
	return Compute(t, args)
}

func (e *Evaluation) mask(t *Term, x uint64) uint64 {
	if t.IsBits() {
		return x & Mask(t.Width)
	}
	return x
}

// Mix is a hash of two numbers.
func Mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, x^0xd1b54a32d192ed03)
	return bits.RotateLeft64(h, 23) ^ hi ^ lo*0xff51afd7ed558ccd
}

// Compute is the value of an operator of vectors for values of its arguments: the plain
// meaning that every rewriting rule has to keep.
//
//nolint:funlen // a flat switch over the operators
func Compute(t *Term, args []uint64) uint64 {
	w := t.Width
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	var z uint64
	switch t.Op {
	case Const:
		z = t.X
	case Sum:
		z = t.X
		for k, a := range args {
			z += a * t.Coefficients[k]
		}
	case Product:
		z = 1
		for _, a := range args {
			z *= a
		}
	case UDiv, URem, SDiv, SRem:
		z = divide(t.Op, args[0], args[1], w)
	case And:
		z = args[0] & args[1]
	case Or:
		z = args[0] | args[1]
	case Xor:
		z = args[0] ^ args[1]
	case Not:
		z = ^args[0]
	case Shl:
		z = args[0] << args[1]
	case LShr:
		z = args[0] >> args[1]
	case AShr:
		z = uint64(Signed(args[0], w) >> args[1])
	case Eq:
		z = truth(args[0] == args[1])
	case Ult:
		z = truth(args[0] < args[1])
	case Slt:
		z = truth(Signed(args[0], t.Args[0].Width) < Signed(args[1], t.Args[1].Width))
	case Ite:
		if z = args[2]; args[0] == 1 {
			z = args[1]
		}
		if !t.IsBits() {
			return z
		}
	case Extract:
		z = args[0] >> t.X
	case Concat:
		z = args[0]<<t.Args[1].Width | args[1]
	case ZExt:
		z = args[0]
	case SExt:
		z = uint64(Signed(args[0], t.Args[0].Width))
	}
	return z & Mask(w)
}
