package rank

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// BenchmarkRankTables ranks a table of mutants of WINNOW_BENCH_MUTANTS rows (100,000
// unless it is set) by the released model: those of an example, over and over, with
// ids of their own. It reports seconds by the clock and of CPU, and the most memory
// that the process has used (make bench-rank).
func BenchmarkRankTables(b *testing.B) {
	rows := 100_000
	if text := os.Getenv("WINNOW_BENCH_MUTANTS"); text != "" {
		var err error
		if rows, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	folder := b.TempDir()
	writeTables(b, folder, rows)
	model, err := models.Load("../models/released/codeflaws")
	if err != nil {
		b.Fatal(err)
	}
	opts := Options{Model: model, Strategy: predict.Winnow, Seed: 1, Reasons: 3}
	start := used(b)
	for b.Loop() {
		source, err := OpenTables(folder)
		if err != nil {
			b.Fatal(err)
		}
		ranking, err := Order(b.Context(), source, opts)
		if err != nil {
			b.Fatal(err)
		}
		if len(ranking.Mutants) != rows {
			b.Fatalf("%d of %d mutants", len(ranking.Mutants), rows)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
	b.ReportMetric((used(b)-start).Seconds()/float64(b.N), "CPU-s/op")
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(self.Maxrss>>10), "MB")
}

func used(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// writeTables writes so many mutants, and their features.
func writeTables(b *testing.B, folder string, rows int) {
	b.Helper()
	inputs, err := project.Inputs([]string{"../examples/calendar/calendar.c"}, nil)
	if err != nil {
		b.Fatal(err)
	}
	p, err := program.Load(b.Context(), clangtest.Tools(b), inputs, program.LoadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	own, err := program.Features(p)
	if err != nil {
		b.Fatal(err)
	}
	described, err := table.Create(filepath.Join(folder, dataset.MutantsFile), dataset.MutantsSchema(), nil)
	if err != nil {
		b.Fatal(err)
	}
	written, err := table.Create(filepath.Join(folder, dataset.FeaturesFile), features.Schema(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for round := 0; round*own.Rows() < rows; round++ {
		mutants := slices.Clone(p.Mutants())[:min(own.Rows(), rows-round*own.Rows())]
		for i := range mutants {
			mutants[i].ID += fmt.Sprint("-", round)
		}
		text, err := program.MutantTable(mutants, "", nil)
		if err != nil {
			b.Fatal(err)
		}
		ids, err := text.Strings("id")
		if err != nil {
			b.Fatal(err)
		}
		columns := []any{ids}
		for _, c := range features.Schema()[1:] {
			values, err := own.Floats(c.Name)
			if err != nil {
				b.Fatal(err)
			}
			columns = append(columns, values[:len(ids)])
		}
		batch, err := table.FromColumns(features.Schema(), columns...)
		if err != nil {
			b.Fatal(err)
		}
		if err := described.Write(text); err != nil {
			b.Fatal(err)
		}
		if err := written.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := described.Commit(); err != nil {
		b.Fatal(err)
	}
	if err := written.Commit(); err != nil {
		b.Fatal(err)
	}
}
