//go:build linux

package command_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute/command"
)

// What a passing test says of its failures is known from its output.
func TestATestThatSaysThatNothingFailedIsKnown(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	var tests []command.Test
	var want []string
	for _, c := range []struct{ script, tally string }{
		{"echo 'Tests failed: 0'; echo 'Tests passed: 350'", "Tests failed: 0"},
		{"echo '34 tests, 34 passed, 0 failed'", "34 tests, 34 passed, 0 failed"},
		{"echo; echo '  100%: Checks: 34, Failures: 0, Errors: 0'", "100%: Checks: 34, Failures: 0, Errors: 0"},
		{"echo 'PASSED: 10' >&2; echo 'FAILED: 0' >&2", "FAILED: 0"},
		{"echo 'All 12 tests passed!'; echo bye", "All 12 tests passed!"},
		{"echo '# FAIL:  0'; echo '# ERROR: 0'", "# FAIL:  0\n# ERROR: 0"},
		{"echo \"==$$== ERROR SUMMARY: 0 errors from 0 contexts\"", "ERROR SUMMARY: 0 errors from 0 contexts"},
		{`printf 'Passed: 1 Failed: \033[31m0\033[0m \033[2K\rPassed: \033[32m2\033[0m Failed: 0 \033[2K\r\n'`, "Passed: 2 Failed: 0"},
		{"echo 'Tests failed: 3'", ""},
		{"echo 'failover to 10 hosts'; echo 'code 0'; echo 'the call passed'", ""},
		{"true", ""},
	} {
		tests = append(tests, command.Test{Name: c.script, Argv: []string{"/bin/sh", "-c", c.script}, Dir: p.builds.Base})
		want = append(want, c.tally)
	}
	compared := tests[0]
	compared.Compare.Stdout = true
	failing := command.Test{Name: "fails", Argv: []string{"/bin/sh", "-c", "echo '0 failed'; exit 1"}, Dir: p.builds.Base}
	tests, want = append(tests, compared, failing), append(want, "", "")
	e := p.start(t, tests, command.Options{})
	if _, err := e.Check(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for k, got := range e.Tallies() {
		if got != want[k] {
			t.Errorf("%s: %q, want %q", tests[k].Name, got, want[k])
		}
	}
}

// A test that counts its failures and ends well all the same kills what one kills that ends with a status; one
// that prints something else each time is judged by its status alone.
func TestATestThatCountsItsFailuresIsJudgedByThat(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	shell := func(name, script string) command.Test {
		return command.Test{Name: name, Argv: []string{"/bin/sh", "-c", script}, Dir: p.builds.Base}
	}
	tests := []command.Test{
		shell("ends", "./rank sum 7 | grep -qx 28"),
		shell("counts", "if ./rank sum 7 | grep -qx 28; then n=0; else n=1; fi; ./rank sum 5; echo \"$n of 1 failed\""),
		shell("varies", "./rank sum 7 | grep -qx 28; s=$?; echo \"0 failed, $(date +%N) ns\"; exit $s"),
	}
	e := p.start(t, tests, command.Options{})
	failing, err := e.Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range e.Tallies() {
		tests[k].Tally = line
	}
	if tests[0].Tally != "" || tests[1].Tally != "0 of 1 failed" || tests[2].Tally == "" {
		t.Fatalf("%+v", tests)
	}
	e = p.start(t, tests, command.Options{Matrix: true})
	base, err := e.Original(t.Context(), failing)
	if err != nil {
		t.Fatal(err)
	}
	some := p.list()[len(p.mutants)/2:][:12]
	result, err := e.Kill(t.Context(), base, nil, some)
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	for k, killed := range result.Killed {
		if killed.Has(0) {
			kills++
		}
		if killed.Has(0) && !killed.Has(1) || killed.Has(0) != killed.Has(2) {
			t.Errorf("mutant %v is killed by %v", some[k], killed)
		}
	}
	if kills == 0 || kills == len(some) {
		t.Errorf("%d of %d are killed: this test tells nothing", kills, len(some))
	}
}
