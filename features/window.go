package features

import "github.com/winnow-mutants/winnow/analysis/concrete"

// itemsAfter bounds how far the code after a mutant's statement is run.
const itemsAfter = 64

// window is the stretch of code that a trial runs: from the start of the
// statement, over the replaced items at to last, to the statement's end and on.
type window struct {
	from, at, last, end, stop int
	result                    int // the item whose value is replaced, else -1
}

// windowOf finds the stretch of a mutant.
func (f *function) windowOf(s *site, c *edit) (window, bool) {
	last := f.code.First[s.block+1]
	w := window{result: -1}
	switch {
	case c.term != nil:
		w.at, w.last = last-1, last
	case len(c.replaced) > 0:
		from, okFrom := f.code.Number(c.replaced[0])
		to, okTo := f.code.Number(c.replaced[len(c.replaced)-1])
		if !okFrom || !okTo || to < from || f.code.Items[from].Block != s.block || f.code.Items[to].Block != s.block {
			return w, false
		}
		w.at, w.last = from, to+1
		if c.result != nil {
			w.result, _ = f.code.Number(c.resultOf)
		}
	default:
		return w, false
	}
	w.from = f.startOfRun(w.at)
	for w.end = w.last; w.end < last && f.run[w.end] == f.run[w.last-1]; {
		w.end++
	}
	w.stop = min(last, w.end+itemsAfter)
	return w, true
}

// changeOf is what an edit of a site does to its code; nil for what is too long.
func (s *site) changeOf(own *concrete.Code, c *edit, w window) *concrete.Change {
	scratch, ok := own.Scratch(s.fn.replacement(c), c.result, s.block)
	if !ok {
		return nil
	}
	return &concrete.Change{In: own, Code: scratch, At: w.at, Last: w.last, Result: w.result}
}
