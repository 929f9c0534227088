package experiment

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// DynamicOf sums up what the probing runs of some tests told of the mutants of a
// program. Rows of other mutants and tests do not count.
func DynamicOf(probe *table.Table, mutants []features.Place, suite []string) (*features.Dynamic, error) {
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
	var values, changes []int64
	if dataset.ProbeNotesValues(probe) {
		if values, err = probe.Ints("values"); err != nil {
			return nil, err
		}
		if changes, err = probe.Ints("changes"); err != nil {
			return nil, err
		}
	}
	var atExit []int64
	if dataset.ProbeNotesLeaving(probe) {
		if atExit, err = probe.Ints("leaving"); err != nil {
			return nil, err
		}
	}
	chosen, numbers := map[string]int{}, map[string]int{}
	for k, test := range suite {
		chosen[test] = k
	}
	for m := range mutants {
		numbers[mutants[m].ID] = m
	}
	var seen []features.Observation
	for i, id := range ids {
		test, run := chosen[tests[i]]
		m, known := numbers[id]
		if !run || !known {
			continue
		}
		one := features.Observation{Mutant: m, Test: test, Executions: executions[i], Infections: infections[i]}
		if values != nil {
			one.Profile = features.ProfileOf(values[i], changes[i])
		}
		if atExit != nil {
			one.AtExit = features.AtExitOf(atExit[i])
		}
		seen = append(seen, one)
	}
	return features.Observe(mutants, len(suite), seen), nil
}

// placesOf finds the named mutants in a table of mutants.
func placesOf(t *table.Table, ids []string) ([]features.Place, error) {
	out := make([]features.Place, len(ids))
	numbers := make(map[string]int, len(ids))
	for m, id := range ids {
		numbers[id] = m
	}
	var texts [3][]string
	var counts [3][]int64
	var err error
	for k, name := range []string{"id", "file", "function"} {
		if texts[k], err = t.Strings(name); err != nil {
			return nil, err
		}
	}
	for k, name := range []string{"site", "statement", "line"} {
		if counts[k], err = t.Ints(name); err != nil {
			return nil, err
		}
	}
	for i, id := range texts[0] {
		if m, ok := numbers[id]; ok {
			out[m] = features.Place{ID: id, File: texts[1][i], Function: texts[2][i],
				Site: int(counts[0][i]), Statement: int(counts[1][i]), Line: int(counts[2][i])}
		}
	}
	for m, id := range ids {
		if out[m].ID == "" {
			return nil, fmt.Errorf("mutant %s is not in the table of mutants", id)
		}
	}
	return out, nil
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
