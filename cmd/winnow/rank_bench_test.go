package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRankProgram starts the command that make build made, as a tester does, on
// the C files of WINNOW_BENCH_C (an example unless it is set), one after the other. It
// reports seconds by the clock and of CPU for each, those of clang and opt included.
func BenchmarkRankProgram(b *testing.B) {
	files := strings.Fields(os.Getenv("WINNOW_BENCH_C"))
	if len(files) == 0 {
		files = []string{"examples/calendar/calendar.c"}
	}
	start := childrenTime(b)
	for b.Loop() {
		for _, file := range files {
			command := exec.Command("build/winnow", "rank", "--top", "20", file)
			command.Dir = "../.."
			if out, err := command.CombinedOutput(); err != nil {
				b.Fatalf("winnow rank %s: %v\n%s", file, err, out)
			}
		}
	}
	runs := float64(b.N * len(files))
	b.ReportMetric(b.Elapsed().Seconds()/runs, "s/program")
	b.ReportMetric((childrenTime(b)-start).Seconds()/runs, "CPU-s/program")
}

func childrenTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
