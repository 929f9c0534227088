// Command verifypatches holds the C text of mutants to what winnow runs. It
// writes a random sample of the mutants of some programs as C, compiles each
// and runs it against the program's tests, and compares its verdicts with those
// of the mutants in the meta-mutant. It prints a report in Markdown: the share
// of mutants with a counterpart in C, by operator, and what disagrees.
//
//	go run ./cmd/verifypatches [-n 1000] [-seed 1] [-operators RULES] [-codeflaws FOLDER -faults 10] [PROJECT...]
//
// It is for developers (make verify-patches) and ships with no release. It
// exits with status 1 when a mutant disagrees, or its C does not compile.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/selfcheck"
)

func main() { developer.Main("verifypatches", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("verifypatches", flag.ContinueOnError)
	flags.SetOutput(errs)
	n := flags.Int("n", 1000, "how many mutants to compare; 0 for all")
	seed := flags.Uint64("seed", 1, "seed of the sample")
	benchmark := flags.String("codeflaws", "", "unpacked Codeflaws benchmark")
	faults := flags.Int("faults", 10, "how many faulty programs of Codeflaws to take")
	operators := flags.String("operators", "", "preset or file of rules, as winnow takes it; none for winnow's own operators")
	diffs := flags.Bool("diffs", false, "print the patches of findings")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cases, exits, remove, err := casesOf(flags.Args(), *benchmark, *faults, *seed)
	if err != nil {
		return err
	}
	defer remove()
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	var mutation program.Mutation
	if *operators != "" {
		if mutation.Rules, err = rule.Lookup(*operators); err != nil {
			return err
		}
	}
	display := progress.New(errs, progress.Options{})
	report, err := selfcheck.VerifyPatches(ctx, tools, cases, selfcheck.PatchOptions{
		Sample: *n, Seed: *seed, Execute: execute.Options{Exit: exits}, Mutation: mutation, Display: display,
	})
	if err != nil {
		return err
	}
	write(out, report, *diffs)
	if bad := len(report.Disagreements()); bad > 0 {
		return fmt.Errorf("%d of %d mutants are not what their C text is", bad, report.Compared)
	}
	return nil
}

// casesOf lists the programs of projects, or faulty ones of Codeflaws, whose
// files are written to a temporary folder. The programs of the contest return
// what they like from main.
func casesOf(projects []string, benchmark string, faults int, seed uint64) (cases []project.Case, exits execute.ExitComparison, remove func(), err error) {
	remove = func() {}
	if benchmark == "" {
		cases, err = project.CasesOf(projects, false)
		if err == nil && cases == nil {
			err = errors.New("name a project's folder, or a benchmark with -codeflaws")
		}
		return cases, execute.ExitStatus, remove, err
	}
	work, err := scratch.New("patches")
	if err != nil {
		return nil, exits, nil, err
	}
	remove = func() { work.Remove() }
	cases, err = importer.CodeflawsCases(benchmark, work.Path, faults, seed)
	return cases, execute.ExitIgnored, remove, err
}

func write(out io.Writer, r *selfcheck.PatchReport, diffs bool) {
	fmt.Fprintln(out, "| operator | mutants | with C text | share |")
	fmt.Fprintln(out, "|---|--:|--:|--:|")
	var all selfcheck.PatchCount
	for _, name := range slices.Sorted(maps.Keys(r.Operators)) {
		row(out, name, *r.Operators[name])
		all.Mutants += r.Operators[name].Mutants
		all.Placed += r.Operators[name].Placed
	}
	row(out, "all", all)
	fmt.Fprintln(out)
	reasons := slices.SortedFunc(maps.Keys(r.Reasons), func(a, b patch.Reason) int {
		return cmp.Or(r.Reasons[b]-r.Reasons[a], strings.Compare(string(a), string(b)))
	})
	for _, reason := range reasons {
		fmt.Fprintf(out, "- %d have none: %s\n", r.Reasons[reason], reason)
	}
	bad := len(r.Disagreements())
	fmt.Fprintf(out, "\n%d mutants were compared on %d pairs of mutant and test: %d agree, %d differ by undefined behaviour, %d disagree.\n",
		r.Compared, r.Pairs, r.Compared-len(r.Findings), len(r.Findings)-bad, bad)
	for _, f := range r.Findings {
		finding(out, f, diffs)
	}
}

func row(out io.Writer, name string, c selfcheck.PatchCount) {
	fmt.Fprintf(out, "| %s | %d | %d | %.2f%% |\n", name, c.Mutants, c.Placed, 100*float64(c.Placed)/float64(max(c.Mutants, 1)))
}

func finding(out io.Writer, f selfcheck.PatchFinding, diffs bool) {
	m := &f.Mutant
	fmt.Fprintf(out, "\n- %s %s:%d:%d %s %s `%s` => `%s`", f.Program, m.Function, m.Line, m.Column, m.Operator, m.Type(), m.Original, m.Replacement)
	switch {
	case f.Error != "":
		fmt.Fprintf(out, ": does not compile: %s", strings.ReplaceAll(strings.TrimSpace(f.Error), "\n", "\n  "))
	case f.Undefined != "":
		fmt.Fprintf(out, ": differs on %d tests; undefined: %s", len(f.Tests), f.Undefined)
	default:
		fmt.Fprintf(out, ": differs on %d tests, first %s: mutant %s, C text %s", len(f.Tests), f.Tests[0].Test, f.Tests[0].InIR, f.Tests[0].InC)
	}
	fmt.Fprintln(out)
	if diffs {
		fmt.Fprintf(out, "\n  ```diff\n  %s\n  ```\n", strings.ReplaceAll(strings.TrimSuffix(f.Diff, "\n"), "\n", "\n  "))
	}
}
