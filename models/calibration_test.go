package models

import (
	"math"
	"testing"
)

func TestCalibrationsOfWorkedExamples(t *testing.T) {
	none := Calibration{}
	platt := Calibration{Method: PlattCalibration, Slope: 2, Intercept: math.Log(3)}
	steps := Calibration{Method: IsotonicCalibration, From: []float64{0.2, 0.4, 0.8}, To: []float64{0.1, 0.5, 0.5}}
	for _, c := range []struct {
		calibration Calibration
		p, want     float64
	}{
		{none, 0.3, 0.3},
		{platt, 0.5, 0.75}, // log-odds 0 becomes log 3
		{platt, 0.75, 27.0 / 28},
		{steps, 0, 0.1}, {steps, 0.2, 0.1}, {steps, 0.3, 0.3}, {steps, 0.6, 0.5}, {steps, 1, 0.5},
	} {
		if err := c.calibration.Validate(); err != nil {
			t.Error(err)
		}
		if got := c.calibration.Apply(c.p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v becomes %v, want %v", c.calibration.Method, c.p, got, c.want)
		}
		if got := c.calibration.Apply(math.NaN()); got == got {
			t.Errorf("%s: NaN becomes %v", c.calibration.Method, got)
		}
	}
}

// Log-odds are the raw scores of a model of probabilities: the curve is the same.
func TestTheCurveOfScoresIsThatOfTheirLogOdds(t *testing.T) {
	platt := Calibration{Method: PlattCalibration, Slope: 0.6, Intercept: -2}
	for _, raw := range []float64{-20, -1, 0, 0.3, 5} {
		if got, want := platt.ApplyScore(raw), platt.Apply(1/(1+math.Exp(-raw))); math.Abs(got-want) > 1e-9 {
			t.Errorf("score %v becomes %v, its probability %v", raw, got, want)
		}
	}
	if got := platt.ApplyScore(math.NaN()); got == got {
		t.Errorf("NaN becomes %v", got)
	}
	if got := (&Calibration{}).ApplyScore(-7); got != -7 {
		t.Errorf("without a curve -7 becomes %v", got)
	}
	if platt.ApplyScore(50) == platt.ApplyScore(51) {
		t.Error("two scores become one where a probability's log-odds would be cut off")
	}
}

func TestUnsoundCalibrationsAreRefused(t *testing.T) {
	for _, c := range []Calibration{
		{Method: "magic"}, {Method: PlattCalibration, Slope: -1}, {Method: PlattCalibration, Intercept: math.NaN()},
		{Method: IsotonicCalibration}, {Method: IsotonicCalibration, From: []float64{0.1}, To: []float64{2}},
		{Method: IsotonicCalibration, From: []float64{0.5, 0.5}, To: []float64{0.1, 0.2}},
		{Method: IsotonicCalibration, From: []float64{0.1, 0.5}, To: []float64{0.3, 0.2}},
	} {
		if c.Validate() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
