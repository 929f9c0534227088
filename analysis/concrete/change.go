package concrete

// Change is scratch code that takes the place of some items of a block.
type Change struct {
	// In is the function's code, which prepared the scratch code.
	In   *Code
	Code *Scratch
	// At and Last are the first of the items and the one after them; Result is the
	// item whose value the scratch code's takes, or -1.
	At, Last, Result int
}

// AlongChanged is Along with a change in place: wherever the path comes to its items, the
// change is run in their place. The original is the path of the same seed and beginning
// without it. What differs from there on is worth less and less: a path that shows
// something else ends itemsAfter items later, and any that takes itemsAfter items more
// than twice the original's.
func (c *Code) AlongChanged(p *Path, seed uint64, from int, change *Change, original *Path, limit int) {
	c.begin(p, seed, from, min(limit, 2*original.steps+itemsAfter))
	p.apply(change)
	p.original = original
	p.goOn()
}

// apply puts a change in place.
func (p *Path) apply(change *Change) {
	p.change = change
	for _, f := range p.frames[:p.depth+1] {
		if f.stop = -1; f.code == change.In {
			f.stop = change.At
		}
	}
}

const itemsAfter = 128

// nextOfChange begins the change, or goes on with it. It takes as many steps as what it
// takes the place of, so that paths which do the same end at the same step.
func (p *Path) nextOfChange(f *frame) *operation {
	c := p.change
	if f.inChange < 0 {
		if p.splits != nil && len(p.together) > 1 {
			p.splits.split(p, f)
		}
		if p.circle.looked && p.circle.closes(p, f) {
			p.steps = p.limit
			return nil
		}
		f.inChange = 0
		p.steps += c.Last - c.At
		clear(f.regs[c.At:c.Last])
	}
	if f.inChange == len(c.Code.ops) {
		p.replaced(f)
		return nil
	}
	f.inChange++
	f.at = c.Last
	return &c.Code.ops[f.inChange-1]
}

// replaced ends a change.
func (p *Path) replaced(f *frame) {
	c := p.change
	if f.at, f.inChange = c.Last, -1; c.Result >= 0 && c.Code.result.kind != none {
		f.regs[c.Result] = p.get(c.Code.result)
		f.computed[c.Result] = f.number
	}
}

// AlongArguments is Along of a function that is called with these arguments, as words, with
// a change in place unless it is nil. One that is seen never to end is at its limit then.
func (c *Code) AlongArguments(p *Path, args []int64, change *Change, limit int) {
	c.begin(p, 0, 0, limit)
	p.frame.args = append(p.frame.room[:0], args...)
	if change != nil {
		p.apply(change)
	}
	p.circle.watch(c, change)
	p.goOn()
}
