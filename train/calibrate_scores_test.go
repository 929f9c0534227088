package train_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/train"
)

// ranked draws scores on some scale whose rows are worth what truth says of a
// standardised score: a ratio, as a rule not 0 or 1.
func ranked(n int, scale, shift float64, truth func(z float64) float64) train.Scored {
	rng := rand.New(rand.NewPCG(62, 1))
	var s train.Scored
	for range n {
		z := rng.NormFloat64()
		s.Predictions = append(s.Predictions, scale*z+shift)
		s.Labels = append(s.Labels, min(max(truth(z)+0.1*(rng.Float64()-0.5), 0), 1))
	}
	return s
}

func TestScoresOnAnyScaleBecomeTheProbabilitiesThatTheyStandFor(t *testing.T) {
	truth := func(z float64) float64 { return sigmoid(1.5*z - 2) }
	for _, c := range []struct{ scale, shift float64 }{{1, 0}, {0.001, 0}, {300, -5000}} {
		got, err := train.CalibrateScores(ranked(5000, c.scale, c.shift, truth))
		if err != nil {
			t.Fatal(err)
		}
		for z := -2.0; z <= 2; z += 0.25 {
			if p := got.ApplyScore(c.scale*z + c.shift); math.Abs(p-truth(z)) > 0.03 {
				t.Errorf("scale %v: a score %.2f deviations up becomes %.3f, want %.3f", c.scale, z, p, truth(z))
			}
		}
	}
}

// The order that was learnt stays: no two scores become equal, whatever they tell.
func TestProbabilitiesOfScoresKeepTheirOrderWithoutTies(t *testing.T) {
	for name, truth := range map[string]func(z float64) float64{
		"telling":  func(z float64) float64 { return sigmoid(2*z - 3) },
		"nothing":  func(float64) float64 { return 0.1 },
		"opposite": func(z float64) float64 { return sigmoid(-2 * z) },
		"never":    func(float64) float64 { return -1 },
		"always":   func(float64) float64 { return 2 },
		"by step":  func(z float64) float64 { return map[bool]float64{true: 0.9, false: 0}[z > 1] },
	} {
		s := ranked(2000, 0.2, 0.1, truth)
		got, err := train.CalibrateScores(s)
		if err != nil || got.Method != models.PlattCalibration || !(got.Slope > 0) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		before := 0.0
		for x := -1.0; x <= 1; x += 1e-3 {
			if p := got.ApplyScore(x); !(p > before && p < 1) {
				t.Fatalf("%s: score %v becomes %v after %v", name, x, p, before)
			} else {
				before = p
			}
		}
		sum, want := 0.0, 0.0
		for r, x := range s.Predictions {
			sum, want = sum+got.ApplyScore(x), want+s.Labels[r]
		}
		if math.Abs(sum-want) > 0.01*want+6 { // the penalty on the intercept is worth some rows
			t.Errorf("%s: %.1f expected in all, there are %.1f", name, sum, want)
		}
	}
}

func TestScoresOfFewRowsCanBeCalibrated(t *testing.T) {
	for name, s := range map[string]train.Scored{
		"one row":       {Predictions: []float64{-7}, Labels: []float64{0.5}},
		"all alike":     {Predictions: []float64{0.1, 0.1, 0.1}, Labels: []float64{1, 0, 0}},
		"far and alike": {Predictions: []float64{1e9, 1e9}, Labels: []float64{1, 0}},
		"in order":      {Predictions: []float64{-1, 0, 1}, Labels: []float64{0, 0, 1}},
	} {
		got, err := train.CalibrateScores(s)
		if err != nil || !(got.Slope > 0) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if p := got.ApplyScore(s.Predictions[0]); !(p > 0 && p < 1) {
			t.Errorf("%s: probability %v", name, p)
		}
	}
	for name, s := range map[string]train.Scored{
		"nothing":       {},
		"a label short": {Predictions: []float64{3, 4}, Labels: []float64{1}},
		"no number":     {Predictions: []float64{math.NaN()}, Labels: []float64{1}},
		"endless":       {Predictions: []float64{math.Inf(1)}, Labels: []float64{1}},
		"too far":       {Predictions: []float64{-1e308, 1e308}, Labels: []float64{0, 1}},
		"no ratio":      {Predictions: []float64{3}, Labels: []float64{3}},
		"no weight":     {Predictions: []float64{3}, Labels: []float64{1}, Weights: []float64{0}},
	} {
		if _, err := train.CalibrateScores(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
