package tce_test

import (
	"context"
	"flag"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
)

var benchPrograms = flag.String("tce.programs", "../../examples/*/*.c", "C files that the benchmark decides mutants of")

// BenchmarkDecide prints, for each pass list, the CPU time a mutant (opt's and
// our own) and the share of mutants that are equivalent or duplicates.
func BenchmarkDecide(b *testing.B) {
	files, err := filepath.Glob(*benchPrograms)
	if err != nil || len(files) == 0 {
		b.Fatalf("no programs: %v", err)
	}
	var programs []*program
	for _, file := range files {
		programs = append(programs, load(b, file))
	}
	for _, passes := range tce.All() {
		b.Run(passes.Name, func(b *testing.B) {
			var mutants, equivalent, duplicate, unexamined int
			start := cpu(b)
			for b.Loop() {
				for _, p := range programs {
					verdicts, err := tce.Decide(context.Background(), toolchain(b), p.module, p.mutants, tce.Options{Passes: passes})
					if err != nil {
						b.Fatal(err)
					}
					for _, v := range verdicts {
						mutants++
						switch {
						case v.Evidence == "":
							unexamined++
						case v.Kind == equiv.Equivalent:
							equivalent++
						case v.Kind == equiv.Duplicate:
							duplicate++
						}
					}
				}
			}
			spent := cpu(b) - start
			b.ReportMetric(float64(spent.Microseconds())/1000/float64(mutants), "CPU-ms/mutant")
			b.ReportMetric(float64(mutants)/float64(b.N), "mutants")
			b.ReportMetric(100*float64(equivalent)/float64(mutants), "%equivalent")
			b.ReportMetric(100*float64(duplicate)/float64(mutants), "%duplicate")
			b.ReportMetric(float64(unexamined)/float64(b.N), "unexamined")
		})
	}
}

// cpu is the time that this process and its children have used.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return sum
}
