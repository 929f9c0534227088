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
	return NewScorer(b.Fault, b.Kill)
}
