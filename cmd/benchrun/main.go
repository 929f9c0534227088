// Command benchrun measures the tiers of package execute on real programs: the
// same mutants on the same tests with every tier, one after the other. It prints
// a row a program and tier, and as its last line how many verdicts differ from
// those of the judge.
//
//	go run ./cmd/benchrun [-codeflaws BENCHMARK -programs N] [PROJECT...]
//
// It is for developers (make bench-run) and ships with no release. It exits with
// status 1 when a verdict differs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

func main() { developer.Main("benchrun", run) }

// settings are the flags.
type settings struct {
	benchmark string
	programs  int
	seed      uint64
	pairs     int
	mutants   int
	functions []string
	workers   int
	slowest   string
	stopAfter int
	prefixes  int
}

func run(ctx context.Context, args []string, out, _ io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("benchrun", flag.ContinueOnError)
	flags.StringVar(&s.benchmark, "codeflaws", "", "the folder benchmark of Codeflaws, to take programs from")
	flags.IntVar(&s.programs, "programs", 10, "how many programs to take from it")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of which programs and mutants are taken")
	flags.IntVar(&s.pairs, "pairs", 2000, "tests are taken until a program has so many pairs of mutants and tests")
	flags.IntVar(&s.mutants, "mutants", 0, "mutants to draw from all of a program's, for one that is large; 0 means all that are worth a run")
	flags.Func("functions", "take mutants of these functions only: names and globs, joined by commas", func(list string) error {
		s.functions = strings.Split(list, ",")
		return nil
	})
	flags.IntVar(&s.workers, "workers", 1, "servers that run at once")
	flags.IntVar(&s.stopAfter, "stop-after-timeouts", 3, "leave a mutant's other tests undecided after so many timeouts, as winnow import does; 0 means never")
	flags.IntVar(&s.prefixes, "prefixes", 0, "also say how much of the runs lies before the mutant, to so many parts of the original's run")
	flags.StringVar(&s.slowest, "slowest", execute.Fresh.Name, "the last tier to measure, with which the others are compared")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if len(s.tiers()) == 0 {
		return fmt.Errorf("there is no tier %q", s.slowest)
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	work, err := scratch.New("bench")
	if err != nil {
		return err
	}
	defer work.Remove()
	folder := work.Path
	cases, err := casesOf(&s, flags.Args(), folder)
	if err != nil {
		return err
	}
	if len(cases) == 0 {
		return errors.New("no programs: name folders of projects, or a benchmark with -codeflaws")
	}
	builder, err := build.New(ctx, tools, folder)
	if err != nil {
		return err
	}
	b := &bench{settings: s, tools: tools, builder: builder, out: out}
	for _, c := range cases {
		if err := b.measure(ctx, &c); err != nil {
			return fmt.Errorf("%s: %w", c.Name(), err)
		}
	}
	return b.finish()
}

func casesOf(s *settings, folders []string, work string) ([]project.Case, error) {
	cases, err := project.CasesOf(folders, false)
	if err == nil && s.benchmark != "" {
		sample, err := importer.CodeflawsCases(s.benchmark, filepath.Join(work, "cases"), s.programs, s.seed)
		if err != nil {
			return nil, err
		}
		cases = append(cases, sample...)
	}
	return cases, err
}

// tiers are what is measured, the reference last.
func (s *settings) tiers() []execute.Tier {
	at := slices.IndexFunc(execute.Tiers, func(t execute.Tier) bool { return t.Name == s.slowest })
	return execute.Tiers[:at+1]
}
