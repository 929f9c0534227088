package pipeline

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/lineage"
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
	for _, ensemble := range model.Ensembles() {
		gains := ensemble.Importance()
		for k, f := range ensemble.Features {
			if gains[k] > 0 && slices.Contains(columns, f.Name) {
				return true
			}
		}
	}
	return false
}

// agesOf reads what git knows of the files that the mutants are in. Files of
// which it knows nothing are passed over.
func agesOf(ctx context.Context, units []*Unit) (features.Ages, error) {
	files := map[string]*lineage.File{}
	for _, u := range units {
		for i := range u.Mutants {
			path := u.Mutants[i].File
			if _, seen := files[path]; seen {
				continue
			}
			files[path] = nil
			text, err := os.ReadFile(path)
			if err != nil {
				continue // compiled elsewhere: its lines have no history here
			}
			file, err := lineage.Read(ctx, path, bytes.Count(text, []byte("\n"))+1)
			if err != nil && !errors.Is(err, lineage.ErrNone) {
				return nil, err
			}
			files[path] = file
		}
	}
	return func(path string, line int) (days, commits float64, ok bool) {
		file := files[path]
		if file == nil {
			return 0, 0, false
		}
		return file.Line(line)
	}, nil
}
