package train_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/train"
)

// scored draws rows whose true probability is truth of the prediction.
func scored(n int, truth func(p float64) float64) train.Scored {
	rng := rand.New(rand.NewPCG(61, 1))
	var s train.Scored
	for i := range n {
		p, y := rng.Float64(), 0.0
		if rng.Float64() < truth(p) {
			y = 1
		}
		s.Predictions, s.Labels, s.Groups = append(s.Predictions, p), append(s.Labels, y), append(s.Groups, int32(i/20))
	}
	return s
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func TestTheCalibrationThatFitsIsChosen(t *testing.T) {
	for want, truth := range map[string]func(p float64) float64{
		models.NoCalibration:       func(p float64) float64 { return p },
		models.PlattCalibration:    func(p float64) float64 { return sigmoid(0.4*math.Log(p/(1-p)) - 1.5) },
		models.IsotonicCalibration: func(p float64) float64 { return map[bool]float64{true: 0.85, false: 0.1}[p > 0.7] },
	} {
		got, err := train.Calibrate(scored(6000, truth), 1)
		if err != nil {
			t.Fatal(err)
		}
		if want == models.NoCalibration { // the identity is one of Platt's curves: a tie but for noise
			if loss := got.LogLoss; math.Abs(loss[got.Method]-loss[want]) > 0.002 {
				t.Errorf("%v", loss)
			}
		} else if got.Method != want {
			t.Errorf("chose %q, want %q: %v", got.Method, want, got.LogLoss)
		}
		if err := got.Validate(); err != nil {
			t.Error(err)
		}
		worst := 0.0
		for p := 0.05; p < 1; p += 0.05 {
			if math.Abs(p-0.7) > 0.04 {
				worst = max(worst, math.Abs(got.Apply(p)-truth(p)))
			}
		}
		if worst > 0.08 {
			t.Errorf("%q: a probability is off by %.2f", want, worst)
		}
	}
}

func TestCalibrationKeepsTheOrderAndTheMean(t *testing.T) {
	s := scored(3000, func(p float64) float64 { return p * p })
	got, err := train.Calibrate(s, 3)
	if err != nil {
		t.Fatal(err)
	}
	before, sum, positives := -1.0, 0.0, 0.0
	for p := 0.0; p <= 1; p += 0.001 {
		if now := got.Apply(p); now < before || now < 0 || now > 1 {
			t.Fatalf("%v becomes %v after %v", p, now, before)
		} else {
			before = now
		}
	}
	for r, p := range s.Predictions {
		sum += got.Apply(p)
		positives += s.Labels[r]
	}
	if math.Abs(sum-positives) > 0.02*positives {
		t.Errorf("%.1f positives predicted, there are %.0f", sum, positives)
	}
}

func TestCalibrationSurvivesLittleData(t *testing.T) {
	for name, s := range map[string]train.Scored{
		"one row":   {Predictions: []float64{0.2}, Labels: []float64{1}},
		"all alike": {Predictions: []float64{0.5, 0.5, 0.5}, Labels: []float64{1, 0, 1}},
		"certain":   {Predictions: []float64{0, 1, 1, 0, 0, 1}, Labels: []float64{1, 0, 1, 0, 0, 1}},
	} {
		got, err := train.Calibrate(s, 1)
		if err != nil || got.Validate() != nil {
			t.Errorf("%s: %+v, %v, %v", name, got, err, got.Validate())
		}
	}
	for name, s := range map[string]train.Scored{
		"nothing":       {},
		"a label short": {Predictions: []float64{0.5, 0.5}, Labels: []float64{1}},
		"not a share":   {Predictions: []float64{1.5}, Labels: []float64{1}},
		"no weight":     {Predictions: []float64{0.5}, Labels: []float64{1}, Weights: []float64{0}},
	} {
		if _, err := train.Calibrate(s, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
