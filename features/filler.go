package features

// blockRows are turned into columns at a time: rows that stay in the cache, and
// whole lines of the columns.
const blockRows = 16

// filler computes rows, one after the other; mutants of one site that follow each other
// share the work.
type filler struct {
	e      *extraction
	site   *site // whose part is in shared
	shared []float64
	failed []bool // by family, in the function at work
	// block are rows that are not in their batch yet, at their numbers in the program.
	block []float64
	at    []int
}

func newFiller(e *extraction) *filler {
	width := widthOf(e.families)
	return &filler{e: e, shared: make([]float64, width), failed: make([]bool, len(e.families)), block: make([]float64, blockRows*width)}
}

// add computes the row of a mutant; false when the work was stopped.
func (w *filler) add(m *mutation) bool {
	if n := len(w.at); n == blockRows || n > 0 && w.at[n-1]/batchRows != m.index/batchRows {
		if !w.flush() {
			return false
		}
	}
	if w.site != m.site {
		w.site = m.site
		clear(w.shared)
		w.each(w.shared, func(k int, f *Family, part []float64) {
			if f.PerSite != nil {
				w.fill(k, m, part, func() { f.PerSite(m.site, part) })
			}
		})
	}
	row := w.block[len(w.at)*len(w.shared):][:len(w.shared)]
	copy(row, w.shared)
	w.each(row, func(k int, f *Family, part []float64) {
		if f.PerMutant != nil {
			w.fill(k, m, part, func() { f.PerMutant(m, part) })
		}
	})
	w.at = append(w.at, m.index)
	return true
}

// each hands each family its part of a row.
func (w *filler) each(row []float64, compute func(k int, f *Family, part []float64)) {
	from := 0
	for i := range w.e.families {
		f := &w.e.families[i]
		to := from + len(f.Columns)
		compute(i, f, row[from:to:to])
		from = to
	}
}

// fill asks a family, unless it failed in the function before.
func (w *filler) fill(family int, m *mutation, part []float64, ask func()) {
	if w.failed[family] {
		missing(part)
		return
	}
	w.failed[family] = !w.e.ask(family, m.site.fn, part, ask)
}

// flush writes the block into its batch; false when the work was stopped.
func (w *filler) flush() bool {
	if len(w.at) == 0 {
		return true
	}
	to := w.e.rows.batch(w.at[0] / batchRows)
	if to == nil {
		w.at = w.at[:0]
		return false
	}
	width := len(w.shared)
	for k, column := range to.columns {
		for r, i := range w.at {
			column[i-to.from] = w.block[r*width+k]
		}
	}
	w.e.rows.written(to, len(w.at))
	w.at = w.at[:0]
	return true
}
