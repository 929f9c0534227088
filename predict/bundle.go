package predict

import (
	"fmt"

	"github.com/winnow-mutants/winnow/models"
)

// NewBundleScorer makes a scorer of a saved model for a feature table with these
// columns. Its rows hold the columns that b.Card.Features names, in that order.
// It fails with a *models.SchemaError when the table lacks one of them or means
// another thing by it: scores from the wrong columns look like any others.
func NewBundleScorer(b *models.Bundle, table []models.Column) (*Scorer, error) {
	if err := b.CheckSchema(table); err != nil {
		return nil, fmt.Errorf("make a scorer: %w", err)
	}
	if b.Foreign != nil {
		return &Scorer{columns: b.Card.Features, foreign: b.Foreign}, nil
	}
	return newScorer([]scorerPart{
		{"fault", b.Fault, b.Calibration(models.FaultFile), func(s *Scorer) **model { return &s.fault }},
		{"kill", b.Kill, b.Calibration(models.KillFile), func(s *Scorer) **model { return &s.kill }},
		{"reveal", b.Reveal, b.Calibration(models.RevealFile), func(s *Scorer) **model { return &s.reveal }},
		{"late", b.Late, b.Calibration(models.LateFile), func(s *Scorer) **model { return &s.late }},
	})
}
