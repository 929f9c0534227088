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
	"errors"
	"flag"
	"io"
	"os"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
)

// bench is one run of the command.
type bench struct {
	ctx       context.Context
	out, errs io.Writer // of rows, and of what is said beside them
	title     string
	files     []string
	flags     []string // the compiler's
	phases    bool
	tools     *clang.Toolchain
	mutation  program.Mutation
}

func main() { developer.Main("benchmutate", run) }

// options are the flags that are not of a bench itself.
type options struct {
	lists, operators, stages, copies, svg, profile string
	alone                                          bool
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	b := bench{ctx: ctx, out: out, errs: errs}
	var o options
	flags := flag.NewFlagSet("benchmutate", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&o.lists, "passes", "default,O2", "pass lists, joined by commas")
	flags.StringVar(&o.operators, "operators", "default", "rules, as of winnow mutate")
	flags.IntVar(&b.mutation.Window, "window", 0, "instructions in a window, in which all functions that have more are compared; 0 means as winnow mutate does")
	flags.StringVar(&o.stages, "stages", "", "compare with these stages of passes instead, joined by semicolons, and otherwise as with the list default")
	flags.BoolVar(&b.phases, "phases", false, "print the wall time of each phase on standard error")
	flags.StringVar(&o.copies, "copies", "", "measure programs of so many copies of the files, joined by commas")
	flags.StringVar(&o.svg, "svg", "", "with -copies, draw CPU time a mutant by size to this file")
	flags.BoolVar(&o.alone, "alone", false, "compare with one opt process a mutant")
	flags.StringVar(&o.profile, "cpuprofile", "", "write a profile of winnow's own CPU time to this file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 {
		return errors.New("usage: benchmutate [FLAGS] TITLE FILE... [-- COMPILER FLAGS]")
	}
	b.title, b.files = flags.Arg(0), flags.Args()[1:]
	if k := slices.Index(b.files, "--"); k >= 0 {
		b.files, b.flags = b.files[:k], b.files[k+1:]
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	return b.run(o)
}

func (b *bench) run(o options) (err error) {
	if b.tools, err = clang.Find(); err != nil {
		return err
	}
	if b.mutation.Rules, err = rule.Lookup(o.operators); err != nil {
		return err
	}
	b.mutation.Large = b.mutation.Window
	measure := b.measure
	if o.alone {
		measure = b.compare
	}
	var sizes *growth
	if o.copies != "" {
		if sizes, err = newGrowth(o.copies); err != nil {
			return err
		}
		measure = func() error { return sizes.measure(b) }
	}
	if err := b.each(o.lists, o.stages, measure); err != nil || o.svg == "" {
		return err
	}
	if sizes == nil {
		return errors.New("-svg draws what -copies measures")
	}
	return sizes.draw(o.svg)
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
func (b *bench) load(file string, mutation program.Mutation) (*program.Program, error) {
	return program.Load(b.ctx, b.tools, b.inputs(file), program.LoadOptions{Mutation: mutation})
}

func (b *bench) inputs(file string) []program.Input {
	return []program.Input{{Path: file, Flags: b.flags}}
}
