package learn

import (
	"slices"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// DynamicOf sums up what the probing runs of some tests told of the mutants.
func DynamicOf(probe *table.Table, mutants, suite []string) (*features.Dynamic, error) {
	d := &features.Dynamic{Tests: len(suite), Reached: map[string]int{}, Infected: map[string]int{},
		Executions: map[string]int64{}, Infections: map[string]int64{}}
	for _, id := range mutants { // those that no test reaches have no rows
		d.Reached[id], d.Infected[id], d.Executions[id], d.Infections[id] = 0, 0, 0, 0
	}
	ids, err := probe.Strings("id")
	if err != nil {
		return nil, err
	}
	tests, err := probe.Strings("test")
	if err != nil {
		return nil, err
	}
	executions, err := probe.Ints("executions")
	if err != nil {
		return nil, err
	}
	infections, err := probe.Ints("infections")
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, test := range suite {
		chosen[test] = true
	}
	for i, id := range ids {
		if !chosen[tests[i]] {
			continue
		}
		d.Reached[id]++
		d.Executions[id] += executions[i]
		if infections[i] > 0 {
			d.Infected[id]++
			d.Infections[id] += infections[i]
		}
	}
	return d, nil
}

// SplitColumns parts names of features into the static and the dynamic ones.
func SplitColumns(columns []string) (static, dynamic []string, err error) {
	all, err := features.Columns("dynamic")
	if err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		if slices.Contains(all, c) {
			dynamic = append(dynamic, c)
		} else {
			static = append(static, c)
		}
	}
	return static, dynamic, nil
}

// WithDynamic makes rows of all the named columns of rows of the static ones.
func WithDynamic(rows [][]float64, static, ids []string, d *features.Dynamic, columns []string) ([][]float64, error) {
	dynamic, err := features.Columns("dynamic")
	if err != nil {
		return nil, err
	}
	from := make([]int, len(columns)) // below 0: from the dynamic values, ^ their place
	for k, c := range columns {
		if at := slices.Index(dynamic, c); at >= 0 {
			from[k] = ^at
		} else {
			from[k] = slices.Index(static, c)
		}
	}
	values := make([]float64, len(dynamic))
	out := make([][]float64, len(rows))
	for i, row := range rows {
		d.Fill(ids[i], values)
		out[i] = make([]float64, len(columns))
		for k, at := range from {
			if at < 0 {
				out[i][k] = values[^at]
			} else {
				out[i][k] = row[at]
			}
		}
	}
	return out, nil
}
