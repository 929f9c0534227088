package subject

import (
	"fmt"
	"math"
)

// Rows are the feature rows of a subject's mutants, kept small: there are
// a thousand columns, and a history has millions of rows. Within one program most
// columns are constant or take a few values, so a column is kept as its different
// values and a byte a row that says which. Nothing is rounded: a value comes back
// with the bits it had, NaN included.
//
// A nil *Rows has no rows.
type Rows struct {
	rows    int
	columns []packedColumn
}

// packedColumn is one column. A constant one has one value and no codes; one with
// more than 256 values has them all, in the order of the rows, and no codes.
type packedColumn struct {
	values []float64
	codes  []byte
}

// NewRows makes rows of no columns yet.
func NewRows(rows int) *Rows { return &Rows{rows: rows} }

// PackRows keeps rows, each with a value for each of so many columns.
func PackRows(rows [][]float64, columns int) (*Rows, error) {
	for i, row := range rows {
		if len(row) != columns {
			return nil, fmt.Errorf("%w: feature row %d has %d values, there are %d columns", ErrSubject, i, len(row), columns)
		}
	}
	out := NewRows(len(rows))
	values := make([]float64, len(rows))
	for k := range columns {
		for i, row := range rows {
			values[i] = row[k]
		}
		out.AddColumn(values)
	}
	return out, nil
}

// AddColumn adds a column: one value a row, which are copied.
func (r *Rows) AddColumn(values []float64) {
	if len(values) != r.rows {
		panic(fmt.Sprintf("a column of %d values for %d rows", len(values), r.rows))
	}
	r.columns = append(r.columns, pack(values))
}

func pack(values []float64) packedColumn {
	codeOf := map[uint64]byte{}
	var c packedColumn
	codes := make([]byte, len(values))
	last, code := uint64(0), byte(0)
	for i, v := range values {
		bits := math.Float64bits(v)
		if i == 0 || bits != last {
			known := false
			if code, known = codeOf[bits]; !known {
				if len(c.values) == 256 {
					return packedColumn{values: append([]float64(nil), values...)}
				}
				code = byte(len(c.values))
				codeOf[bits] = code
				c.values = append(c.values, v)
			}
			last = bits
		}
		codes[i] = code
	}
	c.values = append([]float64(nil), c.values...) // no more room than it takes
	if len(c.values) > 1 {
		c.codes = codes
	}
	return c
}

func (c *packedColumn) at(row int) float64 {
	switch {
	case c.codes != nil:
		return c.values[c.codes[row]]
	case len(c.values) == 1:
		return c.values[0]
	}
	return c.values[row]
}

// pick appends the values of some rows to into.
func (c *packedColumn) pick(rows []int, into []float64) []float64 {
	switch {
	case c.codes != nil:
		for _, row := range rows {
			into = append(into, c.values[c.codes[row]])
		}
	case len(c.values) == 1:
		for range rows {
			into = append(into, c.values[0])
		}
	default:
		for _, row := range rows {
			into = append(into, c.values[row])
		}
	}
	return into
}

// Len is the number of rows.
func (r *Rows) Len() int {
	if r == nil {
		return 0
	}
	return r.rows
}

// Columns is the number of columns.
func (r *Rows) Columns() int {
	if r == nil {
		return 0
	}
	return len(r.columns)
}

// Column appends the values of a column to into.
func (r *Rows) Column(column int, into []float64) []float64 {
	c := &r.columns[column]
	for row := range r.rows {
		into = append(into, c.at(row))
	}
	return into
}

// ColumnAt appends the values of a column at some rows to into.
func (r *Rows) ColumnAt(column int, rows []int, into []float64) []float64 {
	return r.columns[column].pick(rows, into)
}

// Dense returns all rows as slices of one block of their own.
func (r *Rows) Dense() [][]float64 {
	if r == nil {
		return nil
	}
	columns := len(r.columns)
	block, out := make([]float64, r.rows*columns), make([][]float64, r.rows)
	for i := range out {
		out[i] = block[i*columns : (i+1)*columns : (i+1)*columns]
	}
	for k := range r.columns {
		c := &r.columns[k]
		for i := range out {
			out[i][k] = c.at(i)
		}
	}
	return out
}

// Pick returns the rows at the given positions, in that order.
func (r *Rows) Pick(positions []int) *Rows {
	if r == nil {
		return nil
	}
	out := &Rows{rows: len(positions), columns: make([]packedColumn, len(r.columns))}
	for k := range r.columns {
		c, to := &r.columns[k], &out.columns[k]
		switch {
		case c.codes != nil:
			to.values, to.codes = c.values, make([]byte, len(positions))
			for i, p := range positions {
				to.codes[i] = c.codes[p]
			}
		case len(c.values) == 1:
			*to = *c
		default:
			values := make([]float64, len(positions))
			for i, p := range positions {
				values[i] = c.values[p]
			}
			*to = pack(values)
		}
	}
	return out
}

// Choose returns the rows with the columns at the given places, in that order;
// a place below 0 takes the column of others at its complement. A nil r has no column
// to choose from, and as many rows as others.
func (r *Rows) Choose(places []int, others *Rows) *Rows {
	rows := r.Len()
	if r == nil {
		rows = others.Len()
	}
	out := &Rows{rows: rows, columns: make([]packedColumn, len(places))}
	for k, at := range places {
		if at < 0 {
			out.columns[k] = others.columns[^at]
		} else {
			out.columns[k] = r.columns[at]
		}
	}
	return out
}
