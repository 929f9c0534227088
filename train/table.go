package train

import (
	"math/rand/v2"
	"slices"
)

// maxRows bounds a table, see precision.go: with more rows the packed second
// derivatives would be too coarse.
const maxRows = 1 << 24

// sampleRows bounds the rows that bins are chosen from, as in LightGBM
// (bin_construct_sample_cnt).
const sampleRows = 200_000

// table is binned data by column, for looking up single rows.
type table struct {
	rows    int
	bins    []binning
	columns []binnedColumn
}

// binnedColumn holds the bin of every row, or of those outside the usual bin.
type binnedColumn struct {
	dense []uint8 // nil for a sparse column
	rows  []int32
	bins  []uint8
}

// denseFrom is the share of rows outside the usual bin from which a column is
// kept dense: an entry of a list costs about three times a byte of a dense row.
const denseFrom = 0.3

// binsSample marks the rows that bins are chosen from; nil means all.
func binsSample(rows int, seed uint64) []bool {
	if rows <= sampleRows {
		return nil
	}
	sample := make([]bool, rows)
	for _, r := range drawRows(stream(seed, "bins", 0), rows, sampleRows) {
		sample[r] = true
	}
	return sample
}

// binData chooses the bins of every column of d and bins it. A column that is to
// be loaded is in memory as numbers only while a worker is at it.
func binData(d *Data, o *Options) (*table, error) {
	sample := binsSample(d.Rows(), o.Seed)
	n := len(d.Columns)
	t := &table{rows: d.Rows(), bins: make([]binning, n), columns: make([]binnedColumn, n)}
	failed := make([]error, n)
	parallel(o.Workers, n, func(i int) {
		var c Column
		if c, failed[i] = d.column(i); failed[i] == nil {
			t.bins[i] = newBinning(&c, d.Rows(), sample, o.Bins)
			t.columns[i] = binColumn(&c, &t.bins[i], d.Rows())
		}
	})
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// binColumn bins a column and chooses its form; it sets usual and rare of b.
func binColumn(c *Column, b *binning, rows int) binnedColumn {
	b.usual = 0
	codes := make([]uint8, len(c.Values))
	var counts [maxBins + 1]int
	for i, x := range c.Values {
		code := b.bin(x)
		codes[i] = code
		counts[code]++
	}
	zero := b.bin(0)
	counts[zero] += rows - len(c.Values)
	for code, n := range counts {
		if n > counts[b.usual] {
			b.usual = uint8(code)
		}
	}
	b.rare = rows - counts[b.usual]
	if float64(b.rare) >= denseFrom*float64(rows) {
		return binnedColumn{dense: spread(c, codes, zero, rows)}
	}
	out := binnedColumn{rows: []int32{}}
	if c.sparse() && zero != b.usual {
		codes, c = spread(c, codes, zero, rows), &Column{}
	}
	for i, code := range codes {
		if code != b.usual {
			r := int32(i)
			if c.sparse() {
				r = c.Rows[i]
			}
			out.rows = append(out.rows, r)
			out.bins = append(out.bins, code)
		}
	}
	out.rows, out.bins = slices.Clip(out.rows), slices.Clip(out.bins)
	return out
}

// spread returns a code for every row.
func spread(c *Column, codes []uint8, zero uint8, rows int) []uint8 {
	if !c.sparse() {
		return codes
	}
	all := make([]uint8, rows)
	if zero != 0 {
		for r := range all {
			all[r] = zero
		}
	}
	for i, r := range c.Rows {
		all[r] = codes[i]
	}
	return all
}

// usable reports whether some split on column i can leave minLeaf rows on both
// sides. The side without the usual bin has at most the rare rows.
func (t *table) usable(i, minLeaf int) bool { return t.bins[i].rare >= minLeaf }

// codes returns the bins of some rows of column i.
func (t *table) codes(i int, rows []int32) []uint8 {
	c := &t.columns[i]
	out := make([]uint8, len(rows))
	for k, r := range rows {
		if c.dense != nil {
			out[k] = c.dense[r]
		} else if at, found := slices.BinarySearch(c.rows, r); found {
			out[k] = c.bins[at]
		} else {
			out[k] = t.bins[i].usual
		}
	}
	return out
}

// partition reorders rows so that those whose bin goes left come first, both
// parts in their old order, and returns the number of the first.
func (t *table) partition(rows []int32, column int, goesLeft *[256]bool, s *scratch) int {
	c := &t.columns[column]
	var left [256]int // 1 for left: adding it is cheaper than branching on it
	for b, l := range goesLeft {
		if l {
			left[b] = 1
		}
	}
	codes := c.dense
	if codes == nil {
		// Spread the column over the scratch memory: 1 where the direction is
		// not that of the usual bin.
		codes = s.mark
		usual := left[t.bins[column].usual]
		for i, r := range c.rows {
			codes[r] = uint8(left[c.bins[i]] ^ usual)
		}
		left[0], left[1] = usual, 1-usual
		defer func() {
			for _, r := range c.rows {
				s.mark[r] = 0
			}
		}()
	}
	nl, nr := 0, 0
	spare := s.rows[:len(rows)]
	for _, r := range rows {
		l := left[codes[r]]
		rows[nl] = r // never ahead of the reading position
		spare[nr] = r
		nl += l
		nr += 1 - l
	}
	copy(rows[nl:], spare[:nr])
	return nl
}

// scratch is memory that partition needs; mark is all 0 in between.
type scratch struct {
	rows []int32
	mark []uint8
}

func newScratch(rows int) *scratch {
	return &scratch{rows: make([]int32, rows), mark: make([]uint8, rows)}
}

// drawRows draws n of the rows without replacement and returns them ascending
// (Knuth, TAOCP 2, algorithm 3.4.2 S).
func drawRows(rng *rand.Rand, rows, n int) []int32 {
	out := make([]int32, 0, n)
	for r := range rows {
		if rng.Float64()*float64(rows-r) < float64(n-len(out)) {
			out = append(out, int32(r))
		}
	}
	return out
}
