package program

import (
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// MutantTable writes the mutants down, in selector order, files as seen from a
// folder, with their diffs by id.
func MutantTable(mutants []mutant.Mutant, folder string, diffs map[string]string) (*table.Table, error) {
	t, err := table.New(dataset.MutantsSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of mutants: %w", err)
	}
	for _, m := range mutants {
		err := t.Append(m.ID, int64(m.Selector), int64(m.Site.Ordinal), int64(m.Site.Statement), m.Operator, m.Matcher, m.Replacer, m.Rule,
			m.Function, paths.Relative(folder, m.File), int64(m.Line), int64(m.Column), m.Original, m.Replacement, m.IROnly, m.Artefact, diffs[m.ID])
		if err != nil {
			return nil, fmt.Errorf("making the table of mutants: %w", err)
		}
	}
	return t, nil
}
