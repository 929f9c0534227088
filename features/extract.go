package features

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// ErrForeign is wrapped by Extract for a mutant that is not of the module.
var ErrForeign = errors.New("the mutant is not of this module")

// Option gives Extract more to read.
type Option func(*inputs)

type inputs struct {
	source *csource.File
	ages   Ages
}

// WithSource gives the syntax tree of the module's C source; the columns that
// are read from it are missing without.
func WithSource(f *csource.File) Option {
	return func(in *inputs) { in.source = f }
}

// WithAges gives the history of lines, as version control has it; the columns
// that are read from it are missing without.
func WithAges(a Ages) Option { return func(in *inputs) { in.ages = a } }

// batchRows bounds the rows that Stream hands over at once.
const batchRows = 2048

// Extract computes the features of a module's mutants, one row a mutant in the
// order given. The module must be as mutant/operator left it: no schemata built
// in it. Dependences count the given mutants only, so a sample of a module's
// mutants has other features than all of them.
func Extract(m *ir.Module, mutants []mutant.Mutant, options ...Option) (*table.Table, error) {
	var out *table.Table
	err := Stream(m, mutants, func(batch *table.Table) error {
		if out == nil {
			out = batch
			return nil
		}
		return out.AppendTable(batch)
	}, options...)
	return out, err
}

// Stream is Extract for tables larger than memory: it hands the rows over in
// batches, in order. There is at least one batch, empty when there are no
// mutants.
func Stream(m *ir.Module, mutants []mutant.Mutant, yield func(*table.Table) error, options ...Option) error {
	var in inputs
	for _, o := range options {
		o(&in)
	}
	p, err := newProgram(m, mutants, in)
	if err != nil {
		return fmt.Errorf("extract features: %w", err)
	}
	families := staticFamilies()
	schema := schemaOf(families)
	p.extremes = p.findExtremes(families)
	e := &extraction{p: p, families: families, shared: make([]float64, len(schema)-1)}
	for from := 0; from == 0 || from < len(mutants); from += batchRows {
		batch, err := e.batch(schema, from, min(from+batchRows, len(mutants)))
		if err != nil {
			return err
		}
		if err := yield(batch); err != nil {
			return err
		}
	}
	return nil
}

// extraction computes rows; mutants of one site that follow each other share
// the work.
type extraction struct {
	p        *program
	families []Family
	site     *site // whose part is in shared
	shared   []float64
}

// blockRows are turned into columns at a time: rows that stay in the cache, and
// whole lines of the columns.
const blockRows = 16

func (e *extraction) batch(schema table.Schema, from, to int) (*table.Table, error) {
	ids := make([]string, to-from)
	width := len(e.shared)
	columns := make([][]float64, width)
	cells := make([]float64, width*len(ids))
	for k := range columns {
		columns[k] = cells[k*len(ids) : (k+1)*len(ids) : (k+1)*len(ids)]
	}
	block := make([]float64, blockRows*width)
	for at := 0; at < len(ids); at += blockRows {
		rows := min(blockRows, len(ids)-at)
		for r := range rows {
			ids[at+r] = e.p.mutants[from+at+r].ID
			e.compute(from+at+r, block[r*width:(r+1)*width])
		}
		for k, column := range columns {
			for r := range column[at : at+rows] {
				column[at+r] = block[r*width+k]
			}
		}
	}
	all := []any{ids}
	for _, c := range columns {
		all = append(all, c)
	}
	return table.FromColumns(schema, all...)
}

// compute fills the row of a mutant.
func (e *extraction) compute(i int, row []float64) {
	s := e.p.siteOf[i]
	if s != e.site {
		e.site = s
		clear(e.shared)
		fill(e.families, e.shared, func(f *Family, part []float64) {
			if f.PerSite != nil {
				f.PerSite(s, part)
			}
		})
		fill(e.families, e.shared, func(f *Family, part []float64) {
			if f.FromRow != nil {
				f.FromRow(s, e.shared, part)
			}
		})
	}
	copy(row, e.shared)
	fill(e.families, row, func(f *Family, part []float64) {
		if f.PerMutant != nil {
			f.PerMutant(s, &e.p.mutants[i], part)
		}
	})
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
