package main

import (
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/program"
)

// row sums up the files of one line.
type row struct {
	files, failed, mutants, equivalent, duplicate, invalid int
	cpu, wall                                              time.Duration
	memory                                                 int64 // peak, in MB
}

// measure prints one row: all files, one program each, with one pass list.
func (b *bench) measure() error {
	var r row
	memory := watchMemory()
	for _, file := range b.files {
		start, before := time.Now(), cpu()
		p, err := b.load(file, b.mutation)
		if err != nil {
			fmt.Fprintln(b.errs, "benchmutate:", err)
			r.failed++
			continue
		}
		r.add(p, cpu()-before, time.Since(start))
		if b.phases {
			printPhases(b.errs, file, p)
		}
	}
	r.memory = memory.stop()
	r.print(b.out, b.title, b.mutation.Passes.Name)
	return nil
}

// printPhases prints what loading a program took, and what each stage that looks
// for equal mutants cost and found.
func printPhases(to io.Writer, file string, p *program.Program) {
	for _, phase := range p.Phases {
		fmt.Fprintf(to, "%s: %s %.1f s\n", file, phase.Name, phase.Seconds)
	}
	for _, s := range p.Stages {
		fmt.Fprintf(to, "%s: stage %s: %d mutants, %d equivalent, %d duplicates, %d invalid, %d not looked at, %.1f s of work\n",
			file, s.Stage, s.Mutants, s.Equivalent, s.Duplicate, s.Invalid, s.Unseen, s.Busy.Seconds())
	}
}

// add counts a program, and what loading it took.
func (r *row) add(p *program.Program, cpu, wall time.Duration) {
	r.files += len(p.Units)
	r.cpu += cpu
	r.wall += wall
	r.mutants += p.Generated
	r.equivalent += p.Count(equiv.Equivalent)
	r.duplicate += p.Count(equiv.Duplicate)
	r.invalid += p.Count(equiv.Invalid)
}

// perMutant is the CPU time a mutant, in ms.
func (r *row) perMutant() float64 {
	return float64(r.cpu.Microseconds()) / 1000 / float64(max(r.mutants, 1))
}

func (r *row) print(to io.Writer, title, list string) {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(r.mutants, 1)) }
	fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %.1f | %.1f | %d | %.2f | %.0f | %d |\n", title, list, r.files, r.failed, r.mutants,
		percent(r.equivalent), percent(r.duplicate), r.invalid, r.perMutant(), r.wall.Seconds(), r.memory)
}

// cpu is the time that this process and its ended children have used.
func cpu() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		used := usage(who)
		sum += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return sum
}

func usage(who int) syscall.Rusage {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		panic(err) // only a wrong constant can fail
	}
	return used
}
