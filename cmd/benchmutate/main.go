// Command benchmutate measures what it costs to make the mutants of C files and
// to compare them: CPU time of winnow and of LLVM's programs, by pass list. It
// prints rows of a Markdown table, and is started by scripts/bench-mutate.sh.
//
//	benchmutate [-passes LIST,…] [-operators NAME] TITLE FILE... [-- COMPILER FLAGS]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/pipeline"
)

func main() {
	lists := flag.String("passes", "default,O2", "pass lists, joined by commas")
	operators := flag.String("operators", "", "rules, as of winnow mutate")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: benchmutate [-passes LIST,…] [-operators NAME] TITLE FILE... [-- COMPILER FLAGS]")
		os.Exit(1)
	}
	files, flags := flag.Args()[1:], []string(nil)
	if k := slices.Index(files, "--"); k >= 0 {
		files, flags = files[:k], files[k+1:]
	}
	for name := range strings.SplitSeq(*lists, ",") {
		if err := measure(flag.Arg(0), name, *operators, files, flags); err != nil {
			fmt.Fprintln(os.Stderr, "benchmutate:", err)
			os.Exit(1)
		}
	}
}

// row sums up the files of one line.
type row struct {
	files, failed, mutants, equivalent, duplicate, invalid int
	cpu, wall                                              time.Duration
}

// measure prints one row: all files, one program each, with one pass list.
func measure(title, list, operators string, files, flags []string) error {
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	var mutation pipeline.Mutation
	if mutation.Passes, err = tce.ByName(list); err != nil {
		return err
	}
	if operators != "" {
		if mutation.Rules, err = rule.Lookup(operators); err != nil {
			return err
		}
	}
	var r row
	for _, file := range files {
		start, before := time.Now(), cpu()
		p, err := pipeline.Load(context.Background(), tools, []pipeline.Input{{Path: file, Flags: flags}}, pipeline.LoadOptions{Mutation: mutation})
		if err != nil {
			fmt.Fprintln(os.Stderr, "benchmutate:", err)
			r.failed++
			continue
		}
		r.files++
		r.cpu += cpu() - before
		r.wall += time.Since(start)
		r.mutants += p.Generated
		r.equivalent += p.Count(equiv.Equivalent)
		r.duplicate += p.Count(equiv.Duplicate)
		r.invalid += p.Count(equiv.Invalid)
	}
	r.print(title, list)
	return nil
}

func (r *row) print(title, list string) {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(r.mutants, 1)) }
	perMutant := float64(r.cpu.Microseconds()) / 1000 / float64(max(r.mutants, 1))
	self, children := peak(syscall.RUSAGE_SELF), peak(syscall.RUSAGE_CHILDREN)
	fmt.Printf("| %s | %s | %d | %d | %d | %.1f | %.1f | %d | %.2f | %.0f | %d + %d |\n", title, list, r.files, r.failed, r.mutants,
		percent(r.equivalent), percent(r.duplicate), r.invalid, perMutant, r.wall.Seconds(), self, children)
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

// peak is the most memory held at a time, in MB: by this process so far, or by
// the largest of its children.
func peak(who int) int64 {
	used := usage(who)
	return int64(used.Maxrss) / 1024
}

func usage(who int) syscall.Rusage {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		panic(err) // only a wrong constant can fail
	}
	return used
}
