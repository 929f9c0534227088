package rank

import (
	"math"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// OfProgram makes a source of a program that was just loaded. observe runs its tests; nil
// says that there are none.
func OfProgram(p *program.Program, observe func() (*Observed, error)) Source {
	return &compiled{p, p.Mutants(), observe}
}

// compiled is the mutants of a program.
type compiled struct {
	program *program.Program
	mutants []mutant.Mutant
	observe func() (*Observed, error)
}

func (c *compiled) Head() (report.Ranking, error) {
	p := c.program
	return report.Ranking{Program: p.Name, Skipped: p.Skipped(), Notes: p.Notes(), LeftOut: report.LeftOut{
		Equivalent: p.Count(equiv.Equivalent), Duplicate: p.Count(equiv.Duplicate), Invalid: p.Count(equiv.Invalid), Undefined: p.Count(equiv.Undefined), Suppressed: len(p.Suppressed)}}, nil
}

func (c *compiled) Scores() []predict.Score {
	out := make([]predict.Score, len(c.mutants))
	for i := range c.mutants {
		m := &c.mutants[i]
		out[i] = predict.Score{ID: m.ID, Selector: m.Selector, Fault: math.NaN(), Kill: math.NaN(),
			Statement: m.Site.Statement, File: m.File, Function: m.Function, Line: m.Line, Operator: m.Operator, Matcher: m.Matcher, Replacer: m.Replacer}
	}
	return out
}

func (c *compiled) Mutant(place int) report.Ranked {
	m := &c.mutants[place]
	return report.Ranked{ID: m.ID, File: paths.Relative("", m.File), Line: m.Line, Column: m.Column, Function: m.Function,
		Operator: m.Operator, Type: m.Type(), Original: m.Original, Replacement: m.Replacement,
		Undefined: c.program.Undefined[m.ID].String()}
}

func (c *compiled) Warnings() []string                { return c.program.Warnings }
func (c *compiled) Tested() bool                      { return c.observe != nil }
func (c *compiled) Observe() (*Observed, error)       { return c.observe() }
func (c *compiled) Kills() (*kill.Matrix, error)      { return nil, nil }
func (c *compiled) Proofs() (*dataset.Subject, error) { return &dataset.Subject{}, nil }
func (c *compiled) Features() (Features, error)       { return &computed{program: c.program}, nil }

// computed are the features of a program, all in memory from when they are first read.
type computed struct {
	program *program.Program
	batches []*table.Table
}

func (c *computed) Schema() table.Schema { return features.Schema() }
func (c *computed) Close() error         { return nil }

func (c *computed) Groups(columns ...string) (Groups, error) {
	if c.batches == nil {
		err := program.StreamFeatures(c.program, func(batch *table.Table) error {
			c.batches = append(c.batches, batch)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return &selected{c.batches, columns}, nil
}

// selected are some columns of tables in memory.
type selected struct {
	batches []*table.Table
	columns []string
}

func (s *selected) Len() int           { return len(s.batches) }
func (s *selected) Rows(group int) int { return s.batches[group].Rows() }

func (s *selected) Read(group int) (*table.Table, error) {
	return s.batches[group].Select(s.columns...)
}
