package criterion

import (
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
)

// Statement is statement coverage, of the statements that hold a mutant: reach
// is recorded by mutant, and a statement is covered when one of its mutants is
// reached. Statements that nothing mutates are not seen.
var Statement = Criterion{
	Name: "statement",
	Doc:  "the statements that hold a mutant, covered by the tests that reach one of its mutants",
	Elements: func(s *subject.Subject) ([]matrix.Bits, error) {
		if s.Reached == nil {
			return nil, notRecorded(s, "what tests reach is", "record the history again with this version of winnow")
		}
		type place struct {
			file      string
			statement int
		}
		number := map[place]int{}
		var out []matrix.Bits
		for m, reached := range s.Reached {
			at := place{s.Mutants[m].File, s.Mutants[m].Statement}
			n, known := number[at]
			if !known {
				n = len(out)
				number[at] = n
				out = append(out, matrix.NewBits(s.Tests()))
			}
			out[n].Or(reached)
		}
		return out, nil
	},
}

// Branch is branch coverage: of the two sides of every conditional jump, and the ways
// of every switch, in the compiler's unoptimised code, in all functions of the mutated
// files.
var Branch = Criterion{
	Name: "branch",
	Doc:  "the sides of the conditional branches, covered by the tests that take them",
	Elements: func(s *subject.Subject) ([]matrix.Bits, error) {
		if s.Branches == nil {
			return nil, notRecorded(s, "which branches tests take is", "an import of what the study of criteria reads records it")
		}
		return s.Branches, nil
	},
}

// Weak is weak mutation (Howden, "Weak mutation testing and completeness of test
// sets", TSE 1982): a mutant is weakly killed by the tests that infect it.
var Weak = Criterion{
	Name: "weak mutation",
	Doc:  "the mutants, covered by the tests on which they compute another value than the original",
	Elements: func(s *subject.Subject) ([]matrix.Bits, error) {
		if s.Infected == nil {
			return nil, notRecorded(s, "which tests infect mutants is", "the history needs infections (docs/formats/cover.md)")
		}
		return s.Infected, nil
	},
}

// Strong is strong mutation: a mutant is killed by the tests on which the
// program's output differs.
var Strong = Criterion{
	Name:     "strong mutation",
	Doc:      "the mutants, covered by the tests that kill them",
	Elements: func(s *subject.Subject) ([]matrix.Bits, error) { return s.Kills, nil },
}
