//go:build linux

package command_test

import (
	"maps"
	"testing"

	"github.com/winnow-mutants/winnow/execute/command"
)

// A test that passes whatever the program does is compared by what it prints, if that tells anything.
func TestATestThatNoticesNothingIsComparedByWhatItPrints(t *testing.T) {
	t.Parallel()
	p := build(t, false)
	shell := func(name, script string) command.Test {
		return command.Test{Name: name, Argv: []string{"/bin/sh", "-c", script}, Dir: p.builds.Base}
	}
	tests := []command.Test{
		shell("notices", "./rank sum 7 | grep -qx 28"),
		shell("prints", "./rank sum 7; true"),
		shell("complains", "./rank sum 7 >&2; true"),
		shell("compares", "a=$(./rank sum 7); b=$(./rank sum 6); test \"$a\" = \"$b\" -o \"$a\" = 28 -a \"$b\" = 21"),
		shell("silent", "exec >/dev/null 2>&1; ./rank sum 7; true"),
		{Name: "fails", Argv: []string{"/bin/sh", "-c", "./rank sum 7; false"}, Dir: p.builds.Base, Fails: true},
	}
	blind := map[string]bool{}
	e := p.start(t, tests, command.Options{Matrix: true, OnBlind: func(test int, byOutput bool) { blind[tests[test].Name] = byOutput }})
	base := original(t, e, tests)
	if want := map[string]bool{"prints": true, "complains": true, "silent": false}; !maps.Equal(blind, want) {
		t.Errorf("blind are %v, want %v", blind, want)
	}
	if tests[1].Compare != (command.Comparison{}) {
		t.Error("the caller's tests were changed")
	}
	some := p.list()[len(p.mutants)/2:][:12]
	result, err := e.Kill(t.Context(), base, nil, some)
	if err != nil {
		t.Fatal(err)
	}
	kills := map[string]int{}
	for _, killed := range result.Killed {
		for test := range tests {
			if killed.Has(test) {
				kills[tests[test].Name]++
			}
		}
	}
	if kills["notices"] == 0 || kills["prints"] < kills["notices"] || kills["complains"] != kills["prints"] || kills["silent"] != 0 || kills["fails"] != 0 {
		t.Errorf("killed by test: %v", kills)
	}
}
