package experiment

import (
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/train"
)

// A column that tells which mutants are killed is learnt from whatever share of the
// programs; the last point is what cross-validation gives.
func TestALearningCurveEndsWhereAllIsLearntFrom(t *testing.T) {
	subjects := knowing("infect_tests", func(s *subject.Subject, m int) bool { return !s.Kills[m].Empty() })
	opts := Options{Seed: 1, Folds: 4, Train: train.Options{Rounds: 8, MinLeafSamples: 5}}
	part := opts.parts()[1]
	curve, err := part.curve(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(curve.Points) != len(curveShares) || curve.Judged != KillLabel {
		t.Fatalf("%+v", curve)
	}
	for k, want := range []number.Float{1, 2, 3, 6} { // of the 6 problems outside a fold
		p := curve.Points[k]
		if p.Groups != want || p.Mutants != want*80 || p.AUC.Pooled < 0.95 {
			t.Errorf("a share of %v: %+v, want %v groups", p.Share, p, want)
		}
	}
	if all := crossValidatedAUC(t, &part, subjects, opts); curve.Points[3].AUC != all {
		t.Errorf("all: %+v, cross-validation %+v", curve.Points[3].AUC, all)
	}
}
