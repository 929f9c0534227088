package concrete

import "slices"

// circle notices that a path comes to its change in a state in which it came there before: in a function that calls
// nothing, what it does from there on it has done already, and does for ever. States are kept at steps that double
// (R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980), so that a circle is
// noticed within a few times its length, long before the limit of a path.
type circle struct {
	looked  bool // for: the path is one of a function that calls nothing
	closed  bool // it was noticed on this path
	ignored bool // never looked for: the slow twin of tests
	next    int  // steps at which a state is kept again
	differs int  // a register that was seen to differ: most often it does so again

	// The state that is kept: the block that the change's was come to from, registers and memory.
	from     int
	regs     []int64
	computed []uint32
	log      []granule
}

// firstKept are the steps of a path at which a state is kept first.
const firstKept = 64

// watch begins to look at a path, if its function and its change call nothing.
func (c *circle) watch(code *Code, change *Change) {
	c.looked = change != nil && change.In == code && !change.Code.calls && !code.calls && !c.ignored
	c.closed = false
	c.next, c.regs, c.differs = firstKept, c.regs[:0], 0
}

// closes reports whether the state in which a path comes to its change is the one that was kept.
func (c *circle) closes(p *Path, f *frame) bool {
	n := f.code.base + scratchRegisters
	regs, computed := f.regs[:n], f.computed[:n]
	if len(c.regs) == n && c.from == f.from && regs[c.differs] == c.regs[c.differs] {
		same := true
		for i, x := range regs {
			if x != c.regs[i] {
				same, c.differs = false, i
				break
			}
		}
		if same && slices.Equal(computed, c.computed) && slices.Equal(p.log, c.log) {
			c.closed = true
			return true
		}
	}
	if p.steps >= c.next {
		c.from, c.next = f.from, 2*p.steps
		c.regs, c.computed, c.log = append(c.regs[:0], regs...), append(c.computed[:0], computed...), append(c.log[:0], p.log...)
	}
	return false
}
