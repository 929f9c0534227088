package table

import (
	"fmt"
	"math"
	"strings"
)

// Table is columns of equal length under one schema. The zero value is a table
// without columns.
type Table struct {
	// Meta is key/value metadata that is written to and read from the file.
	// Keys that start with "winnow.table." are the package's own.
	Meta map[string]string

	schema  Schema
	columns []column
	rows    int
}

// column holds the values in the slice of its type; the others are nil.
type column struct {
	floats  []float64
	ints    []int64
	strings []string
	bools   []bool
}

// New returns an empty table.
func New(schema Schema) (*Table, error) {
	if err := schema.Validate(); err != nil {
		return nil, fmt.Errorf("new table: %w", err)
	}
	return &Table{schema: schema, columns: make([]column, len(schema))}, nil
}

// FromColumns returns a table over the given columns, each a []float64,
// []int64, []string or []bool as its schema says, all of one length. The table
// keeps the slices.
func FromColumns(schema Schema, columns ...any) (*Table, error) {
	t, err := New(schema)
	if err != nil {
		return nil, err
	}
	if len(columns) != len(schema) {
		return nil, fmt.Errorf("new table: %d columns for a schema of %d", len(columns), len(schema))
	}
	for i, values := range columns {
		c, typ, n := &t.columns[i], Type(0), 0
		switch v := values.(type) {
		case []float64:
			c.floats, typ, n = v, Float64, len(v)
		case []int64:
			c.ints, typ, n = v, Int64, len(v)
		case []string:
			c.strings, typ, n = v, String, len(v)
		case []bool:
			c.bools, typ, n = v, Bool, len(v)
		default:
			return nil, fmt.Errorf("new table: column %q is a %T", schema[i].Name, values)
		}
		if typ != schema[i].Type {
			return nil, fmt.Errorf("new table: column %q is %v, its schema says %v", schema[i].Name, typ, schema[i].Type)
		}
		if i > 0 && n != t.rows {
			return nil, fmt.Errorf("new table: column %q has %d rows, the columns before it %d", schema[i].Name, n, t.rows)
		}
		t.rows = n
	}
	return t, nil
}

// Schema returns the columns' descriptions; do not change them.
func (t *Table) Schema() Schema { return t.schema }

// Rows is the number of rows.
func (t *Table) Rows() int { return t.rows }

// Append adds one row, one value a column: float64, int64 or int, string,
// bool. An integer may also fill a float64 column.
func (t *Table) Append(row ...any) error {
	if len(row) != len(t.schema) {
		return fmt.Errorf("append row %d: %d values for %d columns", t.rows, len(row), len(t.schema))
	}
	for i, value := range row {
		if !fits(value, t.schema[i].Type) {
			return fmt.Errorf("append row %d: column %q is %v, the value a %T", t.rows, t.schema[i].Name, t.schema[i].Type, value)
		}
	}
	for i, value := range row {
		c := &t.columns[i]
		switch v := value.(type) {
		case float64:
			c.floats = append(c.floats, v)
		case string:
			c.strings = append(c.strings, v)
		case bool:
			c.bools = append(c.bools, v)
		case int:
			c.appendInt(t.schema[i].Type, int64(v))
		case int64:
			c.appendInt(t.schema[i].Type, v)
		}
	}
	t.rows++
	return nil
}

func fits(value any, typ Type) bool {
	switch value.(type) {
	case float64:
		return typ == Float64
	case int, int64:
		return typ == Int64 || typ == Float64
	case string:
		return typ == String
	case bool:
		return typ == Bool
	}
	return false
}

func (c *column) appendInt(typ Type, v int64) {
	if typ == Float64 {
		c.floats = append(c.floats, float64(v))
	} else {
		c.ints = append(c.ints, v)
	}
}

// AppendTable adds the rows of o, whose schema must have the same hash.
func (t *Table) AppendTable(o *Table) error {
	if d := t.schema.Difference(o.schema); d != "" {
		return fmt.Errorf("append table: %s", d)
	}
	for i := range t.columns {
		c, from := &t.columns[i], &o.columns[i]
		c.floats = append(c.floats, from.floats...)
		c.ints = append(c.ints, from.ints...)
		c.strings = append(c.strings, from.strings...)
		c.bools = append(c.bools, from.bools...)
	}
	t.rows += o.rows
	return nil
}

// Floats returns the named float64 column. Like its siblings it returns the
// table's own values, not a copy.
func (t *Table) Floats(name string) ([]float64, error) {
	i, err := t.find(name, Float64)
	if err != nil {
		return nil, err
	}
	return t.columns[i].floats, nil
}

// Ints returns the named int64 column.
func (t *Table) Ints(name string) ([]int64, error) {
	i, err := t.find(name, Int64)
	if err != nil {
		return nil, err
	}
	return t.columns[i].ints, nil
}

// Strings returns the named string column.
func (t *Table) Strings(name string) ([]string, error) {
	i, err := t.find(name, String)
	if err != nil {
		return nil, err
	}
	return t.columns[i].strings, nil
}

// Bools returns the named bool column.
func (t *Table) Bools(name string) ([]bool, error) {
	i, err := t.find(name, Bool)
	if err != nil {
		return nil, err
	}
	return t.columns[i].bools, nil
}

// Numbers returns the named column as floats: true is 1 and false 0. A float64
// column is returned itself, another one converted to a new slice.
func (t *Table) Numbers(name string) ([]float64, error) {
	i, err := t.find(name, 0)
	if err != nil {
		return nil, err
	}
	return t.NumbersAt(i)
}

// NumbersAt is Numbers of the column at a place of the schema.
func (t *Table) NumbersAt(i int) ([]float64, error) {
	c := &t.columns[i]
	switch t.schema[i].Type {
	case Float64:
		return c.floats, nil
	case Int64:
		out := make([]float64, len(c.ints))
		for r, v := range c.ints {
			out[r] = float64(v)
		}
		return out, nil
	case Bool:
		out := make([]float64, len(c.bools))
		for r, v := range c.bools {
			if v {
				out[r] = 1
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("column %q is %v, not a number", t.schema[i].Name, t.schema[i].Type)
}

// find returns the place of the column; typ 0 accepts every type.
func (t *Table) find(name string, typ Type) (int, error) {
	i := t.schema.Index(name)
	if i < 0 {
		return 0, fmt.Errorf("column %q is not in the table, which has: %s", name, list(t.schema.Names()))
	}
	if typ != 0 && t.schema[i].Type != typ {
		return 0, fmt.Errorf("column %q is %v, not %v", name, t.schema[i].Type, typ)
	}
	return i, nil
}

// Value returns one value as float64, int64, string or bool, by the place of
// its row and column.
func (t *Table) Value(row, col int) any {
	c := &t.columns[col]
	switch t.schema[col].Type {
	case Float64:
		return c.floats[row]
	case Int64:
		return c.ints[row]
	case String:
		return c.strings[row]
	default:
		return c.bools[row]
	}
}

// Select returns a table of the named columns, in that order, that shares
// their values with t.
func (t *Table) Select(names ...string) (*Table, error) {
	out := &Table{Meta: t.Meta, rows: t.rows}
	for _, name := range names {
		i, err := t.find(name, 0)
		if err != nil {
			return nil, err
		}
		out.schema = append(out.schema, t.schema[i])
		out.columns = append(out.columns, t.columns[i])
	}
	if err := out.schema.Validate(); err != nil {
		return nil, err
	}
	return out, nil
}

// Pick returns a new table of the given rows, in that order. A row may occur
// more than once.
func (t *Table) Pick(rows []int) (*Table, error) {
	for _, r := range rows {
		if r < 0 || r >= t.rows {
			return nil, fmt.Errorf("pick row %d of a table of %d rows", r, t.rows)
		}
	}
	out := &Table{Meta: t.Meta, schema: t.schema, columns: make([]column, len(t.columns)), rows: len(rows)}
	for i := range t.columns {
		c, from := &out.columns[i], &t.columns[i]
		switch t.schema[i].Type {
		case Float64:
			c.floats = pick(from.floats, rows)
		case Int64:
			c.ints = pick(from.ints, rows)
		case String:
			c.strings = pick(from.strings, rows)
		case Bool:
			c.bools = pick(from.bools, rows)
		}
	}
	return out, nil
}

func pick[T any](from []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = from[r]
	}
	return out
}

// Equal says whether both tables have the same schema hash and the same values;
// every NaN equals every NaN. Metadata is not compared.
func (t *Table) Equal(o *Table) bool {
	if t.rows != o.rows || t.schema.Hash() != o.schema.Hash() {
		return false
	}
	for col := range t.schema {
		for row := range t.rows {
			a, b := t.Value(row, col), o.Value(row, col)
			if x, ok := a.(float64); ok {
				if y := b.(float64); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
					return false
				}
			} else if a != b {
				return false
			}
		}
	}
	return true
}

// mostListed bounds the names that an error tells.
const mostListed = 20

// list joins names for an error: a table of features has a thousand columns.
func list(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), len(names)-mostListed)
}
