package train

// denseWidth bounds the dense columns of a part. The more there are, the less often the
// derivatives of a row are fetched; the bytes of all rows that are added at a time
// should stay in the first-level cache.
const denseWidth = 64

// windowCells is the number of values of a byte. A window is so many cells of a
// histogram from those of a column on: an index that is a byte cannot leave it, so that
// nothing needs to be checked, though cells of the next columns are in it, too.
const windowCells = maxBins + 1

// addRows is the number of rows that are added at a time. Their derivatives and bins
// stay in the first-level cache while the columns are added four by four, and so do the
// cells of these four, which a walk row by row over all columns would push out.
const addRows = 256

// densePart holds width bins a row, by row.
type densePart struct {
	columns []int // of the table
	// bins are followed by denseWidth bytes of nothing.
	bins   []uint8
	offset []int
	places []int // of the columns that are added, in a row
}

// divide makes parts of at most denseWidth dense columns, as equal as they can be, and
// as many as keep all workers at work.
func divide(columns []int, workers int) [][]int {
	n := (len(columns) + denseWidth - 1) / denseWidth
	n = min((n+workers-1)/workers*workers, len(columns))
	var out [][]int
	for k := range n {
		out = append(out, columns[k*len(columns)/n:(k+1)*len(columns)/n])
	}
	return out
}

func (l *layout) newDensePart(columns []int) *densePart {
	width := len(columns)
	p := &densePart{columns: columns, bins: make([]uint8, l.table.rows*width+denseWidth)}
	for at, i := range columns {
		p.offset = append(p.offset, l.offset[i])
		p.places = append(p.places, at)
		for r, b := range l.table.columns[i].dense {
			p.bins[r*width+at] = b
		}
	}
	return p
}

func (p *densePart) restrict(allowed []bool, _ []int32) {
	p.places = p.places[:0]
	for at, i := range p.columns {
		if allowed[i] {
			p.places = append(p.places, at)
		}
	}
}

func (p *densePart) add(histogram []cell, rows []int32, derivatives []cell) {
	if len(p.places) == 0 {
		return
	}
	var b gathered
	width := len(p.columns)
	for len(rows) > 0 {
		n := min(addRows, len(rows))
		for k, r := range rows[:n] {
			b.derivatives[k] = derivatives[r]
		}
		for k, r := range rows[:n] {
			b.lines[k] = [denseWidth]uint8(p.bins[int(r)*width:]) // and bytes after it
		}
		rows = rows[n:]
		places := p.places
		for ; len(places) >= 4; places = places[4:] {
			p.addFour(histogram, &b, n, places)
		}
		for _, at := range places {
			h := (*[windowCells]cell)(histogram[p.offset[at]:])
			for k, d := range b.derivatives[:n] {
				c := &h[b.lines[k][at&(denseWidth-1)]]
				c.first += d.first
				c.both += d.both
			}
		}
	}
}

// gathered is a block of rows, copied from wherever they are: loads that do not wait for
// each other.
type gathered struct {
	derivatives [addRows]cell
	lines       [addRows][denseWidth]uint8 // bins
}

// addFour adds the first n rows of a block to the cells of four columns.
func (p *densePart) addFour(histogram []cell, rows *gathered, n int, places []int) {
	const mask = denseWidth - 1 // changes no place: says that there are no others
	a, b, c, d := places[0]&mask, places[1]&mask, places[2]&mask, places[3]&mask
	ha := (*[windowCells]cell)(histogram[p.offset[a]:])
	hb := (*[windowCells]cell)(histogram[p.offset[b]:])
	hc := (*[windowCells]cell)(histogram[p.offset[c]:])
	hd := (*[windowCells]cell)(histogram[p.offset[d]:])
	derivatives := rows.derivatives[:n]
	for k := range derivatives {
		line := &rows.lines[k]
		first, both := derivatives[k].first, derivatives[k].both
		x := &ha[line[a]]
		x.first += first
		x.both += both
		x = &hb[line[b]]
		x.first += first
		x.both += both
		x = &hc[line[c]]
		x.first += first
		x.both += both
		x = &hd[line[d]]
		x.first += first
		x.both += both
	}
}
