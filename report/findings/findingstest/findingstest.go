// Package findingstest makes small runs for the tests of those who show them.
package findingstest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/report/findings"
)

// Source is the file of the subject.
const Source = `int max(int a, int b)
{
	return a > b ? a : b; /* naïve </script> */
}
int min(int a, int b) { return a < b ? a : b; }
`

// Subject is a run of three tests on five mutants of Source. Of "a > b" in max, m1 and m2
// are reached by all tests and infected by one; m3 is killed by two; m4, in min, is reached
// by none; m5 was not run. e1 is equivalent, d1 a duplicate of m3, u1 undefined.
func Subject(t testing.TB) *dataset.Subject {
	t.Helper()
	s := &dataset.Subject{Manifest: dataset.Manifest{Program: "extremes", Tool: "test"}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	make := func(schema table.Schema) *table.Table {
		out, err := table.New(schema)
		must(err)
		return out
	}
	s.Mutants, s.Removed = make(dataset.MutantsSchema()), make(dataset.RemovedSchema())
	s.Sources, s.Edits = make(dataset.SourcesSchema()), make(dataset.EditsSchema())
	must(s.Sources.Append("max.c", Source))
	ids := []string{"m1", "m2", "m3", "m4", "m5"}
	texts := []string{"a >= b", "a != b", "a < b", "a > b", "0"}
	for i, id := range ids {
		function, line, original := "max", int64(3), "a > b"
		if id == "m4" {
			function, line, original = "min", 5, "a < b"
		}
		must(s.Mutants.Append(id, int64(i+1), int64(i), int64(i), "relational", "SGT", "SGE", "rule", function, "max.c", line, int64(11), original, texts[i], false, false, ""))
		if id != "m5" { // which no change of the C text stands for
			start := strings.Index(Source, original)
			must(s.Edits.Append(id, "max.c", int64(start), int64(start+len(original)), texts[i]))
		}
	}
	for _, row := range [][3]string{{"e1", "equivalent", ""}, {"d1", "duplicate", "m3"}, {"u1", "undefined", ""}} {
		must(s.Removed.Append(row[0], row[1], row[2], "tce/default", "relational", "SGT", "SGE", "rule", "max", "max.c", int64(3), int64(11), "a > b", "b < a"))
	}
	var err error
	s.Kills, err = kill.New(ids, []string{"one", "two", "three"})
	must(err)
	for m, row := range []string{"irr", "irr", "kkr", "---", "???"} {
		for test, letter := range row {
			must(s.Kills.Set(m, test, map[rune]kill.Cell{
				'k': {Verdict: matrix.Killed, Cause: matrix.Output}, 'i': {Verdict: matrix.Survived},
				'r': {Verdict: matrix.Survived, Cause: matrix.NotInfected}, '-': {Verdict: matrix.Survived, Cause: matrix.NotReached},
				'?': {Verdict: matrix.Unknown, Cause: matrix.NotRun},
			}[letter]))
		}
	}
	return s
}

// Many is a run of n mutants of a large file, each seen in another way.
func Many(n int) *findings.Run {
	var text strings.Builder
	r := &findings.Run{Program: "many", Whole: true}
	for t := range 200 {
		r.Tests = append(r.Tests, fmt.Sprintf("suite/test number %d", t))
	}
	for i := range n {
		line := i / 4
		if i%4 == 0 {
			fmt.Fprintf(&text, "\tvalue_%d = table[index_%d] + offset * %d; /* what it is for */\n", line%97, line%31, line)
		}
		f := findings.Finding{ID: fmt.Sprintf("%012x", i*2654435761), File: "many.c", Line: line + 1, Column: 2, Function: fmt.Sprintf("function_%d", line/50), Operator: "arithmetic",
			Original: fmt.Sprintf("offset * %d", line), Replacement: fmt.Sprintf("offset / %d", line), Status: findings.Killed, Why: fmt.Sprintf("killed by %d tests: other output", 1+i%150),
			Rank: i + 1, PFault: 0.5 - float64(i)/float64(3*n), PKill: math.NaN(), Gap: -1,
			Reached: matrix.BitsOf(200, i%200, i%170, i%130, i%11), Infected: matrix.BitsOf(200, i%200, i%170), KilledBy: matrix.BitsOf(200, i%200)}
		if i%3 == 0 {
			f.Status, f.Why, f.KilledBy, f.Gap = findings.Survived, "run by 4 tests, and none notices", matrix.NewBits(200), len(r.Gaps)
			r.Gaps = append(r.Gaps, findings.Gap{Lead: i})
		}
		start := text.Len() - 20
		f.Edit = &findings.Edit{File: "many.c", Start: start, End: start + 6, Text: f.Replacement}
		r.Findings = append(r.Findings, f)
	}
	r.Files = []findings.File{{Name: "many.c", Text: text.String()}}
	return r
}
