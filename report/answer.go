package report

import (
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/internal/number"
)

// Answer is a study's answer.
type Answer struct {
	Study    string `json:"study"`
	Title    string `json:"title"`
	Question string `json:"question"`
	Source   string `json:"source"`
	Sample   Sample `json:"sample"`
	// Tables and Figures are in the order in which to read them.
	Tables  []Table  `json:"tables"`
	Figures []Figure `json:"figures,omitempty"`
	// Missing says, a sentence each, what the history does not let one answer
	// and what would.
	Missing []string `json:"missing,omitempty"`
	// Notes say how numbers were made and what they do not show.
	Notes []string `json:"notes,omitempty"`
}

// Sample is what the answer rests on.
type Sample struct {
	Faults      int    `json:"faults"`
	Problems    int    `json:"problems"`
	Mutants     int    `json:"mutants"`
	Tests       int    `json:"tests"` // of all pools together
	Folds       int    `json:"folds"`
	Grouped     string `json:"grouped"` // what a fold never splits
	Repetitions int    `json:"repetitions"`
	Seed        uint64 `json:"seed"`
	// Skipped is the number of run folders that lack a table.
	Skipped int `json:"skipped"`
}

// Origin says where numbers are from. Readers are always shown it: a number
// that was predicted or printed elsewhere is never taken for one measured here.
type Origin string

// The origins. Measured is computed from runs recorded in the history, figures
// on how good predictions were included. Predicted is a model's guess. Published
// is printed in the source that the study names.
const (
	Measured  Origin = "measured"
	Predicted Origin = "predicted"
	Published Origin = "published"
)

// Format is how a column's numbers are written.
type Format string

// The formats.
const (
	Plain  Format = ""
	Signed Format = "signed" // a plus before what is larger than zero
	PValue Format = "p"      // a bound for the smallest
)

// Column is one column of numbers of a table.
type Column struct {
	Name   string `json:"name"`
	Origin Origin `json:"origin"`
	// Decimals is the number of decimals in text; data files hold all digits.
	Decimals int    `json:"decimals"`
	Format   Format `json:"format,omitempty"`
}

// Row is one row of a table: the texts that name it, then a number for each
// column, NaN where there is none.
type Row struct {
	Keys   []string       `json:"keys"`
	Values []number.Float `json:"values"`
}

// Table is numbers with names.
type Table struct {
	// Name is a file name's part: lower case, words joined by hyphens.
	Name  string `json:"name"`
	Title string `json:"title"`
	// Keys names the rows' texts.
	Keys    []string `json:"keys"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Add appends a row.
func (t *Table) Add(keys []string, values ...number.Float) {
	t.Rows = append(t.Rows, Row{Keys: keys, Values: values})
}

// Kind is what a figure looks like.
type Kind string

// The kinds of figures: lines through points, groups of bars side by side, and
// boxes with whiskers over distributions.
const (
	Lines Kind = "lines"
	Bars  Kind = "bars"
	Boxes Kind = "boxes"
)

// Figure is a drawing as data.
type Figure struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	X     string `json:"x"`
	Y     string `json:"y"`
	Kind  Kind   `json:"kind"`
	// Labels name the places of Bars, or the boxes.
	Labels []string `json:"labels,omitempty"`
	Series []Series `json:"series"`
}

// Series is one line, one colour of bars, or one box (its Y are the values).
// Lines have as many X as Y, Bars as many Y as the figure has labels.
type Series struct {
	Name   string         `json:"name"`
	Origin Origin         `json:"origin"`
	X      []number.Float `json:"x,omitempty"`
	Y      []number.Float `json:"y"`
}

// Validate reports results that do not fit together or hide where a number is
// from.
func (r *Answer) Validate() error {
	seen := map[string]bool{}
	name := func(kind, name, title string) error {
		switch {
		case name == "" || title == "" || name != strings.ToLower(name) || strings.ContainsAny(name, " /."):
			return fmt.Errorf("%s %q: want a lower-case name of letters and hyphens, and a title", kind, name)
		case seen[kind+name]:
			return fmt.Errorf("%s %q occurs twice", kind, name)
		}
		seen[kind+name] = true
		return nil
	}
	for _, t := range r.Tables {
		if err := name("table", t.Name, t.Title); err != nil {
			return err
		}
		if err := t.validate(); err != nil {
			return err
		}
	}
	for _, f := range r.Figures {
		if err := name("figure", f.Name, f.Title); err != nil {
			return err
		}
		if err := f.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (o Origin) known() bool { return o == Measured || o == Predicted || o == Published }

func (t *Table) validate() error {
	names := map[string]bool{}
	for _, key := range t.Keys {
		names[string(Measured)+key] = true
	}
	for _, c := range t.Columns {
		if c.Name == "" || !c.Origin.known() || names[string(c.Origin)+c.Name] {
			return fmt.Errorf("table %s: column %q lacks a name or an origin, or occurs twice", t.Name, c.Name)
		}
		names[string(c.Origin)+c.Name] = true
	}
	for i, row := range t.Rows {
		if len(row.Keys) != len(t.Keys) || len(row.Values) != len(t.Columns) {
			return fmt.Errorf("table %s: row %d has %d texts and %d numbers for %d and %d columns", t.Name, i, len(row.Keys), len(row.Values), len(t.Keys), len(t.Columns))
		}
	}
	return nil
}

func (f *Figure) validate() error {
	for _, s := range f.Series {
		switch {
		case s.Name == "" || !s.Origin.known():
			return fmt.Errorf("figure %s: series %q lacks a name or an origin", f.Name, s.Name)
		case f.Kind == Lines && len(s.X) != len(s.Y):
			return fmt.Errorf("figure %s: series %s has %d points on one axis and %d on the other", f.Name, s.Name, len(s.X), len(s.Y))
		case f.Kind == Bars && len(s.Y) != len(f.Labels):
			return fmt.Errorf("figure %s: series %s has %d bars for %d labels", f.Name, s.Name, len(s.Y), len(f.Labels))
		case f.Kind != Lines && f.Kind != Bars && f.Kind != Boxes:
			return fmt.Errorf("figure %s: no such kind: %q", f.Name, f.Kind)
		}
	}
	return nil
}
