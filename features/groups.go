package features

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// Group is a named set of columns, to train and compare models on.
type Group struct {
	Name, Doc string
	has       func(*Family, *Column) bool
}

// Groups returns the groups that are not single families: farm, static, dynamic
// and all.
func Groups() []Group {
	return []Group{
		{"farm", "the 28 features of FaRM as published (table 6.1), numbers as they are, kinds as 0 and 1, bags as sums",
			func(_ *Family, c *Column) bool { return strings.HasPrefix(c.Source, "FaRM ") }},
		{"static", "all that is measured without running anything",
			func(f *Family, c *Column) bool { return !f.Dynamic() && c.Measures() }},
		{"local", "the static columns that depend on the mutant and its function alone",
			func(f *Family, c *Column) bool { return !f.Dynamic() && c.Beyond == 0 }},
		{"dynamic", "what a run of the original program on tests tells",
			func(f *Family, _ *Column) bool { return f.Dynamic() }},
		{"all", "static and dynamic", func(_ *Family, c *Column) bool { return c.Measures() }},
	}
}

// Columns returns the names of the columns of a group, or of a family, in the
// order of a table. Several names, joined by +, give the union; a name after a -
// takes its columns away: "static-syntax", "farm+infection".
func Columns(expression string) ([]string, error) {
	chosen := map[string]bool{}
	rest, keep := expression, true
	for {
		at := strings.IndexAny(rest, "+-")
		name := rest
		if at >= 0 {
			name = rest[:at]
		}
		names, err := columnsOf(name)
		if err != nil {
			return nil, err
		}
		for _, c := range names {
			chosen[c] = keep
		}
		if at < 0 {
			break
		}
		keep, rest = rest[at] == '+', rest[at+1:]
	}
	var out []string
	for _, f := range All() {
		for _, c := range f.Columns {
			if chosen[c.Name] {
				out = append(out, c.Name)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("features %q: no column is left", expression)
	}
	return out, nil
}

func columnsOf(name string) ([]string, error) {
	groups, families := Groups(), All()
	has := func(f *Family, _ *Column) bool { return f.Name == name }
	var known []string
	for i := range groups {
		if groups[i].Name == name {
			has = groups[i].has
		}
		known = append(known, groups[i].Name)
	}
	var out []string
	for i := range families {
		for k := range families[i].Columns {
			if has(&families[i], &families[i].Columns[k]) {
				out = append(out, families[i].Columns[k].Name)
			}
		}
		known = append(known, families[i].Name)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no feature group or family %q: there are %s", name, strings.Join(known, ", "))
	}
	return out, nil
}

// Schema returns the columns of a feature table: id, then the static features.
func Schema() table.Schema { return schemaOf(staticFamilies()) }

// FullSchema is Schema with the dynamic features after the static ones.
func FullSchema() table.Schema { return schemaOf(All()) }

// Learnt are the names of the static columns that models learn from.
func Learnt() []string {
	var out []string
	for _, f := range staticFamilies() {
		for i := range f.Columns {
			if f.Columns[i].Measures() {
				out = append(out, f.Columns[i].Name)
			}
		}
	}
	return out
}

func staticFamilies() []Family {
	return slices.DeleteFunc(All(), func(f Family) bool { return f.Dynamic() })
}

func dynamicFamilies() []Family {
	return slices.DeleteFunc(All(), func(f Family) bool { return !f.Dynamic() })
}

// widthOf is how many columns families have.
func widthOf(families []Family) (columns int) {
	for i := range families {
		columns += len(families[i].Columns)
	}
	return columns
}

func schemaOf(families []Family) table.Schema {
	schema := table.Schema{{Name: "id", Type: table.String, Doc: "the mutant's id"}}
	for _, f := range families {
		for _, c := range f.Columns {
			schema = append(schema, table.Column{Name: c.Name, Type: table.Float64, Doc: c.Doc, Unit: c.Unit})
		}
	}
	return schema
}
