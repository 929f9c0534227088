package subject_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
)

func TestWithoutExistingTestsAllMutantsAreLeft(t *testing.T) {
	s := subjecttest.Chain()
	s.Columns, s.Features = []string{"x"}, subjecttest.Pack([][]float64{{1}, {2}, {3}, {4}})
	s.Unknown = []matrix.Bits{matrix.NewBits(2), matrix.BitsOf(2, 1), matrix.NewBits(2), matrix.NewBits(2)}
	left, err := s.Without(matrix.BitsOf(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(left.Mutants) != len(s.Mutants) || left.Tests() != 1 {
		t.Fatalf("%d mutants of %d, %d tests", len(left.Mutants), len(s.Mutants), left.Tests())
	}
	for m := range s.Kills {
		if left.Kills[m].Get(0) != s.Kills[m].Get(1) {
			t.Errorf("%s: killed %v by the test that is left, was %v", s.Mutants[m].ID, left.Kills[m].Get(0), s.Kills[m].Get(1))
		}
	}
	if left.Reveals.Get(0) != s.Reveals.Get(1) || s.Tests() != 2 {
		t.Error("the other test reveals what it did not, or the subject changed")
	}
	if left.Features.Dense()[1][0] != 2 || !left.Unknown[1].Get(0) || left.Unknown[0].Get(0) || left.Validate() != nil {
		t.Errorf("features %v, unknown verdicts %v, %v", left.Features.Dense(), left.Unknown, left.Validate())
	}
	if _, err := s.Without(matrix.NewBits(3)); !errors.Is(err, subject.ErrSubject) {
		t.Errorf("a set for another pool: error %v", err)
	}
}

func TestMutantsThatNoTestReachesCanBeSetAside(t *testing.T) {
	s := subjecttest.Chain()
	s.Features, s.Columns = subjecttest.Pack([][]float64{{1}, {2}, {3}, {4}}), []string{"x"}
	reached, ok := subject.Reached([]subject.Subject{s})
	if !ok || len(reached) != 1 || len(reached[0].Mutants) != 3 || reached[0].Mutants[2].ID != "d" || reached[0].Features.Dense()[2][0] != 4 {
		t.Errorf("reached %v, %+v", ok, reached)
	}
	if err := reached[0].Validate(); err != nil {
		t.Error(err)
	}
	s.Reached = nil
	if _, ok := subject.Reached([]subject.Subject{s}); ok {
		t.Error("nothing is known of reach, and mutants were set aside")
	}
	s.Reached = make([]matrix.Bits, 4)
	for i := range s.Reached {
		s.Reached[i] = matrix.NewBits(2)
	}
	if reached, ok = subject.Reached([]subject.Subject{s}); !ok || len(reached) != 0 {
		t.Errorf("no mutant is reached: %v, %v", ok, reached)
	}
}

func TestTheRatioOfAMutantIsTheShareOfItsKillingTestsThatReveal(t *testing.T) {
	s := subject.Subject{Reveals: matrix.BitsOf(4, 0), Kills: []matrix.Bits{
		matrix.BitsOf(4, 0), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 2), matrix.BitsOf(4)}}
	got := s.Ratios()
	if !slices.Equal(got[:3], []float64{1, 0.5, 0}) || !math.IsNaN(got[3]) {
		t.Errorf("ratios %v", got)
	}
}
