package concrete

import "math"

// Path is a run that goes on from block to block: after a branch with the block that
// it leads to, into the functions of the module that it calls and back, until the
// first function returns, or it traps, or has run as many items as it may. Values of
// other blocks are those that the path computed, and drawn where it did not; what a
// function outside of the module gives when it is asked the same again is drawn anew.
//
// The zero Path is not ready: see Along.
type Path struct {
	Run
	// Shown are the calls that left the module and, last, the value returned, each as a
	// hash of what it was and of its operands; Steps says how many items had run.
	Shown []uint64
	Steps []int
	// Returned says that the path came to the first function's end, Differs that it
	// showed something that the original did not.
	Returned, Differs bool

	program  *program
	fromMain bool
	frame    *frame
	frames   []*frame // by depth, kept for the calls to come
	depth    int
	number   uint32 // of calls and paths, so that none reads what another computed
	callees  []called
	steps    int
	limit    int
	cells    cells
	change   *Change
	original *Path
	// Trace, set before a path, keeps which blocks it comes to, for Visited.
	Trace   bool
	visited map[*Code][]bool
}

// frame is what a call has of its own.
type frame struct {
	code *Code
	regs []int64
	// computed holds, by register, the number of the call that set it last.
	computed []uint32
	number   uint32
	args     []int64 // nil: the parameters are drawn
	base     int64   // of the addresses of its local variables
	returned int64
}

func (f *frame) ran(item int) bool { return f.computed[item] == f.number }

// called counts the calls of one callee.
type called struct {
	callee int64
	times  uint64
}

// Change is scratch code that takes the place of some items of a block.
type Change struct {
	// In is the function's code, which prepared the scratch code.
	In   *Code
	Code *Scratch
	// At and Last are the first of the items and the one after them; Result is the
	// item whose value the scratch code's takes, or -1.
	At, Last, Result int
}

// deepest bounds calls within calls.
const deepest = 6

// Along runs a path from an item on, in the state of a seed, for so many items at most.
func (c *Code) Along(p *Path, seed uint64, from, limit int) {
	c.along(p, seed, from, nil, nil, limit)
}

// AlongChanged does so with a change in place: wherever the path comes to its items, the
// change is run in their place. The original is the path of the same seed and beginning
// without it. What differs from there on is worth less and less: a path that shows
// something else ends itemsAfter items later, and any that takes itemsAfter items more
// than twice the original's.
func (c *Code) AlongChanged(p *Path, seed uint64, from int, change *Change, original *Path, limit int) {
	c.along(p, seed, from, change, original, min(limit, 2*original.steps+itemsAfter))
}

const itemsAfter = 256

func (c *Code) along(p *Path, seed uint64, from int, change *Change, original *Path, limit int) {
	c.Start(&p.Run, seed)
	p.Run.path, p.program, p.fromMain = p, c.within, c.within.root.code.Func.Name() == "main"
	p.Shown, p.Steps, p.Returned, p.callees = p.Shown[:0], p.Steps[:0], false, p.callees[:0]
	p.steps, p.limit, p.change, p.original, p.depth = 0, limit, change, original, 0
	p.Differs = false
	p.cells.clear()
	if p.Trace {
		p.visited = map[*Code][]bool{}
	}
	p.push(c)
	if p.blocks(from) {
		p.Returned = true
		p.show(mix(1, uint64(p.frame.returned)))
	}
}

// push makes a frame for a call of c.
func (p *Path) push(c *Code) {
	if p.depth == len(p.frames) {
		p.frames = append(p.frames, &frame{})
	}
	f := p.frames[p.depth]
	if n := c.base + scratchRegisters; len(f.regs) < n {
		f.regs, f.computed = make([]int64, n), make([]uint32, n)
	}
	p.number++
	f.code, f.number, f.args, f.base, f.returned = c, p.number, nil, int64(p.depth)<<36, 0
	p.frame, p.regs = f, f.regs
}

// blocks runs the frame's function from an item on; true when it returned.
func (p *Path) blocks(from int) bool {
	f, at := p.frame, from
	for p.steps < p.limit {
		first := f.code.code.First
		if p.Trace {
			p.visit(f.code, f.code.code.Items[at].Block)
		}
		p.leg(at, first[f.code.code.Items[at].Block+1])
		switch {
		case p.Trapped || p.Target < 0:
			return false
		case p.Target == math.MaxInt64:
			return true
		case int(p.Target) >= len(first)-1:
			return false // a block that is not the function's
		}
		at, p.Target = first[p.Target], -1
	}
	return false
}

// leg runs items of one block.
func (p *Path) leg(from, to int) {
	f := p.frame
	change := p.change
	if change != nil && change.In != f.code {
		change = nil
	}
	for i := from; i < to && !p.Trapped && p.Target < 0 && p.steps < p.limit; {
		if change != nil && i == change.At {
			p.replace(change)
			i = change.Last
			continue
		}
		p.do(&f.code.ops[i])
		i++
	}
}

func (p *Path) replace(change *Change) {
	for k := range change.Code.ops {
		if p.Trapped || p.Target >= 0 {
			return
		}
		p.do(&change.Code.ops[k])
	}
	if change.Result >= 0 && change.Code.result.kind != none {
		p.regs[change.Result] = p.get(change.Code.result)
		p.frame.computed[change.Result] = p.frame.number
	}
}

func (p *Path) do(o *op) {
	p.steps++
	p.step(o)
	p.frame.computed[o.to] = p.frame.number
}

// enter runs the function that is called, if it is one of the module; its value is the
// operation's.
func (p *Path) enter(o *op) bool {
	if o.callee == nil || p.depth+1 == deepest {
		return false
	}
	callee := p.frame.code.Callee(o.callee)
	if callee == nil || len(o.args)-1 < len(callee.code.Func.Params) {
		return false
	}
	args := make([]int64, 0, 8)
	for _, a := range o.args[1:] {
		args = append(args, p.get(a))
	}
	caller := p.frame
	p.depth++
	p.push(callee)
	p.frame.args = args
	returned := p.blocks(0)
	value := p.frame.returned
	p.depth--
	p.frame, p.regs = caller, caller.regs
	if p.Target = -1; returned {
		p.set(o, value)
	} else if !p.Trapped {
		p.limit = p.steps // it did not come back
	}
	return true
}

// leaves ends the function of a frame.
func (p *Path) leaves(o *op) {
	if len(o.args) > 0 {
		p.frame.returned = p.get(o.args[0])
	}
	p.Target = math.MaxInt64
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
	for i := range p.callees {
		if p.callees[i].callee == callee {
			p.callees[i].times++
			return mix(h, p.callees[i].times)
		}
	}
	p.callees = append(p.callees, called{callee, 0})
	return h
}

func (p *Path) visit(c *Code, block int) {
	if p.visited[c] == nil {
		p.visited[c] = make([]bool, len(c.code.First)-1)
	}
	p.visited[c][block] = true
}

// Visited says whether a path that was traced came to a block of a function.
func (p *Path) Visited(c *Code, block int) bool { return p.visited[c] != nil && p.visited[c][block] }

// Outlives compares the memory that two paths of one seed leave behind: what is not a
// local variable, and what is.
func (p *Path) Outlives(other *Path) (outer, local bool) {
	for _, pair := range [][2]*Path{{p, other}, {other, p}} {
		for i := range pair[0].log {
			a := &pair[0].log[i]
			b, ok := write{}, false
			if i < len(pair[1].log) && pair[1].log[i].at == a.at { // most write in the same order
				b, ok = pair[1].log[i], true
			} else {
				b, ok = pair[1].cell(a.at)
			}
			if ok && a.value == b.value && a.reseeded == b.reseeded {
				continue
			}
			if isLocal(a.at) {
				local = true
			} else {
				outer = true
			}
		}
	}
	return outer, local
}

// Value is what the function returned that the path began with; 0 before it does.
func (p *Path) Value() int64 { return p.frames[0].returned }
