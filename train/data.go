package train

import (
	"errors"
	"fmt"
	"math"
)

// Column is one feature of all rows.
//
// With Rows nil it is dense: Values[r] is the value of row r. Otherwise it is
// sparse: Values[i] belongs to row Rows[i], Rows ascend, and every row that is
// not named is 0. NaN is a missing value; infinities are refused.
type Column struct {
	Rows   []int32
	Values []float64
	// Load, where set, fetches the column when it is needed, and Rows and Values
	// are empty. Fit calls it twice at most, from several goroutines, and keeps a
	// byte a row of what it returns: a table that does not fit into memory as
	// numbers can be learned from column by column.
	Load func() (Column, error)
}

// load returns the column with its values in memory.
func (c *Column) load() (Column, error) {
	if c.Load == nil {
		return *c, nil
	}
	return c.Load()
}

// all returns the value of every row.
func (c *Column) all(rows int) []float64 {
	if !c.sparse() {
		return c.Values
	}
	out := make([]float64, rows)
	for i, r := range c.Rows {
		out[r] = c.Values[i]
	}
	return out
}

// Dense returns a column with a value for every row. It keeps values.
func Dense(values []float64) Column { return Column{Values: values} }

// compressBelow is the share of non-zero values under which the sparse form
// (12 bytes a value) saves at least half the memory of the dense one (8 bytes a
// row).
const compressBelow = 1.0 / 3

// Compress returns values as a sparse column when most are 0, else as a dense
// one.
func Compress(values []float64) Column {
	filled := 0
	for _, x := range values {
		if x != 0 {
			filled++
		}
	}
	if float64(filled) >= compressBelow*float64(len(values)) {
		return Dense(values)
	}
	c := Column{Rows: make([]int32, 0, filled), Values: make([]float64, 0, filled)}
	for r, x := range values {
		if x != 0 {
			c.Rows = append(c.Rows, int32(r))
			c.Values = append(c.Values, x)
		}
	}
	return c
}

// sparse reports whether the column names its rows.
func (c *Column) sparse() bool { return c.Rows != nil }

// Data is a table to learn from. A row is one mutant, but nothing here knows.
type Data struct {
	Columns []Column
	// Names are the names of the columns; they become the feature names of the
	// model.
	Names []string
	// Labels has one entry a row. Their range depends on the objective.
	Labels []float64
	// Weights scale the rows' losses; nil means 1 each. They must not be
	// negative. MinLeafSamples counts rows whatever their weight.
	Weights []float64
	// Groups gives each row the number of its program. Learners that compare
	// rows only within a program need it; others ignore it. Nil means one group.
	Groups []int32

	// Binned, where set, is the same columns as they were binned before: see
	// Binned.Choose, which sets it.
	Binned *Binned
}

// Rows is the number of rows.
func (d *Data) Rows() int { return len(d.Labels) }

func (d *Data) weight(row int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[row]
}

// Validate checks shapes and values, except of columns that are still to be
// loaded: those are checked as they come. Fit calls it.
func (d *Data) Validate() error {
	n := len(d.Labels)
	switch {
	case n == 0:
		return errors.New("data: no rows")
	case n > maxRows:
		return fmt.Errorf("data: %d rows, at most %d can be learned from: sample them", n, maxRows)
	case len(d.Columns) == 0:
		return errors.New("data: no columns")
	case len(d.Names) != len(d.Columns):
		return fmt.Errorf("data: %d columns but %d names", len(d.Columns), len(d.Names))
	case d.Weights != nil && len(d.Weights) != n:
		return fmt.Errorf("data: %d rows but %d weights", n, len(d.Weights))
	case d.Groups != nil && len(d.Groups) != n:
		return fmt.Errorf("data: %d rows but %d groups", n, len(d.Groups))
	}
	total := 0.0
	for r := range n {
		w := d.weight(r)
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("data: row %d has weight %v", r, w)
		}
		total += w
	}
	if total == 0 {
		return errors.New("data: all weights are 0")
	}
	seen := make(map[string]bool, len(d.Names))
	for _, name := range d.Names {
		if name == "" || seen[name] {
			return fmt.Errorf("data: column name %q is empty or given twice", name)
		}
		seen[name] = true
	}
	for i := range d.Columns {
		if c := &d.Columns[i]; c.Load == nil {
			if err := d.validateColumn(c); err != nil {
				return fmt.Errorf("data: column %q: %w", d.Names[i], err)
			}
		}
	}
	return nil
}

// column returns column i with its values. What is loaded is checked: Validate
// has not seen it.
func (d *Data) column(i int) (Column, error) {
	c := &d.Columns[i]
	if c.Load == nil {
		return *c, nil
	}
	loaded, err := c.Load()
	if err == nil {
		err = d.validateColumn(&loaded)
	}
	if err != nil {
		return Column{}, fmt.Errorf("data: column %q: %w", d.Names[i], err)
	}
	return loaded, nil
}

func (d *Data) validateColumn(c *Column) error {
	if c.sparse() {
		if len(c.Rows) != len(c.Values) {
			return fmt.Errorf("%d rows but %d values", len(c.Rows), len(c.Values))
		}
		before := int32(-1)
		for _, r := range c.Rows {
			if r <= before || int(r) >= d.Rows() {
				return fmt.Errorf("row %d after row %d, of %d rows", r, before, d.Rows())
			}
			before = r
		}
	} else if len(c.Values) != d.Rows() {
		return fmt.Errorf("%d values for %d rows", len(c.Values), d.Rows())
	}
	for at, x := range c.Values {
		if x > everything || x < -everything {
			return fmt.Errorf("value %d is %v: numbers go to %v, and a value that is not known is NaN", at, x, everything)
		}
	}
	return nil
}
