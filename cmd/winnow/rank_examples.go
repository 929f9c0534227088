package main

import (
	"context"

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
	var ids []string
	for i := range first {
		ids = append(ids, first[i].ID)
	}
	var tests [][]byte
	if code == nil {
		var err error
		if code, tests, err = s.code(ctx, ids); code == nil {
			return err
		}
	}
	found, err := program.Examples(ctx, code, ids, tests)
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
func (s *suiteRun) code(ctx context.Context, ids []string) (*program.Program, [][]byte, error) {
	if s.of == nil {
		return nil, nil, nil
	}
	src, err := s.of.open()
	if err != nil {
		return nil, nil, err
	}
	only := make(map[string]bool, len(ids))
	for _, id := range ids {
		only[id] = true
	}
	src.Mutation.Only, src.Mutation.Unjudged = only, true
	p, err := src.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	var tests [][]byte
	for i := range s.tests {
		if t := &s.tests[i]; len(t.Args)+len(t.Files) == 0 {
			text, err := t.ReadInput()
			if err != nil {
				return nil, nil, err
			}
			tests = append(tests, text)
		}
	}
	return p, tests, nil
}
