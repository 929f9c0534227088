// Package execute makes terms of what a function does: of every way from one place of it
// to the next what it shows and leaves, and under which condition it is taken.
//
// # Regions
//
// A function is cut at the heads of its loops. Between cuts there are no cycles, so one walk
// over the blocks in order gives all: where ways meet, states are merged with if-then-else
// (Run). What a state holds at a cut is an input of the region that begins there: nothing is
// known of it but its name. So two versions of a function that come from equal states at
// each cut to equal states at the next, showing the same, do the same for ever: loops need
// no bound (equiv/smt). Unroll follows the function from its entry through its cuts, a
// bounded number of times (equiv/bmc).
//
// # What is shown
//
// A trace of events: calls that are not followed, with their arguments and
// the memory that they find, and accesses that leave a local array. Calls of small functions of the program that have
// no loops may be followed (FollowCalls). The result of a call is
// an uninterpreted function of the trace up to it: environments that saw the same answer
// the same. A call that may write memory leaves one that is such a function, too.
//
// # Memory
//
// Local variables whose address stays in the function are objects of their own: scalars
// that are always used whole are terms, others are memory by offset. All else, variables
// outside of functions, the heap, other functions' variables and those local ones whose
// address is given away, is one memory by address; that two addresses differ is only known
// where arithmetic says so, or where they are of two variables. An access there may trap, as an
// uninterpreted function of the address and the trace says. An access of a local array beyond
// its end is an event. An array of variable length lies in that memory, too, at an address that
// is a function of the trace up to where it is made. What the C library reads and writes is known of each of its functions
// (analysis/libc); scanf writes what its format says. When main of a program of one file
// returns, nobody looks into memory any more.
//
// # What is undefined
//
// Integers wrap. Divisions trap where processors do. A shift by no less than the width gives
// an unknown result, the same for the same operands, as do operations on floating-point
// numbers, of which nothing is interpreted.
//
// What is not understood is an error (Unsupported), never a guess: volatile and atomic
// accesses, assembly, computed jumps, setjmp, numbers of more than 64 bits.
package execute

import (
	"errors"
	"fmt"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Unsupported says what of a function is not understood.
type Unsupported struct{ What string }

func (u Unsupported) Error() string { return u.What }

// ErrTooLarge is returned when terms would take too much memory.
var ErrTooLarge = errors.New("the formulas are too large")

// Change is what a mutant puts in the place of some items of one block.
type Change struct {
	// At and Last are the first item that is replaced and the one behind the last.
	At, Last int
	Code     *op.Replacement
	// Result is what takes the place of the result of item ResultOf, if that is not negative.
	Result   op.Operand
	ResultOf int
	// Value is Result in the function's code.
	Value value.Value
	// Leaves says that the code ends with a terminator.
	Leaves bool
}

// Kind is how a region is left.
type Kind uint8

// The kinds: by returning, by ending the program in what was called or by coming where
// nothing comes, and at a cut.
const (
	Returns Kind = iota
	Ends
	Cuts
)

// State is what a function holds.
type State struct {
	// Locals are what its variables hold, by number: vectors, or memory.
	Locals []*term.Term
	// Memory is all else, Trace what was shown; Trapped says that the program has died.
	Memory, Trace, Trapped *term.Term
	// Assumed is that what the user takes for granted on the way holds.
	Assumed *term.Term
}

// Outcome is one way in which a region is left.
type Outcome struct {
	Kind Kind
	// Block is that of the cut.
	Block int
	// When is the condition under which it is left so.
	When  *term.Term
	State State
	// Value is what is returned, if anything.
	Value *term.Term
}

// arrival is a state that comes to a block under a condition.
type arrival struct {
	when  *term.Term
	state State
}

// run is the walk over one region.
type run struct {
	f      *Function
	p      *term.Pool
	change *Change
	// regs are the results of items, scratch those of the change.
	regs, scratch []*term.Term
	// args are those of a call that is followed; nil where a function may be called with any.
	args     []*term.Term
	arrivals [][]arrival
	outcomes []Outcome
	when     *term.Term
	state    State
	// counted is that no counter has run over; nil where nobody asks.
	counted *term.Term
}

// Run follows the function from a block, in a state, to the next cuts and ends. The change,
// unless it is nil, is in place. Outcomes are in the order of the function, one a kind and
// block; their conditions exclude each other.
func (f *Function) Run(block int, state State, change *Change) ([]Outcome, error) {
	r := &run{f: f, p: f.Pool, change: change}
	return r.from(block, state)
}

func (r *run) from(block int, state State) ([]Outcome, error) {
	f := r.f
	r.regs, r.arrivals = make([]*term.Term, len(f.code.Ops)), make([][]arrival, f.blocks+1)
	r.arrivals[block] = []arrival{{f.Pool.Truth(true), state}}
	first := true
	for _, b := range f.order {
		if first && b != block {
			continue
		}
		first = false
		if len(r.arrivals[b]) == 0 {
			continue
		}
		r.when, r.state = r.merge(r.arrivals[b])
		if err := r.block(b); err != nil {
			return nil, err
		}
	}
	return r.outcomes, nil
}

// merge is the state of several that come together.
func (r *run) merge(from []arrival) (*term.Term, State) {
	when, out := from[0].when, from[0].state
	if len(from) == 1 {
		return when, out
	}
	locals := append([]*term.Term(nil), out.Locals...)
	for _, a := range from[1:] {
		pick := func(x, y *term.Term) *term.Term { return r.p.Ite(a.when, x, y) }
		for k := range locals {
			locals[k] = pick(a.state.Locals[k], locals[k])
		}
		out.Memory, out.Trace, out.Trapped = pick(a.state.Memory, out.Memory), pick(a.state.Trace, out.Trace), pick(a.state.Trapped, out.Trapped)
		out.Assumed = pick(a.state.Assumed, out.Assumed)
		when = r.p.Or(when, a.when)
	}
	out.Locals = locals
	return when, out
}

func (r *run) block(b int) error {
	r.state.Locals = append([]*term.Term(nil), r.state.Locals...)
	first, last := r.f.code.Code.First[b], r.f.code.Code.First[b+1]
	for i := first; i < last; i++ {
		if r.when.IsFalse() { // behind a call that never returns
			return nil
		}
		r.assume(i)
		if c := r.change; c != nil && c.At == i {
			if err := r.changed(c); err != nil || c.Leaves {
				return err
			}
			i = c.Last - 1
			continue
		}
		if err := r.step(&r.f.code.Ops[i], &r.regs[i], i); err != nil {
			return err
		}
		r.assumeRead(i)
		r.carry(i)
	}
	return nil
}

// carry keeps the result of an item for other regions.
func (r *run) carry(item int) {
	if v, ok := r.f.carried[item]; ok && r.regs[item] != nil {
		r.state.Locals[v] = r.regs[item]
	}
}

// changed runs a change.
func (r *run) changed(c *Change) error {
	r.scratch = make([]*term.Term, len(c.Code.Ops))
	for k := range c.Code.Ops {
		if err := r.step(&c.Code.Ops[k], &r.scratch[k], -1); err != nil {
			return err
		}
	}
	if c.ResultOf < 0 {
		return nil
	}
	t, err := r.operand(c.Result)
	r.regs[c.ResultOf] = t
	r.carry(c.ResultOf)
	return err
}

func (r *run) step(o *op.Op, to **term.Term, item int) error {
	if r.p.Len() > r.f.limit {
		return ErrTooLarge
	}
	if o.Code.IsTerminator() {
		return r.terminator(o)
	}
	t, err := r.value(o, item)
	*to = t
	return err
}

// operand is the term of an operand.
func (r *run) operand(a op.Operand) (*term.Term, error) {
	width, err := widthOf(a.Type)
	if err != nil {
		return nil, err
	}
	var t *term.Term
	switch a.Kind {
	case op.Number:
		return r.p.Number(uint64(a.X), width), nil
	case op.Symbol:
		return r.p.Add(r.f.symbol(a.Of.Ident()), r.p.Number(uint64(a.X), 64)), nil
	case op.Param:
		if r.args != nil {
			return r.args[a.X], nil
		}
		return r.f.Param(int(a.X)), nil
	case op.Item:
		if _, variable := r.f.localOf[int(a.X)]; variable {
			return r.f.base(int(a.X)), nil
		}
		if t = r.regs[a.X]; t == nil {
			if v, ok := r.f.carried[int(a.X)]; ok {
				t = r.state.Locals[v]
			}
		}
	case op.Scratch:
		t = r.scratch[a.X]
	}
	if t == nil {
		return nil, Unsupported{"it uses a value that was computed before a loop, or a constant that is not understood"}
	}
	return t, nil
}

func (r *run) operands(of []op.Operand) ([]*term.Term, error) {
	out := make([]*term.Term, len(of))
	for k, a := range of {
		var err error
		if out[k], err = r.operand(a); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// widthOf is the width of a type that terms have.
func widthOf(t op.Type) (uint8, error) {
	switch {
	case t.Class == op.Bytes || t.Class == op.None:
		return 0, Unsupported{"it computes with whole structures"}
	case t.Bits > 64 || t.Bits == 0:
		return 0, Unsupported{fmt.Sprintf("it computes with numbers of %d bits", t.Bits)}
	}
	return uint8(t.Bits), nil
}

// goTo sends the state on to a block.
func (r *run) goTo(block int, when *term.Term) {
	when = r.p.And(r.when, when)
	if when.IsFalse() {
		return
	}
	if block >= r.f.blocks {
		r.leave(Outcome{Kind: Ends, When: when, State: r.state})
		return
	}
	if r.f.cuts[block] {
		r.leave(Outcome{Kind: Cuts, Block: block, When: when, State: r.state})
		return
	}
	r.arrivals[block] = append(r.arrivals[block], arrival{when, r.state})
}

// leave notes an outcome, merged with those of its kind.
func (r *run) leave(o Outcome) {
	for k := range r.outcomes {
		old := &r.outcomes[k]
		if old.Kind != o.Kind || old.Block != o.Block {
			continue
		}
		if o.Value != nil {
			old.Value = r.p.Ite(o.When, o.Value, old.Value)
		}
		old.When, old.State = r.merge([]arrival{{old.When, old.State}, {o.When, o.State}})
		return
	}
	r.outcomes = append(r.outcomes, o)
}

func (r *run) terminator(o *op.Op) error {
	switch o.Code {
	case op.Jump:
		r.goTo(o.Targets[0], r.p.Truth(true))
	case op.Branch:
		c, err := r.operand(o.Args[0])
		if err != nil {
			return err
		}
		r.goTo(o.Targets[0], c)
		r.goTo(o.Targets[1], r.p.Not(c))
	case op.Switch:
		args, err := r.operands(o.Args)
		if err != nil {
			return err
		}
		rest := r.p.Truth(true)
		to := map[int]*term.Term{}
		var order []int
		add := func(block int, when *term.Term) {
			if to[block] == nil {
				to[block], order = when, append(order, block)
				return
			}
			to[block] = r.p.Or(to[block], when)
		}
		for k, a := range args[1:] {
			is := r.p.Eq(args[0], a)
			add(o.Targets[k], r.p.And(rest, is))
			rest = r.p.And(rest, r.p.Not(is))
		}
		add(o.Targets[len(o.Targets)-1], rest)
		for _, b := range order {
			r.goTo(b, to[b])
		}
	case op.Return:
		out := Outcome{Kind: Returns, When: r.when, State: r.state}
		if len(o.Args) > 0 {
			v, err := r.operand(o.Args[0])
			if err != nil {
				return err
			}
			out.Value = v
		}
		r.leave(out)
	case op.Unreachable:
		r.leave(Outcome{Kind: Ends, When: r.when, State: r.state})
	default:
		return Unsupported{"it jumps to addresses of labels"}
	}
	return nil
}
