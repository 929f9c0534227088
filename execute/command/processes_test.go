//go:build linux

package command_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// What the first of them reaches is known to the end, though others have taken its place.
func TestAllProcessesOfATestAreSeenHoweverManyItStarts(t *testing.T) {
	p := build(t, false)
	shell := func(name, script string) command.Test {
		return command.Test{Name: name, Argv: []string{"/bin/sh", "-ec", script}, Dir: p.builds.Base}
	}
	tests := []command.Test{
		shell("once", `./rank sum 7 >/dev/null; ./rank clamp 4 0 3 >/dev/null`),
		shell("often", `./rank sum 7 >/dev/null; for i in $(seq 150); do ./rank clamp 4 0 3 >/dev/null; done`),
	}
	e := p.start(t, tests, command.Options{Workers: 1})
	base := original(t, e, tests)
	probe, err := e.Probe(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tests {
		if !base.Tests[i].ReachedKnown || probe.Tests[i].Unprobed != "" {
			t.Fatalf("%s: what it reaches is known: %v; unprobed: %q", tests[i].Name, base.Tests[i].ReachedKnown, probe.Tests[i].Unprobed)
		}
	}
	reached := 0
	for site := range p.builds.Sites {
		if base.Tests[0].Reached.Has(site) {
			reached++
		}
		if got, want := base.Tests[1].Reached.Has(site), base.Tests[0].Reached.Has(site); got != want {
			t.Errorf("site %d: reached by many processes %v, by one of each %v", site, got, want)
		}
	}
	if reached == 0 {
		t.Error("no site is reached")
	}
	infected := 0
	for _, m := range p.list() {
		got, want := probe.Tests[1].Infects(m), probe.Tests[0].Infects(m)
		if got != want {
			t.Errorf("mutant %d: infected by many processes %v, by one of each %v", m.Selector, got, want)
		}
		if want {
			infected++
		}
	}
	if infected == 0 || infected == len(p.mutants) {
		t.Errorf("%d of %d mutants are infected", infected, len(p.mutants))
	}
}

// What a child does that ends by _exit is not noted: it is no reason to kill mutants that take as long as the original, and
// those that never end are killed all the same.
func TestChildrenThatDoNotSayWhatTheyDidMayDoIt(t *testing.T) {
	p := build(t, false)
	tests := []command.Test{{Name: "apart", Argv: []string{"./rank", "a", "child", "sums", "to", "30000000"}, Dir: p.builds.Base}}
	e := p.start(t, tests, command.Options{})
	base := original(t, e, tests)
	if base.Tests[0].SetAside != "" || base.Tests[0].Work >= 0 {
		t.Fatalf("the work is %d, and the test set aside: %q", base.Tests[0].Work, base.Tests[0].SetAside)
	}
	want := map[string]execute.Verdict{"sum = 0 → sum = 1": execute.Survived, "n > 0 → 1": execute.Killed}
	var list []execute.Mutant
	var changes []string
	for k, m := range p.mutants {
		change := m.Original + " → " + m.Replacement
		if _, ok := want[change]; ok && m.Function == "sum_to" {
			list, changes = append(list, p.list()[k]), append(changes, change)
		}
	}
	if len(list) != len(want) {
		t.Fatalf("of the mutants %v are made", changes)
	}
	result, err := e.Kill(t.Context(), base, nil, list)
	if err != nil {
		t.Fatal(err)
	}
	for k, change := range changes {
		if got := result.Verdict(k, 0); got != want[change] {
			t.Errorf("%s is %v, want %v", change, got, want[change])
		}
	}
}
