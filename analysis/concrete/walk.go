package concrete

import "github.com/winnow-mutants/winnow/analysis/op"

// Changes are changes of a function and of what it calls, ready for walks.
type Changes struct {
	list []*Change
	// by has the stretches that begin at each item of a function.
	by map[*Code][][]*stretch
}

// stretch is the items that some changes take the place of.
type stretch struct {
	from, to int
	calls    bool
	changes  []int // of Changes.list
	waiting  []int // those that made no difference so far
}

// NewChanges groups changes by what they take the place of.
func NewChanges(list []*Change) *Changes {
	out := &Changes{list: list, by: map[*Code][][]*stretch{}}
	for n, c := range list {
		if out.by[c.In] == nil {
			out.by[c.In] = make([][]*stretch, len(c.In.ops))
		}
		s := out.stretchOf(c)
		s.changes = append(s.changes, n)
	}
	return out
}

func (c *Changes) stretchOf(change *Change) *stretch {
	here := &c.by[change.In][change.At]
	for _, s := range *here {
		if s.to == change.Last {
			return s
		}
	}
	s := &stretch{from: change.At, to: change.Last, calls: someCalls(change.In.ops[change.At:change.Last])}
	*here = append(*here, s)
	return s
}

func someCalls(ops []operation) bool {
	for k := range ops {
		if ops[k].Code == op.Call {
			return true
		}
	}
	return false
}

// watch makes walks stop where changes begin.
func (c *Changes) watch() {
	for code, by := range c.by {
		code.watched = by
		for _, here := range by {
			for _, s := range here {
				s.waiting = append(s.waiting[:0], s.changes...)
			}
		}
	}
}

func (c *Changes) unwatch() {
	for code := range c.by {
		code.watched = nil
	}
}

// Walker follows an original, and runs changes of it on their own from where they make a
// difference. The zero Walker is ready.
type Walker struct {
	path     Path
	forks    []*Path // by level: see split
	root     *Code
	original *Path
	limit    int
	changes  *Changes
	differs  func([]int, *Path)
	// Of WalkToExits: the original from the first difference in an invocation of a function
	// to its end, and the number of its frame.
	leaves     func(int, Leaving)
	whole      Path
	invocation uint32

	infecting []int
	again     []int // to be followed one by one
	was, does effect
	// What the original's stretch leaves in the registers of its items, and what was there.
	left, regs []int64
	computed   []uint32
}

// Walk calls differs with the changes that make a difference to the path of a seed, each
// once, and with AlongChanged of them, which is good until differs returns: changes whose
// paths are the same are given together. The others come to the same as the original. It is
// as if each was run from the beginning, and much cheaper: the original is followed once,
// and where it comes to a stretch that changes take the place of, they are tried on its
// state; only those that leave another one (an infection, in the words of Voas, "PIE: A
// Dynamic Failure-Based Technique", 1992) are run from there to the end, and those that
// leave the same together (split). The original is the path of the same seed without a
// change.
func (c *Code) Walk(w *Walker, seed uint64, changes *Changes, original *Path, limit int, differs func(changes []int, path *Path)) {
	changes.watch()
	w.root, w.original, w.limit, w.changes, w.differs = c, original, limit, changes, differs
	c.begin(&w.path, seed, 0, limit)
	w.path.walker, w.path.frame.watched = w, c.watched
	w.path.goOn()
	w.path.walker = nil
	changes.unwatch()
}

// arrives tries the changes that begin where a frame is.
func (w *Walker) arrives(f *frame) {
	for _, s := range f.code.watched[f.at] {
		if len(s.waiting) == 0 {
			continue
		}
		if !s.calls {
			w.tryOriginal(f, s)
		}
		same, infecting := s.waiting[:0], w.infecting[:0]
		for _, n := range s.waiting {
			switch change := w.changes.list[n]; {
			case change.Code.calls:
				w.again = append(w.again, n)
			case s.calls || w.infects(change):
				infecting = append(infecting, n)
			default:
				same = append(same, n)
			}
		}
		s.waiting, w.infecting = same, infecting
		w.follow(f, infecting)
		if !s.calls {
			copy(f.regs[s.from:s.to], w.regs)
			copy(f.computed[s.from:s.to], w.computed)
		}
	}
}

// tryOriginal finds the effect of a stretch, and leaves its registers as they are for a
// change: not computed.
func (w *Walker) tryOriginal(f *frame, s *stretch) {
	w.regs = append(w.regs[:0], f.regs[s.from:s.to]...)
	w.computed = append(w.computed[:0], f.computed[s.from:s.to]...)
	w.path.effectOf(&w.was, f.code.ops[s.from:s.to])
	w.left = append(w.left[:0], f.regs[s.from:s.to]...)
	clear(f.regs[s.from:s.to])
	clear(f.computed[s.from:s.to])
}

// infects says whether a change leaves another state than the stretch that was tried.
func (w *Walker) infects(c *Change) bool {
	was, does := &w.was, &w.does
	w.path.effectOf(does, c.Code.ops)
	if was.trapped != does.trapped || was.target != does.target || was.returned != does.returned {
		return true
	}
	if item, x := w.path.result(c, does); item >= 0 && x != w.left[item-c.At] {
		return true
	}
	return !w.path.sameStores(was, does)
}
