package command

import (
	"maps"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
)

// Column is one thing that has a verdict on each mutant: a test, or a case of one.
type Column struct {
	Test int // its index
	Name string
	// SetAside is why a case has no verdict on any mutant; "" if it has.
	SetAside string
}

// Columns are those of the results of Kill, and of the sets of tests in them: the tests, and behind them their
// cases. The column of a test that has some is for what it says beside them. They are known when Original has run.
func (e *Engine) Columns() []Column {
	var out, cases []Column
	seen := map[string]int{}
	for test := range e.tests {
		seen[e.tests[test].Name]++
	}
	for test := range e.tests {
		t := &e.tests[test]
		name := t.Name
		if len(t.Cases) > 0 {
			name = distinct(name+" (outside its cases)", seen)
			for _, one := range t.Cases {
				c := Column{Test: test, Name: distinct(t.Name+"/"+one, seen)}
				if e.silent[test][one] {
					c.SetAside = "with the mutants built in, none selected, it does not say that it passes"
				}
				cases = append(cases, c)
			}
		}
		out = append(out, Column{Test: test, Name: name})
	}
	return append(out, cases...)
}

// columnsOf are, by test, the indices of its column and of those of its cases.
func (e *Engine) columnsOf() [][]int {
	out := make([][]int, len(e.tests))
	for at, c := range e.Columns() {
		out[c.Test] = append(out[c.Test], at)
	}
	return out
}

// caseFails reports a run of a test in which fewer cases pass than do of the original.
func (e *Engine) caseFails(test int, r *reply) bool {
	return len(e.tests[test].Cases) > 0 && len(readResults(r).passed) < e.passing[test]
}

// blame says which cases of a test a run that is not the original's fails, and of which nothing is known; silent are those
// that do not count. It blames none where the run lost its lines, or where all cases pass: then it is the test that fails.
func blame(cases []string, silent map[string]bool, r *reply) (failed, unknown []int) {
	said := readResults(r)
	passed := map[string]bool{}
	maps.Copy(passed, silent)
	for _, name := range said.passed {
		passed[name] = true
	}
	last := -1 // the last that passed
	for k, name := range cases {
		if passed[name] && !silent[name] {
			last = k
		}
	}
	early := r.TimedOut || r.Signal != 0 || r.Status > 128 // a shell's word for a signal
	if last < 0 && len(said.failed) == 0 && early && r.Stdout.Length == 0 {
		for k := range cases {
			unknown = append(unknown, k)
		}
		return nil, unknown
	}
	var open []int
	for k, name := range cases {
		switch {
		case passed[name]:
		case k < last || said.failed[name]:
			failed = append(failed, k)
		default:
			open = append(open, k)
		}
	}
	// The run ended in the first case after the last that says something, unless that one said that it failed.
	if len(open) > 0 && !slices.ContainsFunc(failed, func(k int) bool { return k > last }) {
		failed, open = append(failed, open[0]), open[1:]
	}
	return failed, open
}

// spread gives the verdict on a test to its columns: cell is that of the test, and first the column of its first case.
// Where cases say why the test fails, the test's own column, which is of what they do not say, survives.
func (e *Engine) spread(r *reply, cell execute.Cell, first int) []execute.Cell {
	cases := e.tests[cell.Test].Cases
	if len(cases) == 0 || cell.Verdict == execute.Survived {
		return []execute.Cell{cell}
	}
	at := func(k int, verdict execute.Verdict) execute.Cell {
		out := cell
		out.Test, out.Verdict = int32(first+k), verdict
		if verdict == execute.Unknown && cell.Verdict == execute.Killed {
			out.Cause, out.Status, out.Work = execute.CauseStopped, 0, -1
		}
		return out
	}
	var out []execute.Cell
	if cell.Verdict == execute.Unknown {
		out = append(out, cell)
		for k := range cases {
			out = append(out, at(k, execute.Unknown))
		}
		return out
	}
	failed, unknown := blame(cases, e.silent[cell.Test], r)
	if len(failed) == 0 {
		out = append(out, cell)
	}
	for _, k := range failed {
		out = append(out, at(k, execute.Killed))
	}
	for _, k := range unknown {
		out = append(out, at(k, execute.Unknown))
	}
	return out
}
