package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// exportedFirst are the columns of an export that say which mutant a row is of and what the
// tests did with it; those of MutantsSchema between, and labels and features after them.
func exportedFirst() table.Schema {
	return table.Schema{
		{Name: "program", Type: table.String, Doc: "the program"},
		{Name: "fault", Type: table.String, Doc: "the fault of the version that was mutated; empty where none is known"},
		{Name: "problem", Type: table.String, Doc: "programs of one problem resemble each other: keep them in one fold"},
	}
}

func exportedVerdicts() table.Schema {
	return table.Schema{
		{Name: "verdict", Type: table.String, Doc: "killed, survived or unknown; empty of a mutant that was not run"},
		{Name: "tests", Type: table.Int64, Doc: "how many tests there are"},
		{Name: "killing", Type: table.Int64, Doc: "how many of them kill it"},
		{Name: "reaching", Type: table.Int64, Doc: "how many of them execute its place"},
	}
}

// Export is the mutants of all runs as one table: a row a mutant, with what the tests did
// with it, a column for each label (label_NAME, NaN where the evidence does not settle it),
// and those of the features that are named.
func (h *History) Export(ctx context.Context, features []string) (*table.Table, error) {
	schema, err := h.exportSchema(features)
	if err != nil {
		return nil, err
	}
	all, err := table.New(schema)
	if err != nil {
		return nil, err
	}
	for i := range h.Runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files := []string{MutantsFile}
		for _, name := range []string{KillsFile, FaultsFile, FeaturesFile} {
			if h.Runs[i].Has(name) && (name != FeaturesFile || len(features) > 0) {
				files = append(files, name)
			}
		}
		s, err := h.Runs[i].Load(files...)
		if err != nil {
			return nil, err
		}
		part, err := s.exported(schema, features)
		if err != nil {
			return nil, fmt.Errorf("exporting %s: %w", s.Manifest.Name(), err)
		}
		if err := all.AppendTable(part); err != nil {
			return nil, fmt.Errorf("exporting %s: %w", s.Manifest.Name(), err)
		}
	}
	return all, nil
}

func (h *History) exportSchema(features []string) (table.Schema, error) {
	schema := slices.Concat(exportedFirst(), MutantsSchema(), exportedVerdicts())
	for _, l := range Labels() {
		schema = append(schema, table.Column{Name: "label_" + l.Name, Type: table.Float64, Doc: l.Doc})
	}
	if len(features) == 0 {
		return schema, nil
	}
	known, err := h.featureColumns()
	if err != nil {
		return nil, err
	}
	for _, name := range features {
		at := known.Index(name)
		if at < 0 || name == "id" {
			return nil, &NoFeature{name}
		}
		schema = append(schema, table.Column{Name: name, Type: table.Float64, Doc: known[at].Doc, Unit: known[at].Unit})
	}
	return schema, nil
}

// NoFeature is the error of a feature that a history has not got.
type NoFeature struct{ Name string }

func (e *NoFeature) Error() string { return fmt.Sprintf("the history has no feature %q", e.Name) }

// FeatureNames are the names of the features of the history's runs; none where none has any.
func (h *History) FeatureNames() ([]string, error) {
	schema, err := h.featureColumns()
	if err != nil || len(schema) == 0 {
		return nil, err
	}
	return schema.Names()[1:], nil
}

func (h *History) featureColumns() (table.Schema, error) {
	for i := range h.Runs {
		if h.Runs[i].Has(FeaturesFile) {
			r, err := table.Open(h.Runs[i].path(FeaturesFile))
			if err != nil {
				return nil, err
			}
			defer r.Close()
			return r.Schema(), nil
		}
	}
	return nil, nil
}

// exported is a subject's part of an export.
func (s *Subject) exported(schema table.Schema, features []string) (*table.Table, error) {
	n := s.Mutants.Rows()
	columns := []any{repeated(s.Manifest.Program, n), repeated(s.Manifest.Fault, n), repeated(s.Manifest.Group(), n)}
	for c := range MutantsSchema() {
		column, err := columnOf(s.Mutants, c)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	ids, err := s.Mutants.Strings("id")
	if err != nil {
		return nil, err
	}
	columns = append(columns, s.verdicts(ids)...)
	labels, err := s.labels(ids)
	if err != nil {
		return nil, err
	}
	for _, column := range labels {
		columns = append(columns, column)
	}
	for _, name := range features {
		column, err := s.feature(name, ids)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return table.FromColumns(schema, columns...)
}

func repeated(text string, n int) []string { return slices.Repeat([]string{text}, n) }

// columnOf is a column of a table, of its own type.
func columnOf(t *table.Table, at int) (any, error) {
	switch c := t.Schema()[at]; c.Type {
	case table.String:
		return t.Strings(c.Name)
	case table.Int64:
		return t.Ints(c.Name)
	case table.Bool:
		return t.Bools(c.Name)
	default:
		return t.Floats(c.Name)
	}
}

// rows are the places of ids.
func rows(ids []string) map[string]int {
	out := make(map[string]int, len(ids))
	for i, id := range ids {
		out[id] = i
	}
	return out
}

// verdicts are the columns of exportedVerdicts.
func (s *Subject) verdicts(ids []string) []any {
	verdict, tests, killing, reaching := make([]string, len(ids)), make([]int64, len(ids)), make([]int64, len(ids)), make([]int64, len(ids))
	if s.Kills != nil {
		at := rows(ids)
		names := map[matrix.Verdict]string{matrix.Killed: "killed", matrix.Survived: "survived", matrix.Unknown: "unknown"}
		for m, id := range s.Kills.Mutants() {
			if i, ok := at[id]; ok {
				verdict[i] = names[s.Kills.Verdict(m)]
				killing[i], reaching[i] = int64(s.Kills.Killed(m).Count()), int64(s.Kills.Reached(m).Count())
			}
		}
		for i := range tests {
			tests[i] = int64(len(s.Kills.Tests()))
		}
	}
	return []any{verdict, tests, killing, reaching}
}

// labels are a column for each label, NaN where there is no evidence.
func (s *Subject) labels(ids []string) ([][]float64, error) {
	var evidence *Evidence
	if s.Kills != nil {
		var err error
		if evidence, err = NewEvidence(s); err != nil {
			return nil, err
		}
	}
	at := rows(ids)
	var out [][]float64
	for _, l := range Labels() {
		column := slices.Repeat([]float64{math.NaN()}, len(ids))
		if evidence != nil && (evidence.faultKnown() || !slices.Contains(l.Requires, FaultsFile)) {
			for m, value := range l.Run(evidence) {
				if i, ok := at[evidence.Mutants[m]]; ok {
					column[i] = value.Target
				}
			}
		}
		out = append(out, column)
	}
	return out, nil
}

// feature is a column of the features, NaN where there are none.
func (s *Subject) feature(name string, ids []string) ([]float64, error) {
	if s.Features == nil {
		return slices.Repeat([]float64{math.NaN()}, len(ids)), nil
	}
	of, err := s.Features.Strings("id")
	if err != nil {
		return nil, err
	}
	values, err := s.Features.Numbers(name)
	if err != nil || slices.Equal(of, ids) {
		return values, err
	}
	column, at := slices.Repeat([]float64{math.NaN()}, len(ids)), rows(ids)
	for k, id := range of {
		if i, ok := at[id]; ok {
			column[i] = values[k]
		}
	}
	return column, nil
}
