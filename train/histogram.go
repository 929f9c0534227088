package train

// layout is the training table arranged for histograms: by row, so that the
// derivatives of a row are loaded once for many columns.
//
// A histogram is one slice of cells; column i owns those from offset[i] on, one
// a bin and one for missing values. Dense columns are kept as rows of bytes.
// Sparse columns are kept as a list per row of the cells to add to, without the
// usual bin of each column, which is what remains of the total: a histogram of
// bag counts and one-hot columns costs time per count, not per column.
type layout struct {
	table   *table
	columns []int // the columns that have cells, ascending
	offset  []int // per column of the table; -1 without cells
	cells   int
	parts   []part
}

// part is some columns of the table; parts are filled by different workers.
type part interface {
	// add adds the rows to a histogram, usual bins of sparse columns excepted.
	add(histogram []cell, rows []int32, derivatives []cell)
}

// densePart holds width bins a row, by row.
type densePart struct {
	width  int
	bins   []uint8
	offset []int
}

func (p *densePart) add(histogram []cell, rows []int32, derivatives []cell) {
	offset := p.offset[:p.width]
	for _, r := range rows {
		d := derivatives[r]
		line := p.bins[int(r)*p.width:][:len(offset)]
		for i, b := range line {
			c := &histogram[offset[i]+int(b)]
			c.first += d.first
			c.both += d.both
		}
	}
}

// sparsePart lists, from start[r] to start[r+1], the cells of row r.
type sparsePart struct {
	start []int
	cells []uint32
}

func (p *sparsePart) add(histogram []cell, rows []int32, derivatives []cell) {
	for _, r := range rows {
		d := derivatives[r]
		for _, i := range p.cells[p.start[r]:p.start[r+1]] {
			c := &histogram[i]
			c.first += d.first
			c.both += d.both
		}
	}
}

// denseWidth is the number of dense columns in a part: their histograms, 4 KiB
// each, should stay in the second-level cache together.
const denseWidth = 32

// newLayout arranges the usable columns of t. minLeaf is Options.MinLeafSamples.
func newLayout(t *table, minLeaf, workers int) *layout {
	l := &layout{table: t, offset: make([]int, len(t.columns))}
	var dense, sparse []int
	for i := range t.columns {
		l.offset[i] = -1
		if !t.usable(i, minLeaf) {
			continue
		}
		l.columns = append(l.columns, i)
		l.offset[i] = l.cells
		l.cells += t.bins[i].count + 1
		if t.columns[i].dense != nil {
			dense = append(dense, i)
		} else {
			sparse = append(sparse, i)
		}
	}
	var builds []func() part
	for from := 0; from < len(dense); from += denseWidth {
		columns := dense[from:min(from+denseWidth, len(dense))]
		builds = append(builds, func() part { return l.newDensePart(columns) })
	}
	for _, columns := range l.shareOut(sparse, workers) {
		builds = append(builds, func() part { return l.newSparsePart(columns) })
	}
	l.parts = make([]part, len(builds))
	parallel(workers, len(builds), func(i int) { l.parts[i] = builds[i]() })
	return l
}

func (l *layout) newDensePart(columns []int) *densePart {
	p := &densePart{width: len(columns), bins: make([]uint8, l.table.rows*len(columns))}
	for at, i := range columns {
		p.offset = append(p.offset, l.offset[i])
		for r, b := range l.table.columns[i].dense {
			p.bins[r*p.width+at] = b
		}
	}
	return p
}

// newSparsePart turns lists by column into lists by row.
func (l *layout) newSparsePart(columns []int) *sparsePart {
	p := &sparsePart{start: make([]int, l.table.rows+1)}
	for _, i := range columns {
		for _, r := range l.table.columns[i].rows {
			p.start[r+1]++
		}
	}
	for r := range l.table.rows {
		p.start[r+1] += p.start[r]
	}
	p.cells = make([]uint32, p.start[l.table.rows])
	next := append([]int(nil), p.start...)
	for _, i := range columns {
		c := &l.table.columns[i]
		for at, r := range c.rows {
			p.cells[next[r]] = uint32(l.offset[i] + int(c.bins[at]))
			next[r]++
		}
	}
	return p
}

// shareOut divides sparse columns into up to n runs with about as many entries.
func (l *layout) shareOut(columns []int, n int) [][]int {
	rest := 0
	for _, i := range columns {
		rest += len(l.table.columns[i].rows)
	}
	var runs [][]int
	for ; n > 0 && len(columns) > 0; n-- {
		held, end := 0, 0
		for end < len(columns) && (held*n < rest || end == 0 || n == 1) {
			held += len(l.table.columns[columns[end]].rows)
			end++
		}
		runs = append(runs, columns[:end])
		columns = columns[end:]
		rest -= held
	}
	return runs
}

// smallLeaf is the number of rows below which starting goroutines costs more
// than they save.
const smallLeaf = 2048

// fill computes the histogram of some rows, whose sum is total.
func (l *layout) fill(histogram []cell, rows []int32, derivatives []cell, total cell, workers int) {
	clear(histogram)
	if len(rows) < smallLeaf {
		workers = 1
	}
	parallel(workers, len(l.parts), func(i int) { l.parts[i].add(histogram, rows, derivatives) })
	for _, i := range l.columns {
		if l.table.columns[i].dense == nil {
			own := l.own(histogram, i)
			rest := total
			for _, c := range own {
				rest = rest.minus(c)
			}
			own[l.table.bins[i].usual] = rest
		}
	}
}

// own is the piece of a histogram that belongs to column i.
func (l *layout) own(histogram []cell, i int) []cell {
	return histogram[l.offset[i]:][:l.table.bins[i].count+1]
}

// subtract turns the histogram of a node into that of one child, given the
// other child's.
func subtract(node, child []cell) {
	for i := range node {
		node[i].first -= child[i].first
		node[i].both -= child[i].both
	}
}
