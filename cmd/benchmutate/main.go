// Command benchmutate measures what it costs to make the mutants of C files and
// to compare them: CPU time of winnow and of LLVM's programs, by pass list. It
// prints rows of a Markdown table, and is started by scripts/bench-mutate.sh.
//
//	benchmutate [-passes LIST,…] [-operators NAME] [-stages PASSES;…] [-window N] [-phases] TITLE FILE... [-- COMPILER FLAGS]
//	benchmutate -copies N,… [-svg FILE] [-passes LIST,…] [-operators NAME] TITLE FILE... [-- COMPILER FLAGS]
//	benchmutate -alone [-passes LIST,…] [-operators NAME] TITLE FILE... [-- COMPILER FLAGS]
//
// With -copies, the files together are one program, measured with each number of
// copies of them: how cost grows. With -alone, mutants are compared twice: in bulk, as winnow does, and with one
// opt process a mutant on its whole module. Disagreements are listed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/pipeline"
)

// bench is one run of the command.
type bench struct {
	title    string
	files    []string
	flags    []string // the compiler's
	phases   bool
	tools    *clang.Toolchain
	mutation pipeline.Mutation
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "benchmutate:", err)
		os.Exit(1)
	}
}

func run() error {
	b := bench{}
	lists := flag.String("passes", "default,O2", "pass lists, joined by commas")
	operators := flag.String("operators", "default", "rules, as of winnow mutate")
	flag.IntVar(&b.mutation.Window, "window", 0, "instructions in a window, in which all functions that have more are compared; 0 means as winnow mutate does")
	stages := flag.String("stages", "", "compare with these stages of passes instead, joined by semicolons, and otherwise as with the list default")
	flag.BoolVar(&b.phases, "phases", false, "print the wall time of each phase on standard error")
	copies := flag.String("copies", "", "measure programs of so many copies of the files, joined by commas")
	svg := flag.String("svg", "", "with -copies, draw CPU time a mutant by size to this file")
	alone := flag.Bool("alone", false, "compare with one opt process a mutant")
	profile := flag.String("cpuprofile", "", "write a profile of winnow's own CPU time to this file")
	flag.Parse()
	if flag.NArg() < 2 {
		return fmt.Errorf("usage: benchmutate [FLAGS] TITLE FILE... [-- COMPILER FLAGS]")
	}
	b.title, b.files = flag.Arg(0), flag.Args()[1:]
	if k := slices.Index(b.files, "--"); k >= 0 {
		b.files, b.flags = b.files[:k], b.files[k+1:]
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	var err error
	if b.tools, err = clang.Find(); err != nil {
		return err
	}
	if b.mutation.Rules, err = rule.Lookup(*operators); err != nil {
		return err
	}
	b.mutation.Large = b.mutation.Window
	measure := b.measure
	if *alone {
		measure = b.compare
	}
	var sizes *growth
	if *copies != "" {
		if sizes, err = newGrowth(*copies); err != nil {
			return err
		}
		measure = func() error { return sizes.measure(&b) }
	}
	if err := b.each(*lists, *stages, measure); err != nil || *svg == "" {
		return err
	}
	if sizes == nil {
		return fmt.Errorf("-svg draws what -copies measures")
	}
	return sizes.draw(*svg)
}

// each measures with every pass list or, if any, with stages in place of a list's.
func (b *bench) each(lists, stages string, measure func() error) error {
	if stages != "" {
		lists = tce.All()[0].Name
	}
	for name := range strings.SplitSeq(lists, ",") {
		var err error
		if b.mutation.Passes, err = tce.ByName(name); err != nil {
			return err
		}
		if stages != "" {
			b.mutation.Passes.Stages = strings.Split(stages, ";")
		}
		if err := measure(); err != nil {
			return err
		}
	}
	return nil
}

// load makes and compares the mutants of one file.
func (b *bench) load(file string, mutation pipeline.Mutation) (*pipeline.Program, error) {
	return pipeline.Load(context.Background(), b.tools, b.inputs(file), pipeline.LoadOptions{Mutation: mutation})
}

func (b *bench) inputs(file string) []pipeline.Input {
	return []pipeline.Input{{Path: file, Flags: b.flags}}
}
