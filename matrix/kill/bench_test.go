package kill

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
)

var keep = flag.String("keep", "", "folder in which BenchmarkHundredMillionCells leaves its kills.parquet, for other programs to read")

// hundredMillion is a matrix of 40,000 mutants and 2,500 tests of which one cell in
// twenty was run: ten mutants lie on each line, a line is executed by one test in
// twenty, all of them near each other in the list of tests as those of one feature of
// a program are, or by tests from all over.
func hundredMillion() *Matrix {
	const mutants, tests, perLine, share = 40_000, 2_500, 10, 20
	ids := make([]string, mutants)
	for i := range ids {
		ids[i] = fmt.Sprintf("%016x", rand.New(rand.NewPCG(1, uint64(i))).Uint64())
	}
	names := make([]string, tests)
	for t := range names {
		names[t] = fmt.Sprintf("suite/%02d/test-%04d", t/100, t)
	}
	m := empty(ids, names)
	r := rand.New(rand.NewPCG(2, 2))
	for line := range mutants / perLine {
		var reaching []int
		if first := r.IntN(tests); line%2 == 0 {
			for i := range tests / share {
				reaching = append(reaching, (first+i)%tests)
			}
		} else {
			reaching = r.Perm(tests)[:tests/share]
		}
		for i := range perLine {
			hard := r.Float64()
			for _, t := range reaching {
				if err := m.Set(line*perLine+i, t, cellOf(r, hard)); err != nil {
					panic(err) // a cell of another shape: this benchmark is wrong
				}
			}
		}
	}
	return m
}

// cellOf is a run of a mutant that survives with probability hard.
func cellOf(r *rand.Rand, hard float64) Cell {
	c := Cell{Verdict: matrix.Survived, Work: 1000 + r.Int64N(1000), Micros: 20 + r.Int64N(200)}
	switch p := r.Float64(); {
	case p < hard/2:
		return Cell{Verdict: matrix.Survived, Cause: matrix.NotInfected}
	case p < hard:
	case r.IntN(10) == 0:
		c.Verdict, c.Cause = matrix.Killed, matrix.Signal
	default:
		c.Verdict, c.Cause = matrix.Killed, matrix.Output
	}
	return c
}

// BenchmarkHundredMillionCells says what a kill matrix of that size costs to write
// and to read, and how large its file is.
func BenchmarkHundredMillionCells(b *testing.B) {
	m := hundredMillion()
	folder := *keep
	if folder == "" {
		folder = b.TempDir()
	}
	path := filepath.Join(folder, "kills.parquet")
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := Write(path, m); err != nil {
				b.Fatal(err)
			}
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	})
	for _, detail := range []struct {
		name string
		Detail
	}{{"read", Everything}, {"read verdicts", VerdictsOnly}} {
		b.Run(detail.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(path, detail.Detail); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("count killed", func(b *testing.B) {
		for b.Loop() {
			killed := 0
			for i := range m.Mutants() {
				killed += m.Killed(i).Count()
			}
			b.ReportMetric(float64(killed), "killed")
		}
	})
}
