package experiment

import (
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// A column tells which mutants are killed: rules that ask the model of that come before
// one that asks for the opposite, on the problems that chose them and on the others.
func TestTheBestRuleIsTheOneThatReadsWhatIsKnown(t *testing.T) {
	subjects := knowing("infect_tests", func(s *subject.Subject, m int) bool { return !s.Kills[m].Empty() })
	opts := Options{Seed: 1, Folds: 4, Repetitions: 20, Train: train.Options{Rounds: 8, MinLeafSamples: 5}}
	against, with := predict.SetRule{KillPower: -1}, predict.SetRule{KillPower: 1}
	tried, err := tune(t.Context(), subjects, []predict.SetRule{against, with}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if tried[0].Rule != with || tried[1].Rule != against {
		t.Fatalf("%+v", tried)
	}
	for k := range tried[0].Other {
		if best, worst := tried[0].Other[k], tried[1].Other[k]; best <= worst {
			t.Errorf("figure %d on the problems that did not choose: %v for the best rule, %v for the worst", k, best, worst)
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
