package subject_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

func TestVariedSubjectsHaveTheMutantsOfWhichAllIsKnown(t *testing.T) {
	set := func(tests ...int) matrix.Bits { return matrix.BitsOf(3, tests...) }
	s := subject.Subject{Program: "p", Faultless: true, Reveals: set(),
		Kills:   []matrix.Bits{set(0), set(1), set(0, 1), set(2), set()},
		Unknown: []matrix.Bits{set(), set(), set(2), set(), set()},
		Reached: []matrix.Bits{set(0), set(1), set(0, 1), set(), set(2)}}
	for _, id := range []string{"a", "b", "partly known", "reached by none", "survives"} {
		s.Mutants = append(s.Mutants, predict.Score{ID: id})
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	varied := subject.Varied([]subject.Subject{s}, 2)
	if len(varied) != 1 || len(varied[0].Mutants) != 3 || varied[0].Mutants[2].ID != "survives" || varied[0].KillWays() != 2 {
		t.Fatalf("%+v", varied)
	}
	if len(subject.Varied([]subject.Subject{s}, 3)) != 0 {
		t.Error("tests that kill in two ways are taken for three")
	}
	s.Faultless = false
	if len(subject.Varied([]subject.Subject{s}, 1)) != 0 {
		t.Error("of a fault that is known, lists are judged by what reveals it")
	}
}
