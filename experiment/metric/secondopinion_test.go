package metric

import (
	"math"
	"strconv"
	"testing"

	"github.com/sjwhitworth/golearn/evaluation"

	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/predict"
)

// golearn computes precision, recall and F1 from a confusion matrix by code
// that shares nothing with ours.
func TestPrecisionRecallAndF1AreThoseOfGolearn(t *testing.T) {
	rng := stream.New(11, "evaluate/metric/golearn")
	for range 200 {
		n := 2 + rng.IntN(60)
		scores, positive := make([]float64, n), make([]bool, n)
		for i, rank := range rng.Perm(n) { // no ties: golearn has no rule for them
			scores[i], positive[i] = float64(rank), rng.IntN(3) == 0
		}
		positive[0] = true
		chosen := 1 + rng.IntN(n)
		confusion := evaluation.ConfusionMatrix{"yes": {"yes": 0, "no": 0}, "no": {"yes": 0, "no": 0}}
		truth := map[bool]string{true: "yes", false: "no"}
		for i := range scores {
			confusion[truth[positive[i]]][truth[int(scores[i]) >= n-chosen]]++
		}
		p, err := NewPredictions(scores, positive)
		if err != nil {
			t.Fatal(err)
		}
		top, err := predict.ParseTop(strconv.Itoa(chosen))
		if err != nil {
			t.Fatal(err)
		}
		got := p.At(top)
		for name, pair := range map[string][2]float64{
			"precision": {got.Precision, evaluation.GetPrecision("yes", confusion)},
			"recall":    {got.Recall, evaluation.GetRecall("yes", confusion)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s of %d of %d: %v, golearn says %v", name, chosen, n, pair[0], pair[1])
			}
		}
		if got.Precision > 0 { // golearn's F1 is 0/0 where nothing is found
			if want := evaluation.GetF1Score("yes", confusion); math.Abs(got.F1-want) > 1e-12 {
				t.Errorf("F1 of %d of %d: %v, golearn says %v", chosen, n, got.F1, want)
			}
		}
	}
}
