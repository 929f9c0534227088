package train

// sparsePart lists, from start[r] to start[r+1], the cells of row r.
type sparsePart struct {
	all    rowCells
	owner  []int32 // by cell, the column of the table; -1 for those of other parts
	chosen rowCells
	spare  rowCells // memory for chosen
}

// rowCells lists cells by row: those of row r from start[r] to start[r+1].
type rowCells struct {
	start []int
	cells []uint32
}

// newSparsePart turns lists by column into lists by row.
func (l *layout) newSparsePart(columns []int) *sparsePart {
	p := &sparsePart{owner: make([]int32, l.cells)}
	for at := range p.owner {
		p.owner[at] = -1
	}
	start := make([]int, l.table.rows+1)
	for _, i := range columns {
		for b := range l.table.bins[i].count + 1 {
			p.owner[l.offset[i]+b] = int32(i)
		}
		for _, r := range l.table.columns[i].rows {
			start[r+1]++
		}
	}
	for r := range l.table.rows {
		start[r+1] += start[r]
	}
	cells := make([]uint32, start[l.table.rows])
	next := append([]int(nil), start...)
	for _, i := range columns {
		c := &l.table.columns[i]
		for at, r := range c.rows {
			cells[next[r]] = uint32(l.offset[i] + int(c.bins[at]))
			next[r]++
		}
	}
	p.all = rowCells{start, cells}
	p.chosen = p.all
	return p
}

// restrict copies the cells of allowed columns, which a tree goes through several times.
// Rows ascend.
func (p *sparsePart) restrict(allowed []bool, rows []int32) {
	keep := make([]uint8, len(p.owner)) // 1: adding it is cheaper than branching on it
	dropped := false
	for at, i := range p.owner {
		if i < 0 {
			continue
		}
		if allowed[i] {
			keep[at] = 1
		} else {
			dropped = true
		}
	}
	if !dropped {
		p.chosen = p.all
		return
	}
	if p.spare.start == nil {
		p.spare = rowCells{make([]int, len(p.all.start)), make([]uint32, len(p.all.cells)+1)}
	}
	n, start, cells := 0, p.spare.start, p.spare.cells
	before := int32(0) // rows up to here have their start
	for _, r := range rows {
		for ; before <= r; before++ {
			start[before] = n
		}
		for _, at := range p.all.cells[p.all.start[r]:p.all.start[r+1]] {
			cells[n] = at // never ahead: there is room for all
			n += int(keep[at])
		}
	}
	for ; int(before) < len(start); before++ {
		start[before] = n
	}
	p.chosen = p.spare
}

func (p *sparsePart) add(histogram []cell, rows []int32, derivatives []cell) {
	start, cells := p.chosen.start, p.chosen.cells
	for _, r := range rows {
		d := derivatives[r]
		for _, i := range cells[start[r]:start[r+1]] {
			c := &histogram[i]
			c.first += d.first
			c.both += d.both
		}
	}
}
