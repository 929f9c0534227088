package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/models"
)

// Scored are predictions for rows that the model did not learn from, and what
// turned out: labels in [0, 1]. Weights may be nil; Groups, the row's program, may
// be nil for one group each row.
type Scored struct {
	Predictions, Labels, Weights []float64
	Groups                       []int32
}

// calibrationFolds judge the methods.
const calibrationFolds = 5

// CalibrationChoice is the calibration that was chosen, and the log-loss of each
// method on groups that it was not fitted on.
type CalibrationChoice struct {
	models.Calibration
	LogLoss map[string]float64
}

// Calibrate chooses between leaving predictions alone, Platt's logistic curve and
// isotonic regression by cross-validated log-loss, groups being kept whole, and
// fits the best to all rows. Of equals the simplest wins.
func Calibrate(s Scored, seed uint64) (CalibrationChoice, error) {
	if err := s.validate(); err != nil {
		return CalibrationChoice{}, fmt.Errorf("calibrating: %w", err)
	}
	fold := s.folds(seed)
	choice := CalibrationChoice{LogLoss: map[string]float64{}}
	best := math.Inf(1)
	for _, method := range []string{models.NoCalibration, models.PlattCalibration, models.IsotonicCalibration} {
		loss := 0.0
		for f := range calibrationFolds {
			c := fitCalibration(method, s.where(func(r int) bool { return fold[r] != f }))
			loss += s.where(func(r int) bool { return fold[r] == f }).loss(&c)
		}
		loss /= s.total()
		choice.LogLoss[method] = loss
		if loss < best {
			best = loss
			choice.Calibration = models.Calibration{Method: method}
		}
	}
	choice.Calibration = fitCalibration(choice.Method, s)
	return choice, nil
}

func (s *Scored) validate() error {
	if err := s.validateShape(); err != nil {
		return err
	}
	for r, p := range s.Predictions {
		if !(p >= 0 && p <= 1 && s.Labels[r] >= 0 && s.Labels[r] <= 1) {
			return fmt.Errorf("row %d: prediction %v, label %v: want both in [0, 1]", r, p, s.Labels[r])
		}
	}
	return nil
}

func (s *Scored) validateShape() error {
	n := len(s.Predictions)
	if n == 0 || len(s.Labels) != n || s.Weights != nil && len(s.Weights) != n || s.Groups != nil && len(s.Groups) != n {
		return errors.New("predictions, labels, weights and groups must have one entry a row, and there must be rows")
	}
	if s.total() <= 0 {
		return errors.New("all weights are 0")
	}
	return nil
}

func (s *Scored) weight(r int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[r]
}

func (s *Scored) total() (sum float64) {
	for r := range s.Predictions {
		sum += s.weight(r)
	}
	return sum
}

// folds deals the groups out, in random order.
func (s *Scored) folds(seed uint64) []int {
	group := s.Groups
	if group == nil {
		group = make([]int32, len(s.Predictions))
		for r := range group {
			group[r] = int32(r)
		}
	}
	names := slices.Clone(group)
	slices.Sort(names)
	names = slices.Compact(names)
	of := make(map[int32]int, len(names))
	for i, at := range stream(seed, "calibration", 0).Perm(len(names)) {
		of[names[at]] = i % calibrationFolds
	}
	fold := make([]int, len(group))
	for r, g := range group {
		fold[r] = of[g]
	}
	return fold
}

func (s *Scored) where(in func(r int) bool) Scored {
	var out Scored
	for r := range s.Predictions {
		if in(r) {
			out.Predictions = append(out.Predictions, s.Predictions[r])
			out.Labels = append(out.Labels, s.Labels[r])
			out.Weights = append(out.Weights, s.weight(r))
		}
	}
	return out
}

// loss is the sum of the log-losses of corrected predictions.
func (s Scored) loss(c *models.Calibration) (sum float64) {
	for r, p := range s.Predictions {
		sum += s.weight(r) * logLoss(logit(c.Apply(p)), s.Labels[r])
	}
	return sum
}

func fitCalibration(method string, s Scored) models.Calibration {
	switch {
	case len(s.Predictions) == 0:
	case method == models.PlattCalibration:
		return fitPlatt(s)
	case method == models.IsotonicCalibration:
		return fitIsotonic(s)
	}
	return models.Calibration{}
}

func fitPlatt(s Scored) models.Calibration {
	x := make([]float64, len(s.Predictions))
	for r, p := range s.Predictions {
		x[r] = logit(p)
	}
	a, b := s.fitLogistic(x)
	return models.Calibration{Method: models.PlattCalibration, Slope: max(a, 0), Intercept: b}
}

// fitLogistic returns the slope and the intercept on x with the least log-loss, by
// Newton's method with halved steps. A penalty worth one row draws the curve towards
// the identity, so that it exists for any rows.
func (s *Scored) fitLogistic(x []float64) (a, b float64) {
	a, b = 1, 0
	loss := func(a, b float64) float64 {
		sum := ((a-1)*(a-1) + b*b) / 2
		for r := range x {
			sum += s.weight(r) * logLoss(a*x[r]+b, s.Labels[r])
		}
		return sum
	}
	at := loss(a, b)
	for range 100 {
		ga, gb, haa, hab, hbb := a-1, b, 1.0, 0.0, 1.0
		for r := range x {
			first, second := logLossDerivatives(a*x[r]+b, s.Labels[r])
			w := s.weight(r)
			ga, gb = ga+w*first*x[r], gb+w*first
			haa, hab, hbb = haa+w*second*x[r]*x[r], hab+w*second*x[r], hbb+w*second
		}
		det := haa*hbb - hab*hab
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		step := 1.0
		next := loss(a-da, b-db)
		for ; next > at && step > 1e-6; step /= 2 {
			next = loss(a-step/2*da, b-step/2*db)
		}
		if next >= at {
			break
		}
		a, b = a-step*da, b-step*db
		if at-next < 1e-12*(1+at) {
			break
		}
		at = next
	}
	return a, b
}

// block is some rows of neighbouring predictions that get one value.
type block struct{ from, label, weight float64 }

// fitIsotonic pools adjacent violators (Ayer and others 1955). Each block gets
// its mean label, drawn towards one half by the weight of one row, because a
// block of few rows is not sure; its place is its mean prediction.
func fitIsotonic(s Scored) models.Calibration {
	order := make([]int, len(s.Predictions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmpFloat(s.Predictions[a], s.Predictions[b]) })
	var blocks []block
	last := math.Inf(-1)
	for _, r := range order {
		p, w := s.Predictions[r], s.weight(r)
		if w == 0 {
			continue
		}
		if p == last {
			b := &blocks[len(blocks)-1]
			b.from, b.label, b.weight = b.from+w*p, b.label+w*s.Labels[r], b.weight+w
		} else {
			blocks = append(blocks, block{w * p, w * s.Labels[r], w})
		}
		last = p
		for n := len(blocks); n > 1 && blocks[n-2].label*blocks[n-1].weight >= blocks[n-1].label*blocks[n-2].weight; n-- {
			a, b := blocks[n-2], blocks[n-1]
			blocks[n-2] = block{a.from + b.from, a.label + b.label, a.weight + b.weight}
			blocks = blocks[:n-1]
		}
	}
	c := models.Calibration{Method: models.IsotonicCalibration}
	for _, b := range blocks {
		from, to := b.from/b.weight, (b.label+0.5)/(b.weight+1)
		if n := len(c.From); n > 0 {
			if from <= c.From[n-1] {
				continue
			}
			to = max(to, c.To[n-1]) // the pull towards one half may have undone the order
		}
		c.From, c.To = append(c.From, min(max(from, 0), 1)), append(c.To, to)
	}
	return c
}
