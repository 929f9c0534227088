// Package features computes what is known of a mutant without running it: one
// row of numbers a mutant.
//
// The features are those of FaRM (dissertation, table 6.1) and more of the same
// kind. A Family is a value in a small file of its own, listed in all.go; its
// columns are the same for every program. Models read columns by name and keep
// a hash of their definitions, so that columns can be added. docs/features.md is
// written from these values.
//
// Two things are left out on purpose. No feature comes from a name of the user
// or of the compiler (Mart learnt from the labels of its training programs). And
// nothing is known here of kills: the group "dynamic" holds what a run of the
// original program tells, and is off unless it is asked for.
//
// What is not known is NaN, never 0: a distance where nothing is reached, all of
// a family's columns where what it reads (a C source, a run) was not given.
// Kinds that a list of columns does not know leave the whole list 0.
//
// Dependences are counted in mutants, as in the paper. Mutants of one site share
// theirs, and a site's are found by walking from the instructions it touches to
// others and from these to the sites that touch them, never from mutant to
// mutant, so that time is near-linear in sites. The columns marked Layout
// depend on how the source is laid out or on the rest of the program; all
// others depend on the mutant and on its function alone.
package features

import (
	"fmt"

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
	// PerSite.
	PerSite   func(s *site, row []float64)
	PerMutant func(s *site, m *mutant.Mutant, row []float64)
	// FromRow fills the family's part from what PerSite of all families left in
	// a row.
	FromRow func(s *site, row, part []float64)
	// Tests fills the family's part of every mutant's row from what runs of the original
	// program on tests told. A family with it has none of the others.
	Tests func(o *observed, row func(m int) []float64)
}

// Dynamic reports a family that needs tests to be run. Its columns are in a table only
// where they are asked for.
func (f *Family) Dynamic() bool { return f.Tests != nil }

func (f *Family) static() bool { return f.PerSite != nil || f.PerMutant != nil || f.FromRow != nil }

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
		case len(f.Columns) == 0 || !f.Dynamic() && !f.static():
			return fmt.Errorf("feature family %q computes nothing", f.Name)
		case f.Dynamic() && f.static():
			return fmt.Errorf("feature family %q is computed with and without tests", f.Name)
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
