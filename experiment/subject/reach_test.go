package subject

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

func TestReachComesFromTheKillsAndInfectionsFromTheCoverage(t *testing.T) {
	folder := run(t, "adder")
	s, err := FromRun(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The pool is t1 and t3. m2 was run on both, m3 on t1 only.
	if !s.Reached[0].Equal(matrix.BitsOf(2, 0, 1)) || !s.Reached[1].Equal(matrix.BitsOf(2, 0)) || s.Infected != nil {
		t.Errorf("reached %v, infected %v", s.Reached, s.Infected)
	}
	// A probing run showed that t1 leaves all that m2 computes as it is.
	if err := folder.Kills.Set(0, 0, kill.Cell{Verdict: matrix.Survived, Cause: matrix.NotInfected}); err != nil {
		t.Fatal(err)
	}
	folder.Manifest.Counts = map[string]int64{"uninfected": 1}
	if s, err = FromRun(folder, nil); err != nil || len(s.Infected) != 2 || !s.Infected[0].Equal(matrix.BitsOf(2, 1)) || !s.Infected[1].Equal(matrix.BitsOf(2, 0)) {
		t.Errorf("probing runs: infected %v, error %v", s.Infected, err)
	}
	folder.Manifest.Counts = nil
	infections, err := cover.New(cover.Infections, []string{"t3", "t2", "t1"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]int{{0, 1}, {2, 2}} { // t3 infects m2, t1 infects m3
		if err := infections.Set(pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	folder.Cover = infections
	if s, err = FromRun(folder, nil); err != nil {
		t.Fatal(err)
	}
	if len(s.Infected) != 2 || !s.Infected[0].Equal(matrix.BitsOf(2, 1)) || !s.Infected[1].Equal(matrix.BitsOf(2, 0)) {
		t.Errorf("infected %v", s.Infected)
	}
	infections.SetUnmeasured(0)
	if s, err = FromRun(folder, nil); err != nil || s.Infected != nil {
		t.Errorf("a test of the pool was not measured, and infections are %v, error %v", s.Infected, err)
	}
	folder.Cover, err = cover.New(cover.Infections, []string{"t1", "t3"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FromRun(folder, nil); err == nil {
		t.Error("infections of other mutants were accepted")
	}
}

func TestASubjectKnowsItsSourcesAndTheClassOfItsFault(t *testing.T) {
	folder := run(t, "adder")
	folder.Manifest.Inputs = map[string]string{"b.c": "22", "a.c": "11"}
	folder.Manifest.Options = map[string]string{ClassOption: "DCCR"}
	s, err := FromRun(folder, nil)
	if err != nil || s.Class != "DCCR" || !slices.Equal(s.Sources, []string{"11", "22"}) {
		t.Errorf("class %q, sources %v, error %v", s.Class, s.Sources, err)
	}
	none := run(t, "other")
	if s, err = FromRun(none, nil); err != nil || s.Class != "" || len(s.Sources) != 0 {
		t.Errorf("class %q, sources %v, error %v", s.Class, s.Sources, err)
	}
}
