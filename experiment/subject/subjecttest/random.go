// Package subjecttest makes up subjects for tests.
package subjecttest

import (
	"fmt"
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// Random makes a subject with scores that know nothing of the truth.
func Random(rng *rand.Rand, name string, mutants, tests int) subject.Subject {
	s := subject.Subject{Program: name, Problem: "p" + name[:1], Fault: "f", Reveals: matrix.NewBits(tests)}
	for test := range tests {
		if rng.IntN(8) == 0 {
			s.Reveals.Set(test)
		}
	}
	for m := range mutants {
		kill := matrix.NewBits(tests)
		if rng.IntN(6) > 0 {
			for range 1 + rng.IntN(4) {
				kill.Set(rng.IntN(tests))
			}
		}
		s.Kills = append(s.Kills, kill)
		s.Mutants = append(s.Mutants, predict.Score{
			ID: fmt.Sprintf("%016x-%s-%d", rng.Uint64(), name, m), Selector: int32(m + 1), Statement: m / 4,
			Fault: rng.Float64(), Kill: rng.Float64(), Matcher: "ADD", Replacer: "SUB",
		})
	}
	return s
}

// Several makes n such subjects of four problems.
func Several(rng *rand.Rand, n int) []subject.Subject {
	var out []subject.Subject
	for i := range n {
		out = append(out, Random(rng, fmt.Sprintf("%c%d", 'a'+i%4, i), 5+rng.IntN(30), 4+rng.IntN(20)))
	}
	return out
}

// Learnable makes n such subjects with two feature columns: signal is whether a mutant
// is fault-revealing, with noise, and subject the subject's number.
func Learnable(rng *rand.Rand, n int) []subject.Subject {
	subjects := Several(rng, n)
	for i := range subjects {
		s := &subjects[i]
		s.Columns = []string{"signal", "subject"}
		var rows [][]float64
		for _, kill := range s.Kills {
			signal := rng.Float64()
			if !kill.Empty() && kill.IsSubset(s.Reveals) {
				signal += 0.5
			}
			rows = append(rows, []float64{signal, float64(i)})
		}
		s.Features = Pack(rows)
	}
	return subjects
}

// Chain is a subject on which nothing is left to chance: mutants a, b, c, d;
// nothing kills b, test 0 kills a and c, test 1 kills d and reveals the fault.
func Chain() subject.Subject {
	return subject.Subject{
		Program: "chain", Fault: "f", Reveals: matrix.BitsOf(2, 1),
		Mutants: []predict.Score{{ID: "a", Fault: .9}, {ID: "b", Fault: .8}, {ID: "c", Fault: .7}, {ID: "d", Fault: .6}},
		Kills:   []matrix.Bits{matrix.BitsOf(2, 0), matrix.BitsOf(2), matrix.BitsOf(2, 0), matrix.BitsOf(2, 1)},
		// a runs on both tests, b and d on one, c on none: killed and not
		// reached is impossible, but the walk need not know.
		Reached: []matrix.Bits{matrix.BitsOf(2, 0, 1), matrix.BitsOf(2, 0), matrix.BitsOf(2), matrix.BitsOf(2, 1)},
	}
}

// Pack makes feature rows of rows of equal length.
func Pack(rows [][]float64) *subject.Rows {
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0])
	}
	out, err := subject.PackRows(rows, columns)
	if err != nil {
		panic(err) // the rows of a test are not of equal length
	}
	return out
}
