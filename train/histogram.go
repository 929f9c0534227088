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
	// chosen are those of columns that a histogram is filled for.
	chosen []int
}

// part is some columns of the table; parts are filled by different workers.
type part interface {
	// add adds the rows to a histogram, usual bins of sparse columns excepted.
	add(histogram []cell, rows []int32, derivatives []cell)
	// restrict has add leave out columns that are not allowed, until it is called
	// again. Until then add is asked for some of these rows only, which ascend.
	restrict(allowed []bool, rows []int32)
}

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
	l.chosen = l.columns
	var builds []func() part
	for _, columns := range divide(dense, workers) {
		builds = append(builds, func() part { return l.newDensePart(columns) })
	}
	for _, columns := range l.shareOut(sparse, workers) {
		builds = append(builds, func() part { return l.newSparsePart(columns) })
	}
	l.parts = make([]part, len(builds))
	parallel(workers, len(builds), func(i int) { l.parts[i] = builds[i]() })
	return l
}

// restrict has fill leave out columns that are not allowed, whose cells stay 0, until
// it is called again. Until then fill is asked for some of these rows only, which
// ascend.
func (l *layout) restrict(allowed []bool, rows []int32, workers int) {
	l.chosen = make([]int, 0, len(l.columns))
	for _, i := range l.columns {
		if allowed[i] {
			l.chosen = append(l.chosen, i)
		}
	}
	parallel(workers, len(l.parts), func(i int) { l.parts[i].restrict(allowed, rows) })
}

// newHistogram is a histogram of all columns. The cells after those of the last
// column are never written: windows reach into them.
func (l *layout) newHistogram() []cell { return make([]cell, l.cells+windowCells) }

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
	for _, i := range l.chosen {
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
