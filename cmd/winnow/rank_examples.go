package main

import (
	"context"
	"io"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// mostExamples bounds the mutants that have examples, from the first: who reads more
// does not read them all.
const mostExamples = 100

// examples are of the code that is ranked, or else of the project whose tests were run, which is
// compiled again; nil where there is no code.
func (s *suiteRun) examples(ctx context.Context, code *program.Program) (*program.Examples, error) {
	var tests []variation.Test
	if code == nil {
		var err error
		if code, tests, err = s.code(ctx); code == nil {
			return nil, err
		}
	}
	return program.NewExamples(code, tests), nil
}

// exemplify says in a ranking what tells its first mutants from the original.
func exemplify(ctx context.Context, e *program.Examples, ranking *report.Ranking) error {
	first := ranking.Mutants[:min(mostExamples, len(ranking.Mutants))]
	found, err := e.Inputs(ctx, idsOf(first, nil))
	if err != nil {
		return err
	}
	calls, err := e.Calls(ctx, idsOf(first, found))
	for i := range first {
		m := &first[i]
		if m.Example = found[m.ID]; m.Example == nil {
			m.Example = calls[m.ID]
		}
		m.NotReached = m.NotTold && !e.Reached(m.ID)
	}
	return err
}

// idsOf are the ids of mutants that are not known.
func idsOf(mutants []report.Ranked, known map[string]*report.Example) (out []string) {
	for i := range mutants {
		if id := mutants[i].ID; known[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// code compiles the project whose tests were run, and reads the inputs of
// its tests, where these run the program alone; nil where none were run.
func (s *suiteRun) code(ctx context.Context) (*program.Program, []variation.Test, error) {
	if s.of == nil {
		return nil, nil, nil
	}
	src, err := s.of.open(ctx, io.Discard)
	if err != nil {
		return nil, nil, err
	}
	src.Mutation.Unjudged = true
	p, err := src.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	tests, err := verdict.GivenBy(s.tests)
	return p, tests, err
}
