package ub

import (
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// place is where an address points: some bytes from the start of an object. The zero
// value is an address of which nothing is known.
type place struct {
	// object is an *llir.InstAlloca, an *llir.Global, the call that allocated a block, or
	// nothing for addresses that are computed from null.
	object value.Value
	null   bool
	// size is that of the object in bytes; 0 where it is not known.
	size   int64
	offset ranges.Interval
}

func (p place) known() bool { return p.object != nil || p.null }

// isNull reports null itself.
func (p place) isNull() bool { return p.null && p.offset == ranges.Exactly(0) }

// moved is the place some bytes further.
func (p place) moved(by ranges.Interval) place {
	if p.known() {
		p.offset = ranges.Apply(op.Add, p.offset, by, 64, true)
	}
	return p
}

// outside says whether an access of so many bytes is outside of the object: always, and
// possibly.
func (p place) outside(bytes int64) (always, possibly bool) {
	if p.object == nil || p.offset.IsEmpty() {
		return false, false
	}
	if p.size == 0 {
		return p.offset.Hi < 0, p.offset.Lo < 0
	}
	last := p.size - bytes
	return p.offset.Hi < 0 || p.offset.Lo > last, p.offset.Lo < 0 || p.offset.Hi > last
}

// pointers are the variables that are known to point somewhere.
type pointers = map[value.Value]place

// findAllocations finds, by basic block, what variables point to that is known: the start of
// a block of memory that the function allocated (Ebrahimipour 2016, section 4.4, where the
// facts are which moves of the pointer leave the block), another variable, or null. A variable
// that is written is forgotten, as are those that others may write when they may.
func findAllocations(fn *function) (in, out []pointers) {
	through := func(block int, facts pointers, _ int) pointers {
		m := newMachine(fn, nil, facts)
		m.original(block, fn.code.First[block+1], nil)
		return m.held
	}
	in = solve(fn.graph, through, same)
	out = make([]pointers, len(in))
	for b := range in {
		if in[b] != nil {
			out[b] = through(b, in[b], 0)
		}
	}
	return in, out
}

// allocation is how many bytes a call allocates whose result is the start of a new block, 0
// where that is not known; false for other calls.
func (fn *function) allocation(o *op.Op) (size int64, allocates bool) {
	if calls(o) {
		return sizeOf(o), true
	}
	k := fn.summaries.ask(o).block
	if k < 0 || k+1 >= len(o.Args) {
		return 0, false
	}
	if a := o.Args[k+1]; a.IsNumber() && a.X > 0 && a.X < 1<<31 {
		return a.X, true
	}
	return 0, true
}

// calls reports a call of the C library that returns the start of a new block, or null.
func calls(o *op.Op) bool {
	switch called(o) {
	case "malloc", "calloc", "realloc", "aligned_alloc":
		return true
	}
	return false
}

// called is the name of the function that a call calls, if the program has it from
// elsewhere; else "".
func called(o *op.Op) string {
	if o.Callee == nil || len(o.Callee.Blocks) > 0 {
		return ""
	}
	return o.Callee.Name()
}

// sizeOf is how many bytes a call allocates; 0 where that is not known before it runs.
func sizeOf(o *op.Op) int64 {
	args, size := o.Args[1:], int64(1)
	if name := called(o); (name == "realloc" || name == "aligned_alloc") && len(args) == 2 {
		args = args[1:]
	}
	for _, a := range args {
		if !a.IsNumber() || a.X <= 0 || a.X > 1<<31 || size > 1<<31 {
			return 0
		}
		size *= a.X
	}
	return size
}
