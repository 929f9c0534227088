// Package concrete runs IR on drawn states, to see how easily a change of the code
// shows: short stretches of it (Run), and functions and programs with what they call
// (Path).
//
// A state is a number, the seed: what a parameter holds, what a memory cell or a
// call gives is drawn from the seed and from what is asked for, when it is asked
// for. So two versions of the code that ask the same get the same, and their
// results differ only where the code makes them differ. It is an estimate in the
// way of weak mutation (Howden, "Weak Mutation Testing and Completeness of Test
// Sets", 1982): real states are other ones.
//
// Package inputs draws: small numbers mostly, as tests have them, and corners. Integers
// wrap; a division by zero and a use of an address near null are traps. What an operation
// does is said by analysis/op; one of which that knows nothing is an unknown function of its
// operands. A long double is computed as a double.
//
// Memory holds bytes, so that what is written as one type may be read as another: eight of
// them at a time (granule), with those marked that were written. What nothing wrote is
// drawn for its address and for the type that it is read as. The local variables that are
// scalars are kept in registers, as words, and looked into byte by byte where an access
// does not fit them.
//
// Paths of a Root stand for runs of the program with tests: they read an input that is drawn
// in the form that the program asks for (inputs.Stream) and of what it compares with
// (Words), know what the C library does with texts, numbers and memory (library), and
// compare what is printed as text.
//
// Many changes are tried together (Walk): the original is followed once, and a change on its
// own only from where it leaves another state. A program may also be followed on a given
// input, that of a test, and its changes to the end of the function that they are in
// (WalkToExits).
//
// Nothing depends on names that a program gives: slots, parameters, globals and callees
// are told apart by where the function first uses them. Of names paths know those of the
// C library.
package concrete

import (
	"maps"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs"
)

// Code is a function made ready to be run piece by piece.
type Code struct {
	code    *defuse.Code
	lowered *op.Function
	ops     []operation // by item
	quick   []quick     // the same, as paths run them
	base    int         // first register of scratch code
	within  *program
	calls   bool // it has a call
	// scalars are the kinds of what the local variables hold that are in registers (slot),
	// by item; of no size for others.
	scalars []scalar
	// watched are the stretches that a walk looks at, by their first item.
	watched [][]*stretch
}

// scalar is what a local variable in a register holds.
type scalar struct {
	as   kind
	size uint8
}

// program is what the functions that a path goes through have in common: the code of
// each, with one numbering of what has a name outside of functions.
type program struct {
	module *op.Module
	root   *Code
	// fresh says that nothing ran before the root: variables hold their initial values.
	fresh bool
	// exact says that paths have a Transcript; defined is then what other modules define, and what
	// none does, by its name.
	exact   bool
	defined map[string]value.Value
	codes   map[*llir.Func]*Code
	// variables are the addresses of those of the C library that the program names: stdin, stdout,
	// stderr, and what getopt shares with it.
	variables map[string]int64
	ops       int // compiled
	// expanded says that codes has all that there will be.
	expanded bool
	symbols  map[value.Value]int64
	globals  []*global           // by symbol
	formats  map[int64]format    // by the address of their text
	words    *inputs.Words       // made on demand
	randoms  map[uint32][]uint32 // words that rand makes of a seed
	wides    map[int64][2]uint64
	// functions are those of the module that are named, by their address.
	functions map[int64]*llir.Func
}

// scratchRegisters is how many results scratch code may have.
const scratchRegisters = 64

// OfFunction prepares a function that begins a program, of a module of its own.
func OfFunction(f *llir.Func) *Code { return Root(f, &op.Module{}) }

// Root prepares a function of a module before which nothing has run: variables hold
// their initial values, and fresh memory is mostly zero.
func Root(f *llir.Func, m *op.Module) *Code {
	c := Of(f, m)
	c.within.fresh = true
	return c
}

// Exact is Root for paths that have a Transcript. More of the program is known to them: functions of
// any number of arguments, large programs, and what other modules define that are linked with the
// function's own.
func Exact(f *llir.Func, m *op.Module, with ...*llir.Module) *Code {
	p := newProgram(m)
	p.fresh, p.exact, p.defined = true, true, definedBy(with)
	p.root = p.compile(m.Function(f))
	return p.root
}

// Library prepares functions for paths that have a Transcript, each of which may be called first: as Exact
// does, but all in one.
type Library struct{ within *program }

// NewLibrary is of functions that m lowers, of some modules that are linked together.
func NewLibrary(m *op.Module, of ...*llir.Module) *Library {
	p := newProgram(m)
	p.fresh, p.exact, p.defined = true, true, definedBy(of)
	return &Library{p}
}

// Function is the code of a function, which is compiled with what it calls when it is asked for first.
func (l *Library) Function(f *llir.Func) *Code {
	p := l.within
	c := p.codes[f]
	if c == nil {
		c = p.compile(p.module.Function(f))
	}
	p.root, p.expanded, p.words = c, false, nil
	p.expand()
	return c
}

// Of prepares a function of a module, which lowers what it calls, too. What ran before it
// is not known, and what it finds in memory is drawn.
func Of(f *llir.Func, m *op.Module) *Code {
	p := newProgram(m)
	p.root = p.compile(m.Function(f))
	return p.root
}

func newProgram(m *op.Module) *program {
	return &program{module: m, codes: map[*llir.Func]*Code{}, symbols: map[value.Value]int64{},
		formats: map[int64]format{}, wides: map[int64][2]uint64{}, functions: map[int64]*llir.Func{}}
}

func (p *program) compile(lowered *op.Function) *Code {
	code := lowered.Code
	c := &Code{code: code, lowered: lowered, ops: make([]operation, len(lowered.Ops)), base: len(lowered.Ops), within: p,
		scalars: make([]scalar, len(lowered.Ops))}
	p.codes[code.Func] = c
	for i := range lowered.Ops {
		o := &lowered.Ops[i]
		c.ops[i] = c.link(o, i, code.Items[i].Block, false)
		if isScalar(o) {
			c.scalars[i] = scalar{kindOf(o.Content), sizeOf(o.Content)}
		}
	}
	c.quicken()
	c.calls = someCalls(c.ops)
	p.ops += len(c.ops)
	return c
}

// mostCompiled bounds the items of the functions that the paths of one go through, mostOfExact those
// of one that is exact.
const mostCompiled, mostOfExact = 5_000, 100_000

// Callee is the code of a function in the program of c, which holds what its first
// function calls, and what that calls, the nearest first, as long as it is not large;
// nil for any other.
func (c *Code) Callee(f *llir.Func) *Code {
	c.within.expand()
	return c.within.codes[f]
}

// Forget drops the code of what c calls, until it is asked for again, when it will be the
// same: that of many functions takes much memory.
func (c *Code) Forget() {
	p := c.within
	p.codes, p.ops, p.expanded = map[*llir.Func]*Code{p.root.code.Func: p.root}, len(p.root.ops), false
}

// expand compiles the functions of a program, all at once and in the order in which they
// are named: no number depends on which path comes to which of them first.
func (p *program) expand() {
	if p.expanded {
		return
	}
	p.expanded = true
	for queue := []*Code{p.root}; len(queue) > 0; queue = queue[1:] {
		for k := range queue[0].ops {
			for _, a := range queue[0].ops[k].args {
				f := p.functions[a.x]
				if a.kind != word || f == nil || p.codes[f] != nil {
					continue
				}
				if p.full() {
					return
				}
				queue = append(queue, p.compile(p.module.Function(f)))
			}
		}
		if len(queue) == 1 && p.exact {
			queue = append(queue, p.compileNamed()...)
		}
	}
}

// full says that no more functions are compiled.
func (p *program) full() bool {
	return p.ops > mostCompiled && (!p.exact || p.ops > mostOfExact)
}

// compileNamed compiles the functions that only variables name, as tables of commands do.
func (p *program) compileNamed() (out []*Code) {
	for _, at := range slices.Sorted(maps.Keys(p.functions)) {
		if f := p.functions[at]; p.codes[f] == nil && !p.full() {
			out = append(out, p.compile(p.module.Function(f)))
		}
	}
	return out
}

// Whole says that what the function of c may come to is compiled, all of it.
func (c *Code) Whole() bool {
	c.within.expand()
	return !c.within.full()
}

// Scratch is code that takes the place of a stretch of the function.
type Scratch struct {
	ops    []operation
	result ref
	// Term is true when the last operation leaves the block.
	Term  bool
	calls bool
}

// Scratch prepares code that a mutant puts in, and result, the value that takes the place
// of the last replaced instruction's, or nil. It is false for code that is too long.
func (c *Code) Scratch(code *op.Replacement, result value.Value, block int) (*Scratch, bool) {
	if code.Instructions() > scratchRegisters {
		return nil, false
	}
	s := &Scratch{ops: make([]operation, len(code.Ops)), Term: len(code.Ops) > code.Instructions()}
	for i := range code.Ops {
		s.ops[i] = c.link(&code.Ops[i], c.base+i, block, true)
	}
	if result != nil {
		s.result = c.ref(code.Operand(result), block, true)
	}
	s.calls = someCalls(s.ops)
	return s, true
}

// Run is the state of a run. The zero Run is not ready: see Start.
type Run struct {
	seed uint64
	regs []int64
	// log is the memory that was written, made what was made up anew; begun counts the places
	// at which something that was written begins.
	log   []granule
	made  []remade
	begun int
	// Effects sums up the calls made and the value returned.
	Effects uint64
	// Target is the block that the run left for, -1 before it leaves.
	Target int64
	// Trapped is set by a division by zero or an address near null. Nothing
	// runs after it.
	Trapped bool

	program *program
	path    *Path // that the run is of, or nil
	// behind says that the path began behind the first item of its block.
	behind bool
}

// Start makes a run ready for a seed.
func (c *Code) Start(r *Run, seed uint64) {
	if len(r.regs) != c.base+scratchRegisters {
		r.regs = make([]int64, c.base+scratchRegisters)
	}
	r.seed, r.log, r.made, r.begun, r.Effects, r.Target, r.Trapped = seed, r.log[:0], r.made[:0], 0, 0, -1, false
	r.program, r.path = c.within, nil
}

// Items runs the items from, inclusive, to to, exclusive, of one block.
func (c *Code) Items(r *Run, from, to int) {
	for i := from; i < to && !r.Trapped && r.Target < 0; i++ {
		r.step(&c.ops[i])
	}
}

// Replace runs scratch code; its result becomes that of item last, unless last
// is negative.
func (c *Code) Replace(r *Run, s *Scratch, last int) {
	for i := range s.ops {
		if r.Trapped || r.Target >= 0 {
			return
		}
		r.step(&s.ops[i])
	}
	if last >= 0 && s.result.kind != none {
		r.regs[last] = r.get(s.result)
	}
}

// Result is the value of an item.
func (r *Run) Result(item int) int64 { return r.regs[item] }

// Copy makes r the run that other is, with the registers of the items from to
// to.
func (r *Run) Copy(other *Run, from, to int) {
	if from < to {
		if len(r.regs) != len(other.regs) {
			r.regs = make([]int64, len(other.regs))
		}
		copy(r.regs[from:to], other.regs[from:to])
	}
	r.seed, r.program, r.Effects, r.Target, r.Trapped = other.seed, other.program, other.Effects, other.Target, other.Trapped
	r.log, r.made, r.begun = append(r.log[:0], other.log...), append(r.made[:0], other.made...), other.begun
}
