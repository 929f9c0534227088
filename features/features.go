// Package features computes what is known of a mutant without running it: one
// row of numbers a mutant.
//
// The features are those of FaRM (dissertation, table 6.1) and more of the same
// kind. A Family is a value in a small file of its own, listed in all.go; its
// columns are the same for every program. Models read columns by name and keep
// a hash of their definitions, so that columns can be added. docs/features.md is
// written from these values.
//
// Three things are left out on purpose. No feature comes from a name of the
// user or of the compiler (Mart learnt from the labels of its training
// programs). Nothing is scaled by program: a column means the same everywhere.
// And nothing is known here of tests or kills.
//
// Dependences are counted in mutants, as in the paper. Mutants of one site share
// theirs, and a site's are found by walking from the instructions it touches to
// others and from these to the sites that touch them, never from mutant to
// mutant, so that time is near-linear in sites. The columns marked Layout
// depend on how the source is laid out or on the rest of the program; all
// others depend on the mutant and on its function alone.
package features

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// Column describes one feature.
type Column struct {
	// Name is unique among all columns.
	Name string
	// Doc is one sentence on what the value means.
	Doc string
	// Unit is the unit of the value; "" for truth values, which are 0 and 1.
	Unit string
	// Source says where the feature comes from: the number of the feature in
	// table 6.1 of the dissertation ("FaRM 6"), or "own".
	Source string
	// Layout marks a value that depends on the layout of the source or on the
	// rest of the program.
	Layout bool
}

// Family is a group of features that are computed together.
type Family struct {
	// Name is one lower-case word.
	Name string
	// Doc says in a sentence what the family measures.
	Doc     string
	Columns []Column
	// PerSite fills the family's part of a row, which starts as zeros, with
	// what all mutants of a site share. PerMutant does so for one mutant, after
	// PerSite. At least one is set.
	PerSite   func(s *site, row []float64)
	PerMutant func(s *site, m *mutant.Mutant, row []float64)
}

// Validate returns an error unless the families are complete and no two
// families or columns share a name.
func Validate(families []Family) error {
	names, columns := map[string]bool{}, map[string]bool{"id": true}
	for _, f := range families {
		switch {
		case f.Name == "" || f.Doc == "":
			return fmt.Errorf("feature family %q lacks a name or a description", f.Name)
		case names[f.Name]:
			return fmt.Errorf("feature family %q occurs twice", f.Name)
		case len(f.Columns) == 0 || f.PerSite == nil && f.PerMutant == nil:
			return fmt.Errorf("feature family %q computes nothing", f.Name)
		}
		names[f.Name] = true
		for _, c := range f.Columns {
			switch {
			case c.Name == "" || c.Doc == "" || c.Source == "":
				return fmt.Errorf("feature %q of family %q lacks a name, a description or a source", c.Name, f.Name)
			case columns[c.Name]:
				return fmt.Errorf("feature %q occurs twice", c.Name)
			}
			columns[c.Name] = true
		}
	}
	return nil
}

// Schema returns the columns of every feature table: id, then the features.
func Schema() table.Schema {
	schema := table.Schema{{Name: "id", Type: table.String, Doc: "the mutant's id"}}
	for _, f := range All() {
		for _, c := range f.Columns {
			schema = append(schema, table.Column{Name: c.Name, Type: table.Float64, Doc: c.Doc, Unit: c.Unit})
		}
	}
	return schema
}

// ErrForeign is wrapped by Extract for a mutant that is not of the module.
var ErrForeign = errors.New("the mutant is not of this module")

// Extract computes the features of a module's mutants, one row a mutant in the
// order given. The module must be as mutant/operator left it: no schemata built
// in it. Dependences count the given mutants only, so a sample of a module's
// mutants has other features than all of them.
func Extract(m *ir.Module, mutants []mutant.Mutant) (*table.Table, error) {
	p, err := newProgram(m, mutants)
	if err != nil {
		return nil, fmt.Errorf("extract features: %w", err)
	}
	families := All()
	schema := Schema()
	ids := make([]string, len(mutants))
	columns := make([][]float64, len(schema)-1)
	for k := range columns {
		columns[k] = make([]float64, len(mutants))
	}
	for i := range mutants {
		ids[i] = mutants[i].ID
	}
	shared, row := make([]float64, len(columns)), make([]float64, len(columns))
	for _, s := range p.sites {
		clear(shared)
		fill(families, shared, func(f *Family, part []float64) {
			if f.PerSite != nil {
				f.PerSite(s, part)
			}
		})
		for _, i := range s.mutants {
			copy(row, shared)
			fill(families, row, func(f *Family, part []float64) {
				if f.PerMutant != nil {
					f.PerMutant(s, &mutants[i], part)
				}
			})
			for k, x := range row {
				columns[k][i] = x
			}
		}
	}
	all := []any{ids}
	for _, c := range columns {
		all = append(all, c)
	}
	return table.FromColumns(schema, all...)
}

// fill hands each family its part of a row.
func fill(families []Family, row []float64, compute func(*Family, []float64)) {
	from := 0
	for i := range families {
		to := from + len(families[i].Columns)
		compute(&families[i], row[from:to:to])
		from = to
	}
}
