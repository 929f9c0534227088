package concrete

// restore makes p the path that start is. Frames that are not in use keep what they
// computed, so numbers go on from the greatest of both.
func (p *Path) restore(start *Path) {
	p.Run = Run{seed: start.seed, program: start.program, log: append(p.log[:0], start.log...), made: append(p.made[:0], start.made...), begun: start.begun, Effects: start.Effects, Target: -1, path: p, behind: start.behind}
	p.Shown, p.Steps, p.Returned = append(p.Shown[:0], start.Shown...), append(p.Steps[:0], start.Steps...), false
	p.callees, p.steps, p.depth, p.Differs = append(p.callees[:0], start.callees...), start.steps, start.depth, false
	p.sizes, p.freed = append(p.sizes[:0], start.sizes...), append(p.freed[:0], start.freed...)
	p.fills, p.in, p.nested, p.blocksAllocated = append(p.fills[:0], start.fills...), start.in, 0, start.blocksAllocated
	p.byValue = append(p.byValue[:0], start.byValue...)
	p.change, p.original, p.splits = nil, nil, nil
	p.given, p.source, p.tokens, p.Guessed, p.leave, p.left = start.given, start.source, start.tokens, start.Guessed, -1, false
	p.opened, p.rolls = append(p.opened[:0], start.opened...), start.rolls
	p.options, p.ticks = start.options, start.ticks
	p.buffered, p.flushed = start.buffered, start.flushed
	p.number = max(p.number, start.number)
	p.granules.copy(&start.granules)
	for depth := range start.depth + 1 {
		p.frameAt(depth).copy(start.frames[depth])
		p.frames[depth].watched = nil
	}
	p.frame = p.frames[p.depth]
	p.regs = p.frame.regs
}

func (f *frame) copy(other *frame) {
	regs, computed, room := f.regs, f.computed, f.room
	n := other.code.base + scratchRegisters
	if len(regs) < n {
		regs, computed = make([]int64, n), make([]uint32, n)
	}
	*f = *other
	copy(regs, other.regs[:n])
	copy(computed, other.computed[:n])
	f.regs, f.computed, f.room = regs, computed, room
	if other.args != nil {
		f.room = append(append(room[:0], 0)[:0], other.args...)
		f.args = f.room
	}
}
