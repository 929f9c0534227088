package concrete

// follow runs changes that infect here to their ends, together as long as they leave the same
// states; and those of again, each on its own.
func (w *Walker) follow(f *frame, infecting []int) {
	if len(infecting) > 0 {
		if w.path.nested > 0 { // a function of the library is at work: it cannot be forked
			w.again = append(w.again, infecting...)
		} else {
			w.followTogether(f, infecting)
		}
	}
	for len(w.again) > 0 {
		n := w.again[len(w.again)-1:]
		w.again = w.again[:len(w.again)-1]
		switch {
		case w.path.nested == 0:
			w.followTogether(f, n)
		case w.leaves == nil:
			fork := w.fork(0)
			w.root.AlongChanged(fork, w.path.seed, 0, w.changes.list[n[0]], w.original, w.limit)
			w.differs(n, fork)
		}
	}
}

// fork is the path of a level, which may be used while those of lower ones are.
func (w *Walker) fork(level int) *Path {
	for level >= len(w.forks) {
		w.forks = append(w.forks, &Path{level: len(w.forks)})
	}
	return w.forks[level]
}

// followTogether runs changes of one stretch from here.
func (w *Walker) followTogether(f *frame, changes []int) {
	if w.leaves != nil && !w.follows(f) {
		return
	}
	fork := w.fork(0)
	fork.restore(&w.path)
	fork.together = append(fork.together[:0], changes...)
	first := w.changes.list[changes[0]]
	clear(fork.frame.computed[first.At:first.Last])
	fork.original = w.original
	if w.leaves != nil {
		fork.leave = w.path.depth
		fork.limit = fork.steps + 2*(w.whole.steps-fork.steps) + itemsAfter
	} else {
		fork.limit = min(w.limit, 2*w.original.steps+itemsAfter)
	}
	w.finish(fork)
}

// finish runs the changes that are together on a fork, and tells what became of them.
func (w *Walker) finish(fork *Path) {
	fork.apply(w.changes.list[fork.together[0]])
	fork.splits = w
	fork.goOn()
	fork.splits = nil
	if w.leaves == nil {
		w.differs(fork.together, fork)
		return
	}
	how := w.leaving(fork)
	for _, n := range fork.together {
		w.leaves(n, how)
	}
}

// split is called when a path comes to a stretch that changes take the place of which have
// done the same so far. Those that do not here go on from here on a path of their own. It is
// the equivalence of mutants modulo states (Wang, Xiong, Shi, Zhang and Hao, "Faster Mutation
// Analysis via Equivalence Modulo States", ISSTA 2017): most mutants of a condition, say,
// leave one of two states.
func (w *Walker) split(p *Path, f *frame) {
	was, does, other := &w.was, &w.does, w.fork(p.level+1)
	same, others := p.together[:1], other.together[:0]
	clear(f.regs[p.change.At:p.change.Last])
	p.effectOf(was, p.change.Code.ops)
	item, x := p.result(p.change, was)
	for _, n := range p.together[1:] {
		c := w.changes.list[n]
		p.effectOf(does, c.Code.ops)
		if i, y := p.result(c, does); i == item && y == x && was.equals(does) {
			same = append(same, n)
		} else {
			others = append(others, n)
		}
	}
	p.together, other.together = same, others
	switch {
	case len(others) == 0:
	case p.nested > 0:
		w.again = append(w.again, others...)
	default:
		other.restore(p)
		other.original, other.Differs, other.limit, other.leave = p.original, p.Differs, p.limit, p.leave
		w.finish(other)
	}
}
