package rank

import (
	"math"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

func TestMutantsOfAFunctionThatShowTheSameAreOneLine(t *testing.T) {
	trial := func(shown, kind uint64) predict.Trial {
		return predict.Trial{Tried: 15, Shown: shown, Kind: kind, Reached: 4}
	}
	r := &ranking{scores: []predict.Score{
		{Function: "f", Program: trial(3, 7)},
		{Function: "f", Program: trial(3, 8)},
		{Function: "f", Program: trial(3, 7), Line: 9},
		{Function: "g", Program: trial(3, 7)},
		{Function: "f", Program: trial(0, 0)},
		{Function: "f", Program: trial(0, 0)},
		{Function: "f", Own: trial(3, 7)},
	}}
	kept, alike := r.fold([]int{4, 2, 0, 1, 3, 5, 6})
	// What no input shows is like nothing, and inputs of a function are not those of main.
	if !slices.Equal(kept, []int{4, 2, 1, 3, 5, 6}) {
		t.Fatalf("kept %v", kept)
	}
	if !slices.Equal(alike, []int{0, 1, 0, 0, 0, 0}) {
		t.Errorf("%v are alike to %v", alike, kept)
	}
}

// Where tests were run, one line says that they do not come to a part of a function.
func TestMutantsOfAFunctionThatNoTestRunsAreOneLine(t *testing.T) {
	shown := predict.Trial{Tried: 15, Shown: 3, Kind: 7, Reached: 4}
	r := &ranking{
		scores: []predict.Score{{Function: "f"}, {Function: "f", Program: shown}, {Function: "f"}, {Function: "g"}, {Function: "f"}},
		tests:  []*report.Seen{{Tests: 2}, {Tests: 2}, {Tests: 2, Reached: 1}, {Tests: 2}, {Tests: 2, Reached: 1}},
	}
	kept, alike := r.fold([]int{1, 0, 2, 3, 4})
	if !slices.Equal(kept, []int{1, 2, 3, 4}) || !slices.Equal(alike, []int{1, 0, 0, 0}) {
		t.Errorf("kept %v, with %v alike", kept, alike)
	}
}

func TestAModelIsNotHeardOfProgramsThatAreForeignToIt(t *testing.T) {
	for _, c := range []struct {
		foreign  bool
		strategy predict.Strategy
		heard    bool
	}{{true, predict.Winnow, false}, {false, predict.Winnow, true}, {true, predict.FaRM, true}} {
		r := &ranking{opts: Options{Strategy: c.strategy}, out: &report.Ranking{Drift: &report.Drift{Foreign: c.foreign}},
			scores: []predict.Score{{ID: "a", Fault: .5, Kill: .5}}}
		if heard := !math.IsNaN(r.trusted()[0].Kill); heard != c.heard || math.IsNaN(r.scores[0].Kill) {
			t.Errorf("%+v: heard is %v", c, heard)
		}
	}
}
