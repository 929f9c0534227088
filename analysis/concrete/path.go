package concrete

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs"
)

// Path is a run that goes on from block to block: after a branch with the block that
// it leads to, into the functions of the module that it calls and back, until the
// first function returns, or the program exits, or it traps, or has run as many items as
// it may. Values of other blocks are those that the path computed, and drawn where it did
// not. Of the C library it knows what programs use most (library); what another function
// outside of the module gives when it is asked the same again is drawn anew.
//
// The zero Path is not ready: see Along.
type Path struct {
	Run
	// Shown are the texts printed, the calls of functions that are not known and, last,
	// the value returned, each as a hash of what it was; Steps says how many items had run.
	Shown []uint64
	Steps []int
	// Returned says that the path came to the first function's end, Differs that it
	// showed something that the original did not.
	Returned, Differs bool
	// Guessed says that the path called what it does not know, or read more of a text than
	// it does, or, with a Transcript, computed what C leaves undefined: it need not be what the
	// program does.
	Guessed bool
	// Unknown is the first function that it called and does not know, with a Transcript.
	Unknown string

	frame    *frame
	frames   []*frame // by depth, kept for the calls to come
	depth    int
	number   uint32 // of calls and paths, so that none reads what another computed
	callees  []called
	steps    int
	limit    int
	granules granules
	circle   circle
	fills    []fill
	byValue  []copied
	in       inputs.Stream
	change   *Change
	original *Path
	buffer   []byte // of texts
	printed  []byte // by print
	nested   int    // calls that a function of the library makes
	walker   *Walker
	// together are the changes of a walk that have done the same so far, the one that is run
	// first; splits is the walker while it runs them, on a path of this level.
	together []int
	splits   *Walker
	level    int
	given    *Given // nil: the input is drawn
	source   source // what is read of it
	opened   []opened
	rolls    rolls // of rand
	options  options
	ticks    ticks
	buffered bool  // a stream read the standard input
	flushed  int   // what was printed by then is written
	tokens   int64 // where strtok goes on; 0 at the end
	// leave is the depth of the function at whose end the path stops, -1 for none; left that
	// it came there.
	leave int
	left  bool

	blocksAllocated int64
	// sizes are those of the blocks, and freed the blocks that were given back, with a Transcript.
	sizes, freed []int64
	// Asked are the files that a program of a given input tried to read and that it was not given.
	Asked []string
	// Trace, set before a path, keeps which blocks it comes to, for Visited.
	Trace bool
	// Transcript, set before a path, keeps what it reads and prints, and has the path do what the
	// program does, or say that it guesses (Guessed); nil keeps nothing.
	Transcript *Transcript
	visited    map[*Code][]bool
	// stepwise has every operation run by step, none by its quick form.
	stepwise bool
}

// frame is what a call has of its own.
type frame struct {
	code *Code
	regs []int64
	// computed holds, by register, the number of the call that set it last.
	computed []uint32
	number   uint32
	args     []int64 // nil: the parameters are drawn
	room     []int64 // in which args are, kept for the calls to come
	varargs  int64   // where those are that it has no parameters for; 0 where it takes none
	base     int64   // of the addresses of its local variables
	returned int64
	at       int // the item that is run next
	from     int // the block that the path came from; -1 at first
	inChange int // the operation of the change that is run next, or -1
	stop     int // the item at which the change begins, or -1
	watched  [][]*stretch
	call     *operation // of the caller; nil when its function is not the module's
}

func (f *frame) ran(item int) bool { return f.computed[item] == f.number }

// called counts the calls of one callee.
type called struct {
	callee int64
	times  uint64
}

// deepest bounds calls within calls.
const deepest = 48

// Along runs a path from an item on, in the state of a seed, for so many items at most.
func (c *Code) Along(p *Path, seed uint64, from, limit int) {
	c.begin(p, seed, from, limit)
	p.goOn()
}

func (c *Code) begin(p *Path, seed uint64, from, limit int) {
	p.Run = Run{seed: seed, program: c.within, log: p.log[:0], made: p.made[:0], Target: -1, path: p, behind: from > 0}
	p.Shown, p.Steps, p.Returned, p.callees = p.Shown[:0], p.Steps[:0], false, p.callees[:0]
	p.steps, p.limit, p.change, p.original, p.depth = 0, limit, nil, nil, 0
	p.Differs, p.fills, p.byValue, p.in, p.nested, p.blocksAllocated = false, p.fills[:0], p.byValue[:0], inputs.Open(seed, c), 0, 0
	p.walker, p.given, p.Guessed, p.source, p.tokens, p.leave, p.left = nil, nil, false, source{}, 0, -1, false
	p.Unknown, p.buffered, p.flushed = "", false, 0
	p.opened, p.Asked, p.rolls = p.opened[:0], p.Asked[:0], rolls{seed: 1}
	p.options, p.ticks = options{}, moments[0]
	p.sizes, p.freed = p.sizes[:0], p.freed[:0]
	p.granules.clear()
	p.circle.looked = false
	if p.Trace {
		p.visited = map[*Code][]bool{}
	}
	if t := p.Transcript; t != nil {
		t.Read, t.Printed, t.Files = t.Read[:0], t.Printed[:0], nil
	}
	p.push(c, from, nil)
}

// frameAt is the frame of a depth.
func (p *Path) frameAt(depth int) *frame {
	for depth >= len(p.frames) {
		p.frames = append(p.frames, &frame{})
	}
	return p.frames[depth]
}

// push makes a frame for a call of c.
func (p *Path) push(c *Code, from int, args []int64) {
	f := p.frameAt(p.depth)
	if n := c.base + scratchRegisters; len(f.regs) < n {
		f.regs, f.computed = make([]int64, n), make([]uint32, n)
	}
	p.number++
	f.code, f.number, f.args, f.base, f.returned = c, p.number, args, int64(p.depth)<<frameBits, 0
	f.at, f.inChange, f.call, f.from, f.stop, f.watched, f.varargs = from, -1, nil, -1, -1, nil, 0
	if p.change != nil && p.change.In == c {
		f.stop = p.change.At
	}
	if p.walker != nil {
		f.watched = c.watched
	}
	p.frame, p.regs = f, f.regs
	if p.Trace {
		p.visit(c, c.code.Items[from].Block)
	}
}

const (
	returnTarget = math.MaxInt64
	exitTarget   = math.MaxInt64 - 1
)

// goOn runs the path to its end, and shows what its first function returns.
func (p *Path) goOn() {
	if p.run(0) {
		p.Returned = true
		p.show(mix(1, uint64(p.frames[0].returned)))
	}
}

// run runs items until the function of a depth has returned, which makes it true.
func (p *Path) run(depth int) bool {
	for p.steps < p.limit && !p.Trapped {
		f := p.frame
		if f.inChange < 0 && f.watched == nil && !p.stepwise {
			if p.straight(f); p.steps >= p.limit {
				break
			}
		}
		o := p.next(f)
		if o == nil {
			continue
		}
		p.step(o)
		if p.Trapped {
			break
		}
		if o.Code != op.Skip && o.Code != op.Alloca { // a local variable holds nothing until something is kept in it
			f.computed[o.to] = f.number
		}
		switch {
		case p.Target < 0:
		case p.Target == exitTarget:
			p.nested = 0
			return depth == 0
		case p.Target == returnTarget:
			if p.Target = -1; p.depth == p.leave {
				p.left = true
				return false
			}
			if p.depth == depth {
				return true
			}
			p.returns()
		default:
			if first := f.code.code.First; int(p.Target) >= len(first)-1 {
				return false // a block that is not the function's
			}
			p.jump(f)
		}
	}
	return false
}

// next is the operation that a frame is at; nil after the last of a change.
func (p *Path) next(f *frame) *operation {
	if f.inChange >= 0 || f.at == f.stop {
		return p.nextOfChange(f)
	}
	if f.at >= len(f.code.ops) {
		p.limit = p.steps
		return nil
	}
	if f.watched != nil && f.watched[f.at] != nil {
		p.walker.arrives(f)
	}
	p.steps++
	f.at++
	return &f.code.ops[f.at-1]
}

// jump goes on with the block that was left for.
func (p *Path) jump(f *frame) {
	number := int(p.Target)
	f.from = f.code.code.Items[f.at-1].Block // a change in place of a terminator is at it
	f.at, f.inChange, p.Target = f.code.code.First[number], -1, -1
	if p.Trace {
		p.visit(f.code, number)
	}
}

// enter calls the function that is called, if it is one of the module; its value will be
// the operation's.
func (p *Path) enter(o *operation) bool {
	callee := p.function(p.get(o.args[0]))
	if callee == nil || p.depth+1 == deepest || len(o.args)-1 < len(callee.code.Func.Params) {
		return false
	}
	into := p.frameAt(p.depth + 1)
	args := append(into.room[:0], 0)[:0] // not nil, also without arguments
	for _, a := range o.args[1:] {
		args = append(args, p.get(a))
	}
	into.room = args
	for k, n := range o.ByValue {
		if n > 0 {
			if p.Trapped = nearNull(args[k]); p.Trapped {
				return true
			}
			args[k] = p.copyValue(args[k], n)
		}
	}
	varargs := int64(0)
	if f := callee.code.Func; f.Sig.Variadic {
		if p.Transcript == nil {
			return false
		}
		varargs = p.spill(o, len(f.Params))
	}
	p.depth++
	p.push(callee, 0, args)
	p.frame.call, p.frame.varargs = o, varargs
	return true
}

// function is the code of the function at an address; nil for none of the program.
func (p *Path) function(at int64) *Code {
	if f := p.program.functions[at]; f != nil {
		return p.program.root.Callee(f)
	}
	return nil
}

// returns goes back to the caller of the function that is left.
func (p *Path) returns() {
	value, call := p.frame.returned, p.frame.call
	p.depth--
	p.frame = p.frames[p.depth]
	p.regs = p.frame.regs
	if call != nil {
		p.set(call, value)
		p.frame.computed[call.to] = p.frame.number
	}
}

// ask calls a function of the module for one of the library; false when it does not
// return.
func (p *Path) ask(callee *Code, args []int64) (int64, bool) {
	if p.depth+1 == deepest {
		return 0, true
	}
	p.depth++
	p.nested++
	p.push(callee, 0, args)
	if !p.run(p.depth) {
		if p.Target != exitTarget { // the path ends here, not in the function that asks
			p.Target, p.limit = -1, p.steps
		}
		return 0, false
	}
	value := p.frame.returned
	p.nested--
	p.returns()
	return value, true
}

// leaves ends the function of a frame.
func (p *Path) leaves(o *operation) {
	if len(o.args) > 0 {
		p.frame.returned = p.get(o.args[0])
	}
	p.Target = returnTarget
}

func (p *Path) show(what uint64) {
	if o := p.original; o != nil && !p.Differs && (len(p.Shown) >= len(o.Shown) || o.Shown[len(p.Shown)] != what) {
		p.Differs = true
		p.limit = min(p.limit, p.steps+itemsAfter)
	}
	p.Shown, p.Steps = append(p.Shown, what), append(p.Steps, p.steps)
}

// knows returns an argument, or the value of another block's item if the path computed
// it.
func (p *Path) knows(a ref) (int64, bool) {
	f := p.frame
	if n := a.x - otherBlock; n >= 0 && n < int64(len(f.code.ops)) && f.ran(int(n)) {
		return f.regs[n], true
	}
	if a.x >= 1 && a.x <= int64(len(f.args)) {
		return f.args[a.x-1], true
	}
	return 0, false
}

// again tells the first call of a callee with some arguments from later ones.
func (p *Path) again(callee int64, h uint64) uint64 {
	p.show(h)
	p.Guessed = true
	for i := range p.callees {
		if p.callees[i].callee == callee {
			p.callees[i].times++
			return mix(h, p.callees[i].times)
		}
	}
	p.callees = append(p.callees, called{callee, 0})
	return h
}

// calls notes a function that is not known.
func (p *Path) calls(o *operation) {
	if p.Transcript != nil && p.Unknown == "" && o.Callee != nil {
		p.Unknown = o.Callee.Name()
	}
}

func (p *Path) visit(c *Code, block int) {
	if p.visited[c] == nil {
		p.visited[c] = make([]bool, len(c.code.First)-1)
	}
	p.visited[c][block] = true
}

// Visited says whether a path that was traced came to a block of a function.
func (p *Path) Visited(c *Code, block int) bool { return p.visited[c] != nil && p.visited[c][block] }

// Visits are the blocks that a path which was traced came to.
type Visits map[*Code][]bool

// Has says whether they hold a block of a function.
func (v Visits) Has(c *Code, block int) bool { return v[c] != nil && v[c][block] }

// Hash is the same for the same blocks, of paths of one Root.
func (v Visits) Hash() (sum uint64) {
	for c, blocks := range v {
		h := hashOf([]byte(c.code.Func.Name()))
		for b, visited := range blocks {
			if visited {
				h = mix(h, uint64(b))
			}
		}
		sum += h // in no order, which a map has none of
	}
	return sum
}

// Visits are those of the path, which keep when another path begins.
func (p *Path) Visits() Visits { return p.visited }

// Length is how many items were run.
func (p *Path) Length() int { return p.steps }

// Value is what the function returned that the path began with; 0 before it does.
func (p *Path) Value() int64 { return p.frames[0].returned }
