package main

import (
	"context"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// mostExamples bounds the mutants that examples are looked for, from the first: who reads more
// does not read them all.
const mostExamples = 100

// exemplify says of the first mutants of a ranking what tells them from the original, where the code
// is at hand: nil is code that is compiled again, of the project whose tests were run.
func (s *suiteRun) exemplify(ctx context.Context, code *program.Program, ranking *report.Ranking) error {
	first := ranking.Mutants[:min(mostExamples, len(ranking.Mutants))]
	wanted := make(map[string]bool, len(first))
	for i := range first {
		wanted[first[i].ID] = true
	}
	var tests [][]byte
	if code == nil {
		var err error
		if code, tests, err = s.code(ctx, wanted); code == nil {
			return err
		}
	}
	found, err := program.Examples(ctx, code, wanted, tests)
	if err != nil {
		return err
	}
	for i := range first {
		first[i].Example = found[first[i].ID]
	}
	return nil
}

// code compiles the project whose tests were run, for some of its mutants, and reads the inputs of
// its tests; nil where none were run, or where the build is the project's own.
func (s *suiteRun) code(ctx context.Context, wanted map[string]bool) (*program.Program, [][]byte, error) {
	if s.of == nil {
		return nil, nil, nil
	}
	src, err := s.of.open()
	if err != nil {
		return nil, nil, err
	}
	src.Mutation.Only, src.Mutation.Unjudged = wanted, true
	p, err := src.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	tests, err := execute.Inputs(s.tests)
	return p, tests, err
}
