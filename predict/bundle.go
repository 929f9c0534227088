package predict

import (
	"fmt"

	"github.com/winnow-mutants/winnow/models"
)

// NewBundleScorer makes a scorer of a saved model for a feature table, given by
// the hash of its schema and the names of its columns without the id. It fails
// with a *models.SchemaError when the model learned from another table: scores
// from the wrong columns look like any others.
func NewBundleScorer(b *models.Bundle, schema string, columns []string) (*Scorer, error) {
	if err := b.CheckSchema(schema, columns); err != nil {
		return nil, fmt.Errorf("make a scorer: %w", err)
	}
	return NewScorer(b.Fault, b.Kill)
}
