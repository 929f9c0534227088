package program

import (
	"fmt"
	"os"
	"strings"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
)

// Features computes the static features of a program's mutants, one row a
// mutant in selector order. Mutants of copies (Unit.Copies) have none.
func Features(p *Program) (*table.Table, error) {
	var out *table.Table
	err := StreamFeatures(p, func(batch *table.Table) error {
		if out == nil {
			out = batch
			return nil
		}
		return out.AppendTable(batch)
	})
	return out, err
}

// StreamFeatures hands over the rows of all units in batches.
func StreamFeatures(p *Program, yield func(*table.Table) error) error {
	for _, u := range p.WithoutCopies().Units {
		if err := features.Stream(u.Module, u.Mutants, yield, p.featureOptions(u)...); err != nil {
			return fmt.Errorf("features of %s: %w", u.Input.Path, err)
		}
	}
	return nil
}

// featureOptions are how the features of a unit are computed. What a bug of winnow makes
// missing is noted.
func (p *Program) featureOptions(u *Unit) []features.Option {
	return []features.Option{features.WithSource(u.Source), features.WithAges(p.ages), features.WithWorkers(p.workers),
		features.WithMishaps(func(m features.Mishap) {
			p.warn(fmt.Sprintf("%s: %v", paths.Relative("", u.Input.Path), m))
		})}
}

// WriteFeatures writes the named features of a program's mutants to a file,
// batch by batch, and returns how many mutants there are.
func WriteFeatures(p *Program, path string, columns []string) (rows int, err error) {
	names := append([]string{"id"}, columns...)
	var schema table.Schema
	for _, name := range names {
		at := features.Schema().Index(name)
		if at < 0 {
			return 0, exit.New(exit.Usage, fmt.Errorf("feature %s needs tests to be run", name), "name static features")
		}
		schema = append(schema, features.Schema()[at])
	}
	w, err := table.Create(path, schema, nil)
	if err != nil {
		return 0, err
	}
	err = StreamFeatures(p, func(batch *table.Table) error {
		rows += batch.Rows()
		selected, err := batch.Select(names...)
		if err != nil {
			return err
		}
		return w.Write(selected)
	})
	if err != nil {
		w.Abort()
		return 0, err
	}
	return rows, w.Commit()
}

// ExplainFeatures lists the features of one mutant, by family.
func ExplainFeatures(p *Program, id string) (*report.Explanation, error) {
	for _, u := range p.Units {
		for i := range u.Mutants {
			if m := &u.Mutants[i]; m.ID == id {
				return explain(p, u, m, i)
			}
		}
	}
	return nil, exit.New(exit.Usage, fmt.Errorf("no mutant has the id %s", id), "winnow rank and winnow mutate list the ids")
}

func explain(p *Program, u *Unit, m *mutant.Mutant, at int) (*report.Explanation, error) {
	out := &report.Explanation{ID: m.ID, File: paths.Relative("", m.File), Line: m.Line, Function: m.Function, Type: m.Type(),
		Original: m.Original, Replacement: m.Replacement, Text: lineOf(m.File, m.Line)}
	first := 0
	err := features.Stream(u.Module, u.Mutants, func(batch *table.Table) error {
		row := at - first
		first += batch.Rows()
		if row < 0 || row >= batch.Rows() {
			return nil
		}
		for _, f := range features.All() {
			family := report.ExplainedFamily{Name: f.Name}
			for _, c := range f.Columns {
				if k := batch.Schema().Index(c.Name); k >= 0 {
					family.Features = append(family.Features, report.ExplainedFeature{Name: c.Name, Unit: c.Unit, Doc: c.Doc, Value: batch.Value(row, k).(float64)})
				}
			}
			if len(family.Features) > 0 {
				out.Families = append(out.Families, family)
			}
		}
		return nil
	}, p.featureOptions(u)...)
	return out, err
}

// lineOf is a line of a file, "" where it cannot be read.
func lineOf(file string, line int) string {
	text, err := os.ReadFile(file)
	lines := strings.Split(string(text), "\n")
	if err != nil || line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}
