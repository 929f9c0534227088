package importer

import (
	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
)

// lacksLeavings says that a probe has all columns of today but the last.
func lacksLeavings(probe *table.Table) bool {
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
func renewedProbe(probe *table.Table, p *program.Program, found campaign.Leavings) (*table.Table, error) {
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
