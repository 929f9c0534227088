package main

import (
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// A list reveals what a test does that is drawn from those that kill each of its mutants.
func TestAListIsWorthWhatItsTestsReveal(t *testing.T) {
	kills, err := kill.New([]string{"a", "b", "c"}, []string{"quiet", "reveals"})
	if err != nil {
		t.Fatal(err)
	}
	for m, verdicts := range [][2]matrix.Verdict{{matrix.Killed, matrix.Killed}, {matrix.Survived, matrix.Survived}, {matrix.Survived, matrix.Killed}} {
		for test, v := range verdicts {
			cell := kill.Cell{Verdict: v}
			if v == matrix.Killed {
				cell.Cause = matrix.Exit
			}
			if err := kills.Set(m, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	faults := fault.Table{{Test: "quiet", Verdict: matrix.Survived}, {Test: "reveals", Verdict: matrix.Killed}}
	j := newJudge(&dataset.Subject{Kills: kills, Faults: faults}, nil, nil)
	for _, c := range []struct {
		list           []string
		revealed, dead float64
	}{{[]string{"a"}, .5, 0}, {[]string{"a", "b"}, .5, .5}, {[]string{"a", "b", "c"}, 1, 1.0 / 3}, {nil, 0, 0}} {
		if w := j.worth(c.list); w.found[0] != c.revealed || w.dead[0] != c.dead {
			t.Errorf("%v reveals %v, dead are %v; want %v and %v", c.list, w.found[0], w.dead[0], c.revealed, c.dead)
		}
	}
}

// Where no fault is known, a list is worth the share of the minimal mutants that its tests kill, judged by the
// tests that were not in its suite.
func TestAListIsWorthTheMinimalMutantsThatItsTestsKill(t *testing.T) {
	kills, err := kill.New([]string{"a", "b", "c"}, []string{"had", "one", "two"})
	if err != nil {
		t.Fatal(err)
	}
	for m, killing := range []string{"one", "two", "had"} {
		for test, name := range kills.Tests() {
			cell := kill.Cell{Verdict: matrix.Survived}
			if name == killing {
				cell = kill.Cell{Verdict: matrix.Killed, Cause: matrix.Exit}
			}
			if err := kills.Set(m, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	j := newJudge(&dataset.Subject{Kills: kills}, map[string]bool{"had": true}, nil)
	for _, c := range []struct {
		list        []string
		found, dead float64
	}{{[]string{"a"}, .5, 0}, {[]string{"a", "b"}, 1, 0}, {[]string{"a", "c"}, .5, .5}} {
		if w := j.worth(c.list); w.found[0] != c.found || w.dead[0] != c.dead {
			t.Errorf("%v finds %v, dead are %v; want %v and %v", c.list, w.found[0], w.dead[0], c.found, c.dead)
		}
	}
}
