package importer

import (
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// renewedRows is a table with one row an id: that of today's features or, where they
// have none, that of the former ones, in the columns whose definition is the
// same, and NaN in the others. former may be nil where each id is in today's.
func renewedRows(ids []string, today, former *table.Table) (*table.Table, error) {
	schema := today.Schema()
	places, err := placesByID(today)
	if err != nil {
		return nil, err
	}
	formerPlaces, err := placesByID(former)
	if err != nil {
		return nil, err
	}
	columns := make([]any, len(schema))
	columns[0] = ids
	for k := 1; k < len(schema); k++ {
		values, err := today.Floats(schema[k].Name)
		if err != nil {
			return nil, fmt.Errorf("renewing features: %w", err)
		}
		kept := sameColumn(former, schema[k])
		out := make([]float64, len(ids))
		for i, id := range ids {
			row, made := places[id]
			before, had := formerPlaces[id]
			switch {
			case made:
				out[i] = values[row]
			case had && kept != nil:
				out[i] = kept[before]
			default:
				out[i] = math.NaN()
			}
		}
		columns[k] = out
	}
	return table.FromColumns(schema, columns...)
}

// placesByID are the rows of a table of features, by id; nil has none.
func placesByID(t *table.Table) (map[string]int, error) {
	if t == nil {
		return nil, nil
	}
	ids, err := t.Strings("id")
	if err != nil {
		return nil, fmt.Errorf("renewing features: %w", err)
	}
	out := make(map[string]int, len(ids))
	for row, id := range ids {
		out[id] = row
	}
	return out, nil
}

// sameColumn is the column of a table that has the name and the definition of
// another one, nil where there is none.
func sameColumn(t *table.Table, c table.Column) []float64 {
	if t == nil {
		return nil
	}
	at := t.Schema().Index(c.Name)
	if at < 0 || features.Definition(t.Schema()[at]) != features.Definition(c) {
		return nil
	}
	values, err := t.Floats(c.Name)
	if err != nil {
		return nil // another type
	}
	return values
}

// sameDefinitions reports whether two tables have the same columns with the same
// meaning, in one order.
func sameDefinitions(a, b table.Schema) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || features.Definition(a[i]) != features.Definition(b[i]) {
			return false
		}
	}
	return true
}
