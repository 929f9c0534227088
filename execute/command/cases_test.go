//go:build linux

package command_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// The cases of a test are known by the lines that it prints of them, in the forms that test programs have.
func TestTheCasesOfATestAreKnownByItsLines(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	var tests []command.Test
	var want []string
	for _, c := range []struct{ prints, cases string }{
		{"1..3\nok 1 - parse\nok 2\nok - last # TODO later\nok 3 - end\n# ok", "1 - parse|2|3 - end"},
		{"PASS: test_a.sh\nPASS: test_b.sh\n# TOTAL: 2\n# PASS:  2", "test_a.sh|test_b.sh"},
		{"[==========] Running 2 test(s).\n[ RUN      ] add\n[       OK ] add\n[ RUN      ] sub (3 ms)\n[       OK ] sub (3 ms)\n[  PASSED  ] 2 test(s).", "add|sub"},
		{"#01 Format command: \033[0;32mPASSED\033[0;0m\n#02 %s: \033[0;32mPASSED\033[0;0m", "#01 Format command|#02 %s"},
		{"1 - Create a string: PASSED\n2 - Join: PASSED\n2 tests, 2 passed, 0 failed", "1 - Create a string|2 - Join"},
		{"    | Test Check ... Passed!\n    | Test Check With ... Passed!\n| Tests   || Total 30 | Passed 30 | Failed 0 |", "Test Check|Test Check With"},
		{"[TEST] Read\n[ OK ] Read\n[TEST] Write\n[ OK ] Write\n2 tests; 2 passed, 0 failed", "Read|Write"},
		{"test.c:12:test_one:PASS\ntest.c:20:test_two:PASS\n-----\n2 Tests 0 Failures 0 Ignored\nOK", "test.c:12:test_one|test.c:20:test_two"},
		{"✓ opens\n✓ closes", "opens|closes"},
		{"reading ... ok\nreading ... ok\nwriting ... ok", "reading|reading (2)|writing"},
		{"Test 1: success\nTest 2: success\nAll tests passed", "Test 1|Test 2"},
		{"only one: ok", ""},
		{"All 12 tests passed\n12 of 12 checks passed\nAll tests: OK", ""},
		{"It is ok to say so here\nok\nthe okapi\nbook\n", ""},
	} {
		tests = append(tests, command.Test{Name: c.prints, Argv: []string{"/bin/sh", "-c", `printf '%s\n' "$1"`, "sh", c.prints}, Dir: p.builds.Base})
		want = append(want, c.cases)
	}
	varies := command.Test{Name: "varies", Argv: []string{"/bin/sh", "-c", `echo a: ok; echo b: ok; echo "at $(date +%N): ok"`}, Dir: p.builds.Base}
	fails := command.Test{Name: "fails", Argv: []string{"/bin/sh", "-c", "echo a: ok; echo b: ok; exit 1"}, Dir: p.builds.Base}
	long := command.Test{Name: "long", Argv: []string{"/bin/sh", "-c", "echo a: ok; echo b: ok; head -c 2000000 /dev/zero"}, Dir: p.builds.Base}
	tests, want = append(tests, varies, fails, long), append(want, "a|b", "a|b", "")
	e := p.start(t, tests, command.Options{})
	if _, err := e.Check(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for k, got := range e.Cases() {
		if got := strings.Join(got, "|"); got != want[k] {
			t.Errorf("%q has the cases %q, want %q", tests[k].Name, got, want[k])
		}
	}
}

// A case has the verdict that a test has which does nothing else, or none where the run ended before it. A test whose cases fail
// kills, though it ends well, and its own column is of what they do not say.
func TestACaseKillsWhatATestOfItAloneKills(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	tests := []command.Test{{Name: "tap", Argv: []string{"./rank", "cases"}, Dir: p.builds.Base}}
	for k := range 4 {
		tests = append(tests, command.Test{Name: "alone", Argv: []string{"./rank", "case", "alone", strconv.Itoa(k + 1)}, Dir: p.builds.Base})
	}
	e := p.start(t, tests, command.Options{})
	failing, err := e.Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, cases := range e.Cases() {
		tests[k].Cases = cases
	}
	kill := func(o command.Options) (*command.Engine, *execute.Result) {
		e := p.start(t, tests, o)
		base, err := e.Original(t.Context(), failing)
		if err != nil {
			t.Fatal(err)
		}
		probe, err := e.Probe(t.Context(), base)
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Kill(t.Context(), base, probe, p.list())
		if err != nil {
			t.Fatal(err)
		}
		return e, result
	}
	e, result := kill(command.Options{Matrix: true})
	columns := e.Columns()
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	if want := []string{"tap (outside its cases)", "alone", "alone", "alone", "alone", "tap/1 - clamp keeps what is between", "tap/2 - clamp bounds",
		"tap/3 - the sum of nothing", "tap/4 - a sum"}; !slices.Equal(names, want) {
		t.Fatalf("the columns are %q", names)
	}
	killed, ended, outside, apart := 0, 0, 0, 0
	for m := range result.Mutants {
		some := result.Verdict(m, 0)
		if some == execute.Killed {
			outside++
		}
		for k := range 4 {
			alone, one := result.Verdict(m, 1+k), result.Verdict(m, 5+k)
			if got, want := result.Reached[m].Has(5+k), result.Reached[m].Has(1+k); got != want {
				t.Errorf("%s is reached by case %d: %v; by a test of it alone: %v", p.mutants[m].ID, k+1, got, want)
			}
			// A mutant that a case before has infected counts as infected by each that reaches it.
			if result.Infected[m].Has(1+k) && !result.Infected[m].Has(5+k) {
				t.Errorf("%s is infected by case %d alone, and not by it in the test", p.mutants[m].ID, k+1)
			}
			if !result.Reached[m].Has(5+k) && (result.Reached[m].Has(5) || result.Reached[m].Has(8)) {
				apart++
			}
			some = max(some, one)
			switch {
			case one == execute.Unknown:
				ended++
			case one != alone:
				t.Errorf("%s: case %d %v, a test of it alone %v", p.mutants[m].ID, k+1, one, alone)
			case one == execute.Killed:
				killed++
			}
		}
	}
	if killed < 20 || ended == 0 || outside != 0 || apart < 20 {
		t.Errorf("cases kill %d pairs, %d are behind the end of a run, %d mutants are killed outside of cases, and %d pairs are not reached by a case while another reaches them",
			killed, ended, outside, apart)
	}
	// Where runs stop at the first kill, the same mutants are killed.
	_, first := kill(command.Options{})
	for m := range result.Mutants {
		want := execute.Survived
		for column := range columns {
			want = max(want, result.Verdict(m, column))
		}
		got := execute.Survived
		for column := range columns {
			got = max(got, first.Verdict(m, column))
		}
		if got != want {
			t.Errorf("%s: %v, and %v in the matrix", p.mutants[m].ID, got, want)
		}
	}
}

// A test of which a check fails on the machine, as those that ask the network do, says as much of the others.
func TestATestOfWhichSomeCasesFailIsJudgedByTheOthers(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	shell := func(name, script string) command.Test {
		return command.Test{Name: name, Argv: []string{"/bin/sh", "-c", script}, Dir: p.builds.Base}
	}
	tests := []command.Test{
		{Name: "passes", Argv: []string{"./rank", "cases"}, Dir: p.builds.Base},
		shell("fails partly", "./rank cases || exit; echo 'not ok 5 - the network'; exit 3"),
		shell("fails", "./rank cases >/dev/null; exit 3"),
		shell("ends by a signal", "./rank cases; kill -SEGV $$"),
		shell("skips", "./rank cases; exit 77"),
	}
	e := p.start(t, tests, command.Options{})
	failing, err := e.Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Statuses(); !slices.Equal(got, []int{0, 3, 0, 0, 0}) {
		t.Errorf("they end with %v", got)
	}
	for k, f := range failing {
		if (f == nil) != (k < 2) {
			t.Errorf("%s: %+v", tests[k].Name, f)
		}
	}
	tests = tests[:2]
	for k := range tests {
		tests[k].Cases, tests[k].Status = e.Cases()[k], e.Statuses()[k]
	}
	_, result := p.run(t, tests, true, command.Options{Matrix: true})
	killed := 0
	for m := range result.Mutants {
		for k := range 4 {
			passes, partly := result.Verdict(m, 2+k), result.Verdict(m, 6+k)
			if passes != partly {
				t.Errorf("%s: case %d %v, of the test that passes %v", p.mutants[m].ID, k+1, partly, passes)
			}
			if partly == execute.Killed {
				killed++
			}
		}
	}
	if killed < 20 {
		t.Errorf("%d pairs are killed", killed)
	}
}

// Another version of a project is judged by the cases that the first one has; a test that was not built there has found nothing.
func TestAnotherVersionIsJudgedByTheCasesOfTheFirst(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	shell := func(name, script string, cases ...string) command.Test {
		return command.Test{Name: name, Argv: []string{"/bin/sh", "-c", script}, Dir: p.builds.Base, Cases: cases}
	}
	partly := func(name, script string, status int, cases ...string) command.Test {
		out := shell(name, script, cases...)
		out.Status = status
		return out
	}
	e := p.start(t, []command.Test{
		shell("passes", "true"),
		shell("fails", "false"),
		shell("is not built", "exec ./nosuch"),
		shell("cannot be run", "exec /"),
		shell("has cases", "echo 'a: ok'; echo 'b: FAILED'; echo 'c: ok'", "a", "b", "c"),
		shell("ends early", "echo 'd: ok'; kill -SEGV $$", "d", "e", "f"),
		{Name: "is there", Argv: []string{"./nosuch"}, Dir: p.builds.Base},
		partly("fails less", "echo 'g: ok'; echo 'h: ok'; echo 'i: ok'", 2, "g", "h"),
		partly("fails as before", "echo 'j: ok'; echo 'k: ok'; exit 2", 2, "j", "k"),
		partly("fails more", "echo 'l: ok'; echo 'm: FAILED'; exit 2", 2, "l", "m"),
	}, command.Options{})
	judged, err := e.Judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for at, c := range e.Columns() {
		got = append(got, c.Name+": "+judged[at].Verdict.String())
	}
	want := []string{"passes: survived", "fails: killed", "is not built: unknown", "cannot be run: unknown", "has cases (outside its cases): survived", "ends early (outside its cases): survived",
		"is there: unknown", "fails less (outside its cases): survived", "fails as before (outside its cases): survived", "fails more (outside its cases): survived", "has cases/a: survived", "has cases/b: killed", "has cases/c: survived", "ends early/d: survived", "ends early/e: killed", "ends early/f: unknown",
		"fails less/g: survived", "fails less/h: survived", "fails as before/j: survived", "fails as before/k: survived", "fails more/l: survived", "fails more/m: killed"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the program prints into a file that a script shows later, or a script says all results when everything is done, nobody
// knows which case reaches a mutant: each does that the test reaches.
func TestCasesThatCannotBeToldApartReachWhatTheirTestReaches(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	const cases = "1 - clamp keeps what is between|2 - clamp bounds|3 - the sum of nothing|4 - a sum"
	tests := []command.Test{
		{Name: "in a file", Argv: []string{"/bin/sh", "-c", "./rank cases >/tmp/said; cat /tmp/said"}, Dir: p.builds.Base, Cases: strings.Split(cases, "|")},
		{Name: "at the end", Argv: []string{"/bin/sh", "-c", "./rank cases >/tmp/said; ./rank sum 3; cat /tmp/said; echo; cat /tmp/said >&2"}, Dir: p.builds.Base, Cases: strings.Split(cases, "|")},
	}
	e := p.start(t, tests, command.Options{})
	base := original(t, e, tests)
	probe, err := e.Probe(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.Kill(t.Context(), base, probe, p.list())
	if err != nil {
		t.Fatal(err)
	}
	reached := 0
	for m := range result.Mutants {
		for at, c := range e.Columns() {
			if want := base.Tests[c.Test].Reached.Has(result.Mutants[m].Site); result.Reached[m].Has(at) != want {
				t.Errorf("%s is reached by %q: %v, and by its test %v", p.mutants[m].ID, c.Name, !want, want)
			} else if want {
				reached++
			}
		}
	}
	if reached < 100 {
		t.Errorf("%d pairs are reached", reached)
	}
}
