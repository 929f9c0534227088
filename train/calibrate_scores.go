package train

import (
	"errors"
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/models"
)

// leastSlope is that of the curve over scores, by their standard deviation, which
// tell nothing, or the opposite. The curve must rise, or mutants would change places
// that were learnt; so little makes next to nothing of the differences.
const leastSlope = 1e-6

// CalibrateScores makes the logistic curve from the raw scores of a model that ranks,
// which may be any numbers (Scored.Predictions), to the expected labels: Platt,
// "Probabilistic outputs for support vector machines" (1999). No other method will do,
// because the curve must rise everywhere: isotonic regression makes steps, on which the
// mutants that were ranked first, the few of interest, would be equal.
//
// Scores are standardised for the fit, since the scale of LambdaMART's is that of
// nothing: the penalty on the slope (one row's weight, towards 1) is by their standard
// deviation.
func CalibrateScores(s Scored) (models.Calibration, error) {
	if err := s.validateScores(); err != nil {
		return models.Calibration{}, fmt.Errorf("calibrating scores: %w", err)
	}
	mean, deviation := s.moments()
	x := make([]float64, len(s.Predictions))
	for r, score := range s.Predictions {
		x[r] = (score - mean) / deviation
	}
	a, b := s.fitLogistic(x)
	if a < leastSlope {
		clear(x)
		_, b = s.fitLogistic(x) // as if all scores were the mean
		a = leastSlope
	}
	out := models.Calibration{Method: models.PlattCalibration, Slope: a / deviation, Intercept: b - a*mean/deviation}
	return out, out.Validate()
}

func (s *Scored) validateScores() error {
	if err := s.validateShape(); err != nil {
		return err
	}
	for r, score := range s.Predictions {
		if math.IsNaN(score) || math.IsInf(score, 0) || !(s.Labels[r] >= 0 && s.Labels[r] <= 1) {
			return fmt.Errorf("row %d: score %v, label %v: want a number and a label in [0, 1]", r, score, s.Labels[r])
		}
	}
	if mean, deviation := s.moments(); math.IsInf(mean, 0) || math.IsInf(deviation, 0) {
		return errors.New("the scores are too far apart")
	}
	return nil
}

// moments are the weighted mean and standard deviation of the predictions, which is
// 1 where all are equal.
func (s *Scored) moments() (mean, deviation float64) {
	total := s.total()
	for r, x := range s.Predictions {
		mean += s.weight(r) / total * x
	}
	for r, x := range s.Predictions {
		deviation += s.weight(r) / total * (x - mean) * (x - mean)
	}
	// Equal scores differ from their mean by rounding alone.
	if deviation = math.Sqrt(deviation); deviation <= 1e-12*math.Abs(mean) || deviation == 0 {
		return mean, 1
	}
	return mean, deviation
}
