package rank

import (
	"slices"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/models"
)

// ReadsAges reports whether a model's trees look at the ages of lines: git is not
// asked in vain. A model has their columns where it was trained without them too.
func ReadsAges(model *models.Bundle) bool {
	if model == nil {
		return false
	}
	columns, err := features.Columns("history")
	if err != nil {
		return false // there is no such family, and so nothing to read
	}
	for _, part := range model.Parts() {
		gains := part.Ensemble.Importance()
		for k, f := range part.Ensemble.Features {
			if gains[k] > 0 && slices.Contains(columns, f.Name) {
				return true
			}
		}
	}
	return false
}
