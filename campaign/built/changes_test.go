package built

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// twice is a change that two codes of a source have, a and a-1, and one that the second has alone.
var twice = &changes{first: map[string]string{"a": "a", "a-1": "a", "b-1": "b-1"}, members: map[string][]string{"a": {"a", "a-1"}, "b-1": {"b-1"}}}

// A test kills a change if it kills the mutant that it makes of any of the codes, and nothing is
// known of what was not run.
func TestAChangeIsKilledInAnyCodeOfItsSource(t *testing.T) {
	all, err := kill.New([]string{"a", "a-1", "b-1"}, []string{"on a", "on b", "on both", "late", "none"})
	if err != nil {
		t.Fatal(err)
	}
	killed, lives, same := kill.Cell{Verdict: matrix.Killed, Cause: matrix.Exit, Work: 7}, kill.Cell{Verdict: matrix.Survived}, kill.Cell{Verdict: matrix.Survived, Cause: matrix.NotInfected}
	for _, set := range []struct {
		mutant, test int
		cell         *kill.Cell // nil is not reached
	}{
		{0, 0, &lives}, {1, 0, nil}, {2, 0, nil},
		{0, 1, nil}, {1, 1, &killed}, {2, 1, &lives},
		{0, 2, &same}, {1, 2, &lives}, {2, 2, &same},
		{0, 3, &lives}, // of the second code nothing is known
		{0, 4, nil}, {1, 4, nil}, {2, 4, nil},
	} {
		if set.cell == nil {
			err = all.SetNotReached(set.mutant, set.test)
		} else {
			err = all.Set(set.mutant, set.test, *set.cell)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := twice.kills(all)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Mutants(), []string{"a", "b-1"}) || !slices.Equal(got.Tests(), all.Tests()) {
		t.Fatalf("%v on %v", got.Mutants(), got.Tests())
	}
	if got.Cell(0, 1) != killed || !slices.Equal(slices.Collect(got.Killed(0).All()), []int{1}) {
		t.Errorf("killed by %v", got.Killed(0))
	}
	if !slices.Equal(slices.Collect(got.Reached(0).All()), []int{0, 1, 2}) || !slices.Equal(slices.Collect(got.Infected(0).All()), []int{0, 1, 2}) {
		t.Errorf("reached by %v, infected by %v", got.Reached(0), got.Infected(0))
	}
	if got.Cell(0, 3).Verdict != matrix.Unknown || got.Verdict(1) != all.Verdict(2) {
		t.Errorf("late: %v; of one alone: %v", got.Cell(0, 3), got.Verdict(1))
	}
	if same, err := (&changes{first: map[string]string{"a": "a", "a-1": "a-1", "b-1": "b-1"}}).kills(all); err != nil || same != all {
		t.Errorf("without two of one change: %v, %v", same, err)
	}
}

// No test can kill a change of which none can kill any mutant; what tells one of them tells it.
func TestAChangeIsProvedInAllCodesOfItsSource(t *testing.T) {
	proof := func(id, verdict string) dataset.Proof { return dataset.Proof{ID: id, Verdict: verdict} }
	for _, c := range []struct{ all, want []dataset.Proof }{
		{[]dataset.Proof{proof("a", dataset.Equivalent)}, nil},
		{[]dataset.Proof{proof("a", dataset.Equivalent), proof("a-1", dataset.Equivalent)}, []dataset.Proof{proof("a", dataset.Equivalent)}},
		{[]dataset.Proof{proof("a", dataset.Equivalent), proof("a-1", dataset.Different)}, []dataset.Proof{proof("a", dataset.Different)}},
		{[]dataset.Proof{proof("b-1", dataset.Equivalent)}, []dataset.Proof{proof("b-1", dataset.Equivalent)}},
	} {
		if got := twice.proofs(c.all); !reflect.DeepEqual(got, c.want) {
			t.Errorf("of %v: %v, want %v", c.all, got, c.want)
		}
	}
}

// That a change survives is said once, when no code of its source is left.
func TestAChangeSurvivesWhenAllItsMutantsDo(t *testing.T) {
	chosen := []mutant.Mutant{{ID: "a"}, {ID: "a-1"}, {ID: "b-1"}}
	d := newDeciding(twice, chosen)
	if d.survives("a-1", execute.Survived) || !d.survives("b-1", execute.Survived) || !d.survives("a", execute.Survived) {
		t.Error("both survive, and this is not said at the end")
	}
	d = newDeciding(twice, chosen)
	if d.survives("a", execute.Killed) || d.survives("a-1", execute.Survived) {
		t.Error("one is killed, and the change said to survive")
	}
}

// Where a change is left out of one code as a duplicate of another, what that comes to there counts: the
// change is killed with it, and not proved without it.
func TestAChangeIsWhatItEqualsInACodeThatLeavesItOut(t *testing.T) {
	r := &recording{build: &capture.Capture{}}
	p := &program.Program{
		Units: []*program.Unit{{Mutants: []mutant.Mutant{{ID: "a", File: "/x.c"}}}, {Mutants: []mutant.Mutant{{ID: "b", File: "/x.c"}}}},
		Removed: []program.Removed{
			{Mutant: mutant.Mutant{ID: "a-1", File: "/x.c"}, Kind: equiv.Duplicate, Of: "b"},
			{Mutant: mutant.Mutant{ID: "c", File: "/x.c"}, Kind: equiv.Duplicate, Of: "b"},
		},
	}
	made := r.changes(p)
	if made.first["a-1"] != "a" || made.first["c"] != "" {
		t.Errorf("changes: %v", made.first)
	}
	all, err := kill.New([]string{"a", "b"}, []string{"one"})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(all.Set(0, 0, kill.Cell{Verdict: matrix.Survived}), all.Set(1, 0, kill.Cell{Verdict: matrix.Killed, Cause: matrix.Exit})); err != nil {
		t.Fatal(err)
	}
	got, err := made.kills(all)
	if err != nil || got == all || got.Verdict(0) != matrix.Killed || got.Verdict(1) != matrix.Killed {
		t.Errorf("%v, %v", got, err)
	}
	if proofs := made.proofs([]dataset.Proof{{ID: "a", Verdict: dataset.Equivalent}}); len(proofs) > 0 {
		t.Errorf("proved: %v", proofs)
	}
	d := newDeciding(made, []mutant.Mutant{{ID: "a"}, {ID: "b"}})
	if d.survives("b", execute.Killed) || d.survives("a", execute.Survived) {
		t.Error("it is said to survive")
	}
}

// The copies of a line are changed with it; another line, which one set of flags leaves out, is not, whatever
// its id.
func TestAChangeIsOfOneLine(t *testing.T) {
	r := &recording{build: &capture.Capture{}}
	one := func(id string, line int) mutant.Mutant { return mutant.Mutant{ID: id, File: "/x.c", Line: line} }
	p := &program.Program{Units: []*program.Unit{
		{Mutants: []mutant.Mutant{one("a", 3), one("a-x1", 3), one("b", 5)}},
		{Mutants: []mutant.Mutant{one("a-1", 3), one("b-1", 9)}},
	}}
	want := map[string]string{"a": "a", "a-x1": "a", "a-1": "a", "b": "b", "b-1": "b-1"}
	if got := r.changes(p).first; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	r.opts.Apart = true
	if got := r.changes(p).first; got["a-x1"] != "a-x1" || got["a-1"] != "a-1" {
		t.Errorf("apart: %v", got)
	}
	// What a test includes of it is no mutant by itself.
	p.Units[1].Input.Only = func(string, int) bool { return true }
	p.Units[1].Mutants = append(p.Units[1].Mutants, one("a-x1-1", 3))
	p.Removed = []program.Removed{{Mutant: one("b-1", 5), Kind: equiv.Duplicate, Of: "a-1", Unit: p.Units[1]}}
	made := r.changes(p)
	if got := made.first; got["a-x1"] != "a-x1" || got["a-1"] != "a" || got["a-x1-1"] != "a-x1" || got["b-1"] != "b" {
		t.Errorf("apart, with a copy in a test: %v", got)
	}
	if want := []string{"b", "a-1"}; !slices.Equal(made.members["b"], want) {
		t.Errorf("%v, want %v", made.members["b"], want)
	}
}
