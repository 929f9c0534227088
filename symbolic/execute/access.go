package execute

import (
	"fmt"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// target is where an access goes: to a variable of the function, at an offset, or, where
// local is negative, to the memory of all else.
type target struct {
	local  int
	offset *term.Term
	at     *term.Term
}

// targetOf finds the variable that an address is computed from.
func (r *run) targetOf(at *term.Term) (target, error) {
	parts := []*term.Term{at}
	if at.Op == term.Sum {
		parts = at.Args
	}
	out := target{local: -1, at: at}
	for k, t := range parts {
		n, ok := r.f.isBase(t)
		if !ok {
			continue
		}
		if out.local >= 0 || at.Op == term.Sum && at.Coefficients[k] != 1 {
			return out, Unsupported{"it computes with the addresses of several variables"}
		}
		out.local, out.offset = n, r.p.Sub(at, t)
	}
	return out, nil
}

// isBase reports the address of a variable that is not in the memory of all else.
func (f *Function) isBase(t *term.Term) (int, bool) {
	of, n, ok := f.variable(t)
	return n, ok && of == f && f.locals[n].place != inMemory
}

// accessOf checks an access of an instruction.
func accessOf(o *op.Op) (uint8, error) {
	volatile, atomic := false, false
	switch i := o.Node.(type) {
	case *llir.InstLoad:
		volatile, atomic = i.Volatile, i.Atomic
	case *llir.InstStore:
		volatile, atomic = i.Volatile, i.Atomic
	}
	if volatile || atomic {
		return 0, Unsupported{"it has volatile or atomic accesses"}
	}
	if _, err := widthOf(o.Type); err != nil {
		return 0, err
	}
	return uint8(o.Type.Size()), nil
}

func (r *run) load(o *op.Op) (*term.Term, error) {
	bytes, err := accessOf(o)
	if err != nil {
		return nil, err
	}
	at, err := r.operand(o.Args[0])
	if err != nil {
		return nil, err
	}
	t, err := r.read(at, bytes)
	if err != nil {
		return nil, err
	}
	return r.p.Extract(t, 0, uint8(o.Type.Bits)), nil
}

// read is what memory holds at an address.
func (r *run) read(at *term.Term, bytes uint8) (*term.Term, error) {
	to, err := r.targetOf(at)
	if err != nil {
		return nil, err
	}
	if to.local < 0 {
		r.mayTrap(r.p.Truth(true), at, bytes)
		return r.p.Load(r.state.Memory, at, bytes), nil
	}
	l := &r.f.locals[to.local]
	held := r.state.Locals[to.local]
	if l.place == asScalar {
		return held, nil
	}
	value := r.p.Load(held, to.offset, bytes)
	outside := r.outside(to.offset, l.bytes, bytes)
	if !outside.IsFalse() {
		r.event(outside, fmt.Sprintf("read beyond %s%d", r.f.within, to.local), to.offset)
		value = r.p.Ite(outside, r.p.App("found", 8*bytes, r.state.Trace, to.offset), value)
	}
	return value, nil
}

func (r *run) store(o *op.Op) error {
	bytes, err := accessOf(o)
	if err != nil {
		return err
	}
	args, err := r.operands(o.Args)
	if err != nil {
		return err
	}
	return r.write(args[0], r.p.ZExt(args[1], 8*bytes))
}

// write puts whole bytes at an address.
func (r *run) write(at, value *term.Term) error { return r.writeWhen(r.p.Truth(true), at, value) }

// writeWhen does so under a condition.
func (r *run) writeWhen(when, at, value *term.Term) error {
	to, err := r.targetOf(at)
	if err != nil {
		return err
	}
	bytes := value.Width / 8
	if to.local < 0 {
		r.mayTrap(when, at, bytes)
		r.state.Memory = r.p.Ite(when, r.p.Store(r.state.Memory, at, value), r.state.Memory)
		return nil
	}
	l, held := &r.f.locals[to.local], &r.state.Locals[to.local]
	if l.place == asScalar {
		*held = r.p.Ite(when, value, *held)
		return nil
	}
	if outside := r.p.And(when, r.outside(to.offset, l.bytes, bytes)); !outside.IsFalse() {
		r.event(outside, fmt.Sprintf("write beyond %s%d", r.f.within, to.local), to.offset, value)
	}
	*held = r.p.Ite(when, r.p.Store(*held, to.offset, value), *held)
	return nil
}

// outside says that an access leaves a variable of a known size.
func (r *run) outside(offset *term.Term, size int64, bytes uint8) *term.Term {
	if int64(bytes) > size {
		return r.p.Truth(true)
	}
	return r.p.Ult(r.p.Number(uint64(size-int64(bytes)), 64), offset)
}

// mayTrap says that an access to the memory of all else, under a condition, may end the program.
func (r *run) mayTrap(when, at *term.Term, bytes uint8) {
	traps := r.p.Not(r.p.App(fmt.Sprintf("mapped %d", bytes), 1, r.state.Trace, at))
	if base, offset, size := r.known(at); base {
		traps = r.p.And(traps, r.outside(offset, size, bytes))
	}
	r.trap(r.p.And(when, traps))
}

// known finds the variable that an address lies in, of those in the memory of all else.
func (r *run) known(at *term.Term) (is bool, offset *term.Term, size int64) {
	parts := []*term.Term{at}
	if at.Op == term.Sum {
		parts = at.Args
	}
	for k, t := range parts {
		if t.Op != term.Var || at.Op == term.Sum && at.Coefficients[k] != 1 {
			continue
		}
		switch t.Name[0] {
		case '&':
			if of, n, ok := r.f.variable(t); ok {
				return true, r.p.Sub(at, t), of.locals[n].bytes
			}
		case '@':
			if g := r.f.global(t.Name); g != nil {
				return true, r.p.Sub(at, t), op.SizeOf(g.ContentType)
			}
		}
	}
	return false, nil, 0
}

// event shows something under a condition, unless the program has died.
func (r *run) event(when *term.Term, name string, args ...*term.Term) {
	shown := r.p.Event(name, r.state.Trace, args...)
	r.state.Trace = r.p.Ite(r.p.And(when, r.p.Not(r.state.Trapped)), shown, r.state.Trace)
}
