package importer

import (
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
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

// lacksExits says that a probe has all columns of today but the last.
func lacksExits(probe *table.Table) bool {
	return probe != nil && dataset.ProbeNotesValues(probe) && !dataset.ProbeNotesLeaving(probe)
}

// testsOfProbe are those of a subject's tests that a probe has rows of. Those that were
// made at the import are not among them.
func testsOfProbe(probe *table.Table, tests []execute.Test) ([]execute.Test, error) {
	names, err := probe.Strings("test")
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, name := range names {
		has[name] = true
	}
	var out []execute.Test
	for i := range tests {
		if has[tests[i].Name] {
			out = append(out, tests[i])
		}
	}
	return out, nil
}

// columnsOfProbe are all columns but the last.
func columnsOfProbe(probe *table.Table) ([]any, error) {
	var out []any
	for _, c := range dataset.ProbeSchema() {
		var column any
		var err error
		switch {
		case c.Name == "leaving":
			continue
		case c.Type == table.String:
			column, err = probe.Strings(c.Name)
		default:
			column, err = probe.Ints(c.Name)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, column)
	}
	return out, nil
}

// renewedProbe is a probe with what is known of its mutants and tests.
func renewedProbe(probe *table.Table, p *program.Program, found campaign.AtExits) (*table.Table, error) {
	columns, err := columnsOfProbe(probe)
	if err != nil {
		return nil, err
	}
	selectors := map[string]int32{}
	for _, m := range p.Mutants() {
		selectors[m.ID] = m.Selector
	}
	ids, tests := columns[0].([]string), columns[1].([]string)
	leaving := make([]int64, len(ids))
	for i, id := range ids {
		selector, made := selectors[id]
		if made {
			leaving[i] = int64(found.Of(tests[i], selector))
		}
	}
	return table.FromColumns(dataset.ProbeSchema(), append(columns, leaving)...)
}
