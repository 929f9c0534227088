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
// original program tells, and is computed apart, from what was observed (Observe).
//
// What is not known is NaN, never 0: a distance where nothing is reached, all of
// a family's columns where what it reads (a C source, a run) was not given.
// Kinds that a list of columns does not know leave the whole list 0.
//
// # What a family is
//
// A family names its columns and the analyses that it reads (Requires), and has
// functions for what they are computed from: a site, a mutant, or the whole
// program. It keeps nothing between two calls and knows of no other family where
// its columns are. What families share, or is worth keeping, is an analysis
// (analysis.go): of the program, of a function, of a site or of a mutant.
//
// The driver (stream.go) owns all else. It finds the sites of the mutants, function
// by function, computes what the families require of the whole program, and then
// goes through the functions with several workers. A function and what analyses
// found of it belong to one worker, and are dropped when its rows are written. Rows
// are handed over in the order of the mutants, a few thousand at a time, so that
// memory does not grow with their number.
//
// Dependences are counted in mutants, as in the paper. Mutants of one site share
// theirs, and a site's are found by walking from the instructions it touches to
// others and from these to the sites that touch them, never from mutant to
// mutant, so that time is near-linear in sites. Columns depend on the mutant and on
// its function alone, unless they say on what else (Beyond): metamorphic tests change all
// that a column does not name, and expect the same values.
package features

import (
	"fmt"
	"strings"
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
	// Beyond says on what the value depends besides the mutant and its function.
	Beyond Beyond
}

// The units of values that measure nothing, and that no model learns from.
const (
	// UnitSet is that of a set of numbers from 0, as the number with these binary digits.
	UnitSet = "set"
	// UnitKind is that of a number that is the same for what is of one kind.
	UnitKind = "kind"
)

// Measures reports a column whose values are larger where there is more of something.
func (c *Column) Measures() bool { return c.Unit != UnitSet && c.Unit != UnitKind }

// Beyond is what a value depends on besides the mutant and its function: none or some
// of the constants.
type Beyond uint8

// What columns depend on.
const (
	Lines   Beyond = 1 << iota // how the source is laid out in lines
	Order                      // the order of the module's functions
	Others                     // the other functions and their mutants, whatever they are
	Calls                      // the functions that its function calls, or that lead to it, and their mutants
	History                    // what version control knows
	Tests                      // what the original program does on tests
)

var beyondNames = []string{"lines", "order", "others", "calls", "history", "tests"}

// String names what is there, as the manual does.
func (b Beyond) String() string {
	var names []string
	for k, name := range beyondNames {
		if b>>k&1 == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Family is a group of features that are computed together. Its functions fill
// their part of a row, which starts as zeros.
type Family struct {
	// Name is one lower-case word.
	Name string
	// Doc says in a sentence what the family measures.
	Doc     string
	Columns []Column
	// Requires are the analyses that the family reads; those that they are made of
	// come with them. To read another one is a mistake, and panics.
	Requires []Requirement
	// PerSite fills what all mutants of a site share.
	PerSite func(s *site, row []float64)
	// PerMutant fills what is the mutant's own, after PerSite.
	PerMutant func(m *mutation, row []float64)
	// PerProgram fills what takes all mutants of the program together, when all
	// sweeps are done (see sweep); only it may read them.
	PerProgram func(m *mutation, row []float64)
	// FromTests fills every mutant's part from what runs of the original program on
	// tests told. A family with it has none of the others, and requires nothing.
	FromTests func(o *observed, row func(m int) []float64)
}

// Dynamic reports a family that needs tests to be run. Its columns are in a table only
// where they are asked for.
func (f *Family) Dynamic() bool { return f.FromTests != nil }

func (f *Family) static() bool {
	return f.PerSite != nil || f.PerMutant != nil || f.PerProgram != nil
}

// Validate returns an error unless the families are complete and no two
// families or columns share a name.
func Validate(families []Family) error {
	names, columns := map[string]bool{}, map[string]bool{"id": true}
	for i := range families {
		f := &families[i]
		if err := f.validate(); err != nil {
			return err
		}
		if names[f.Name] {
			return fmt.Errorf("feature family %q occurs twice", f.Name)
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

func (f *Family) validate() error {
	switch {
	case f.Name == "" || f.Doc == "":
		return fmt.Errorf("feature family %q lacks a name or a description", f.Name)
	case len(f.Columns) == 0 || !f.Dynamic() && !f.static():
		return fmt.Errorf("feature family %q computes nothing", f.Name)
	case f.Dynamic() && (f.static() || len(f.Requires) > 0):
		return fmt.Errorf("feature family %q is computed with and without tests", f.Name)
	}
	return nil
}
