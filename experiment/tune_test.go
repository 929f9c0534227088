package experiment

import (
	"fmt"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// Where those of a statement are killed by the same tests, a rule that takes one mutant of a
// statement beats one that takes them as they come, on the problems that chose it and on the
// others, by the fault that they reveal or, where none is known, by what the tests kill.
func TestTheBestRuleIsTheOneThatTakesOneOfAStatement(t *testing.T) {
	for _, faultless := range []bool{false, true} {
		var subjects []subject.Subject
		for i := range 8 {
			s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"statement"}, Reveals: matrix.BitsOf(24, 22, 23)}
			if faultless {
				s.Fault, s.Reveals, s.Faultless = "", matrix.BitsOf(24), true
			}
			var rows [][]float64
			for m := range 300 {
				statement := m / 25
				s.Mutants = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m), File: "a.c", Statement: statement})
				s.Kills = append(s.Kills, matrix.BitsOf(24, 2*statement, 2*statement+1))
				rows = append(rows, []float64{float64(statement)})
			}
			s.Features = subjecttest.Pack(rows)
			subjects = append(subjects, s)
		}
		opts := Options{Seed: 1, Folds: 4, Train: train.Options{Rounds: 4, MinLeafSamples: 5}}
		together, apart := predict.MarginalRule{}, predict.MarginalRule{Statement: .99}
		tried, err := tune(t.Context(), subjects, []predict.MarginalRule{together, apart}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if tried[0].Rule != apart || tried[1].Rule != together {
			t.Fatalf("%+v", tried)
		}
		if best, worst := tried[0].Other[0][2], tried[1].Other[0][2]; best <= worst {
			t.Errorf("minimal mutants on the problems that did not choose: %v for the best rule, %v for the worst", best, worst)
		}
	}
}

func TestNoProblemChoosesARuleAndJudgesIt(t *testing.T) {
	problems := []string{"a", "b", "a", "c", "d", "b", "e"}
	first, second := halves(problems, 7)
	in := map[string]int{}
	for _, i := range first {
		in[problems[i]] |= 1
	}
	for _, i := range second {
		in[problems[i]] |= 2
	}
	if len(first)+len(second) != len(problems) || len(in) != 5 {
		t.Fatalf("%v and %v", first, second)
	}
	sizes := map[int]int{}
	for problem, where := range in {
		sizes[where]++
		if where == 3 {
			t.Errorf("problem %s is in both halves", problem)
		}
	}
	if sizes[1] != 3 || sizes[2] != 2 {
		t.Errorf("halves of %d and %d problems", sizes[1], sizes[2])
	}
}
