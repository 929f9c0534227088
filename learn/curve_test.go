package learn

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/train"
)

// A column that tells which mutants are killed is learnt from whatever share of the
// programs; the last point is what cross-validation gives.
func TestALearningCurveEndsWhereAllIsLearntFrom(t *testing.T) {
	subjects := knowing("infect_tests", func(s *evaluate.Subject, m int) bool { return !s.Kills[m].Empty() })
	opts := Options{Seed: 1, Folds: 4, Train: train.Options{Rounds: 8, MinLeafSamples: 5}}
	part := opts.parts()[1]
	curve, err := part.curve(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(curve.Points) != len(curveShares) || curve.Judged != KillLabel {
		t.Fatalf("%+v", curve)
	}
	for k, want := range []evaluate.Number{1, 2, 3, 6} { // of the 6 problems outside a fold
		p := curve.Points[k]
		if p.Groups != want || p.Mutants != want*80 || p.AUC.Pooled < 0.95 {
			t.Errorf("a share of %v: %+v, want %v groups", p.Share, p, want)
		}
	}
	if all := crossValidatedAUC(t, &part, subjects, opts); curve.Points[3].AUC != all {
		t.Errorf("all: %+v, cross-validation %+v", curve.Points[3].AUC, all)
	}
	var text bytes.Buffer
	if err := report.WriteLearningCurves(&text, []*report.LearningCurve{curve}); err != nil || !strings.Contains(text.String(), "killable, learnt from") || !strings.Contains(text.String(), "12.5 %") {
		t.Errorf("%v\n%s", err, text.String())
	}
}
