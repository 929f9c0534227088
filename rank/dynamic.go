package rank

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// withDynamic puts what tests told of the original beside static features.
type withDynamic struct {
	static  Features
	observe func() (*Observed, error)
}

func (w *withDynamic) Schema() table.Schema { return features.FullSchema() }
func (w *withDynamic) Close() error         { return w.static.Close() }

// Groups reads the static features before the tests are run: running a program's tests
// builds it, which changes what features are computed from.
func (w *withDynamic) Groups(columns ...string) (Groups, error) {
	all, err := features.Columns("dynamic")
	if err != nil {
		return nil, err
	}
	g := &observedGroups{columns: columns, all: all}
	names := []string{"id"}
	for _, c := range columns {
		if !slices.Contains(all, c) {
			names = append(names, c)
		}
	}
	if g.static, err = w.static.Groups(names...); err != nil {
		return nil, err
	}
	observed, err := w.observe()
	if err != nil {
		return nil, err
	}
	g.dynamic = observed.Dynamic
	return g, nil
}

// observedGroups are groups of columns, of which the dynamic ones are filled in.
type observedGroups struct {
	static  Groups
	dynamic *features.Dynamic
	columns []string
	all     []string // the dynamic columns, in the order that Fill gives them
}

func (g *observedGroups) Len() int           { return g.static.Len() }
func (g *observedGroups) Rows(group int) int { return g.static.Rows(group) }

func (g *observedGroups) Read(group int) (*table.Table, error) {
	batch, err := g.static.Read(group)
	if err != nil {
		return nil, err
	}
	ids, err := batch.Strings("id")
	if err != nil {
		return nil, err
	}
	told := make([][]float64, len(g.all))
	for k := range told {
		told[k] = make([]float64, len(ids))
	}
	row := make([]float64, len(g.all))
	for i, id := range ids {
		g.dynamic.Fill(id, row)
		for k, v := range row {
			told[k][i] = v
		}
	}
	var schema table.Schema
	var columns []any
	static := 1 // the id is the first
	for _, name := range g.columns {
		if k := slices.Index(g.all, name); k >= 0 {
			schema, columns = append(schema, table.Column{Name: name, Type: table.Float64}), append(columns, told[k])
			continue
		}
		values, err := batch.NumbersAt(static)
		if err != nil {
			return nil, fmt.Errorf("reading feature %s: %w", name, err)
		}
		schema, columns = append(schema, table.Column{Name: name, Type: table.Float64}), append(columns, values)
		static++
	}
	return table.FromColumns(schema, columns...)
}
