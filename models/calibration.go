package models

import (
	"fmt"
	"math"
	"slices"
)

// Calibration corrects a model's probabilities so that of the mutants given 0.3
// three in ten are positive. It never changes the order of two mutants but for
// making some equal. The zero value changes nothing.
//
// Of an ensemble that ranks (tree.Ranking) it is what makes probabilities in the first
// place: Platt's curve, with the raw scores in the place of log-odds.
type Calibration struct {
	// Method is "", "platt" or "isotonic".
	Method string `json:"method"`
	// Slope and Intercept belong to "platt": the corrected log-odds are Slope
	// times the model's plus Intercept (Platt 1999). The raw score is the log-odds of
	// a model of probabilities, and stands for them in one that ranks.
	Slope     float64 `json:"slope,omitempty"`
	Intercept float64 `json:"intercept,omitempty"`
	// From and To belong to "isotonic": the probability From[i] becomes To[i],
	// and what lies between two is interpolated (Zadrozny and Elkan 2002).
	From []float64 `json:"from,omitempty"`
	To   []float64 `json:"to,omitempty"`
}

// The methods of a Calibration.
const (
	NoCalibration       = ""
	PlattCalibration    = "platt"
	IsotonicCalibration = "isotonic"
)

// Apply corrects a probability; NaN stays NaN.
func (c *Calibration) Apply(p float64) float64 {
	switch c.Method {
	case PlattCalibration:
		return c.ApplyScore(logOdds(p))
	case IsotonicCalibration:
		return c.interpolate(p)
	}
	return p
}

// ApplyScore makes a probability of a raw score, which it returns as it is where c is
// not Platt's curve; NaN stays NaN.
func (c *Calibration) ApplyScore(raw float64) float64 {
	if c.Method != PlattCalibration {
		return raw
	}
	return 1 / (1 + math.Exp(-c.Slope*raw-c.Intercept))
}

// ranks says whether the probabilities that c makes of raw scores are in their order,
// none of them equal but for rounding.
func (c *Calibration) ranks() bool { return c.Method == PlattCalibration && c.Slope > 0 }

// String describes c for a model card.
func (c *Calibration) String() string {
	switch c.Method {
	case PlattCalibration:
		return fmt.Sprintf("Platt: log-odds times %.4g plus %.4g", c.Slope, c.Intercept)
	case IsotonicCalibration:
		return fmt.Sprintf("isotonic, %d steps", len(c.From))
	}
	return "as the ensemble gives them"
}

// logOdds keeps 0 and 1 finite.
func logOdds(p float64) float64 {
	const edge = 1e-15
	if p != p {
		return p
	}
	p = min(max(p, edge), 1-edge)
	return math.Log(p / (1 - p))
}

func (c *Calibration) interpolate(p float64) float64 {
	if p != p {
		return p
	}
	at, found := slices.BinarySearch(c.From, p)
	switch {
	case found:
		return c.To[at]
	case at == 0:
		return c.To[0]
	case at == len(c.From):
		return c.To[at-1]
	}
	share := (p - c.From[at-1]) / (c.From[at] - c.From[at-1])
	return c.To[at-1] + share*(c.To[at]-c.To[at-1])
}

// Validate reports a calibration that would not keep the order or leave [0, 1].
func (c *Calibration) Validate() error {
	switch c.Method {
	case NoCalibration:
		return nil
	case PlattCalibration:
		if !(c.Slope >= 0) || math.IsInf(c.Slope, 0) || math.IsNaN(c.Intercept) || math.IsInf(c.Intercept, 0) {
			return fmt.Errorf("calibration: slope %v and intercept %v: want a slope of 0 or more, both finite", c.Slope, c.Intercept)
		}
		return nil
	case IsotonicCalibration:
		if len(c.From) == 0 || len(c.From) != len(c.To) {
			return fmt.Errorf("calibration: %d probabilities become %d", len(c.From), len(c.To))
		}
		for i := range c.From {
			if !(c.From[i] >= 0 && c.From[i] <= 1 && c.To[i] >= 0 && c.To[i] <= 1) {
				return fmt.Errorf("calibration: %v becomes %v: want probabilities", c.From[i], c.To[i])
			}
			if i > 0 && (c.From[i] <= c.From[i-1] || c.To[i] < c.To[i-1]) {
				return fmt.Errorf("calibration: step %d is out of order", i)
			}
		}
		return nil
	}
	return fmt.Errorf("calibration: unknown method %q", c.Method)
}
