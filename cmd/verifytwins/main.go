// Command verifytwins holds meta-mutants to what they stand for. Without a
// mutant, and with a number that none has, a meta-mutant must do on every test
// what the compiler's own build of the source does; and each mutant of a random
// sample what a module with that mutant alone does, compiled by itself. It
// prints a report in Markdown.
//
//	go run ./cmd/verifytwins [-n 3000] [-seed 1] [-operators default,mart816] PROJECT|FILE.c...
//
// A project is a folder with a winnow.toml; a C file is run once, without input.
// The command is for developers (make verify-twins) and ships with no release. It
// exits with status 1 when two builds disagree.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/selfcheck"
)

func main() { developer.Main("verifytwins", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("verifytwins", flag.ContinueOnError)
	flags.SetOutput(errs)
	n := flags.Int("n", 3000, "how many mutants to compare; 0 for all")
	seed := flags.Uint64("seed", 1, "seed of the sample")
	operators := flags.String("operators", "default,mart816", "presets, or files of rules, each as winnow takes it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	opts := selfcheck.TwinOptions{Sample: *n, Seed: *seed, Display: progress.New(errs, progress.Options{})}
	for name := range strings.SplitSeq(*operators, ",") {
		rules, err := rule.Lookup(name)
		if err != nil {
			return err
		}
		opts.Rules = append(opts.Rules, rules)
	}
	cases, err := casesOf(flags.Args())
	if err != nil {
		return err
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	report, err := selfcheck.VerifyTwins(ctx, tools, cases, opts)
	if err != nil {
		return err
	}
	write(out, report, opts)
	if bad := len(report.Disagreements()); bad > 0 {
		return fmt.Errorf("%d mutants or originals are not what the compiler's own build is", bad)
	}
	return nil
}

func casesOf(args []string) (cases []project.Case, err error) {
	for _, arg := range args {
		if filepath.Ext(arg) == ".c" {
			cases = append(cases, project.Case{Program: strings.TrimSuffix(filepath.Base(arg), ".c"),
				Inputs: []program.Input{{Path: arg, Flags: []string{"-lm"}}}, Tests: []execute.Test{{Name: "alone"}}})
			continue
		}
		own, err := project.CasesOf([]string{arg}, false)
		if err != nil {
			return nil, err
		}
		cases = append(cases, own...)
	}
	if cases == nil {
		return nil, errors.New("name projects' folders, or C files")
	}
	return cases, nil
}

func write(out io.Writer, r *selfcheck.TwinReport, opts selfcheck.TwinOptions) {
	fmt.Fprintln(out, "| rules | mutants | compared | of them with a pointer's replacer |")
	fmt.Fprintln(out, "|---|--:|--:|--:|")
	compared, originals := 0, 0
	for _, rules := range opts.Rules {
		c := r.Sets[rules.Name]
		fmt.Fprintf(out, "| %s | %d | %d | %d |\n", rules.Name, c.Made, c.Compared, c.Pointers)
		compared += c.Compared
	}
	bad := r.Disagreements()
	for _, f := range bad {
		if f.Mutant == nil {
			originals++
		}
	}
	fmt.Fprintf(out, "\n%d runs without a mutant were compared: %d differ.\n", r.Originals, originals)
	fmt.Fprintf(out, "\n%d mutants were compared on %d pairs of mutant and test, %d of them killed, and by what they print on %d: "+
		"%d agree, %d differ by undefined behaviour, %d disagree.\n",
		compared, r.Pairs, r.Killed, r.Printed, compared-len(r.Findings)+originals, len(r.Findings)-len(bad), len(bad)-originals)
	for _, f := range r.Findings {
		finding(out, f)
	}
}

func finding(out io.Writer, f selfcheck.TwinFinding) {
	if m := f.Mutant; m != nil {
		fmt.Fprintf(out, "\n- %s (%s) %s:%d:%d %s `%s` => `%s`", f.Program, f.Rules, m.Function, m.Line, m.Column, m.Rule, m.Original, m.Replacement)
	} else {
		fmt.Fprintf(out, "\n- %s (%s) without a mutant, selector %d", f.Program, f.Rules, f.Selector)
	}
	fmt.Fprintf(out, ": differs on %d tests, first %s: in the meta-mutant %s, alone %s", f.Tests, f.Test, f.Meta, f.Alone)
	if f.Undefined != "" {
		fmt.Fprintf(out, "; undefined: %s", f.Undefined)
	}
	fmt.Fprintln(out)
}
