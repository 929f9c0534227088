package selfcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// originals compares the meta-mutant, without a mutant and with numbers of none,
// with the compiler's own build of the source.
func (r *twinRun) originals(ctx context.Context) error {
	binary := filepath.Join(r.folder, "original")
	in := r.c.Inputs[0]
	flags := append(clang.KeepFrontEnd(in.Flags), clang.KeepLinker(in.Flags)...)
	if err := r.tools.In(in.Directory).Link(ctx, binary, []string{in.Path}, flags); err != nil {
		return err
	}
	for test := range r.c.Tests {
		want, err := runOriginal(ctx, binary, r.c.Tests[test])
		if err != nil {
			return err
		}
		selectors := []int32{0}
		if test == 0 {
			selectors = append(selectors, -1, math.MinInt32)
		}
		for _, selector := range selectors {
			outcome, printed, err := r.meta.Observe(ctx, selector, test)
			if err != nil {
				return err
			}
			r.report.Originals++
			if got := describeRun(outcome.Cause, outcome.Status, printed); got != want {
				r.differs(selector, test, got, want)
			}
		}
	}
	return r.unknown(ctx)
}

// unknown compares selectors of no mutant with selector 0, on every test: as if
// they were mutants, which must survive.
func (r *twinRun) unknown(ctx context.Context) error {
	everywhere := &execute.Baseline{Tests: slices.Clone(r.base.Tests)}
	for k := range everywhere.Tests {
		everywhere.Tests[k].Reached = execute.NewBits(r.meta.Sites())
		everywhere.Tests[k].Reached.Set(0)
	}
	list := []execute.Mutant{{Selector: int32(len(r.unit.Mutants)) + 1}, {Selector: math.MaxInt32}}
	result, err := r.meta.Kill(ctx, everywhere, list)
	if err != nil {
		return err
	}
	for i, m := range list {
		for test := range r.c.Tests {
			r.report.Originals++
			if result.Verdict(i, test) != execute.Survived {
				r.differs(m.Selector, test, describe(result, i, test), "like selector 0")
			}
		}
	}
	return nil
}

// differs notes a run without a mutant.
func (r *twinRun) differs(selector int32, test int, meta, alone string) {
	r.report.Findings = append(r.report.Findings, TwinFinding{Program: r.c.Program, Rules: r.rules,
		Selector: selector, Test: r.c.Tests[test].Name, Tests: 1, Meta: meta, Alone: alone})
}

// describeRun is all that a run shows, as text: equal texts are equal runs.
func describeRun(cause execute.Cause, status int, printed []byte) string {
	return fmt.Sprintf("%v %d, printed %q", cause, status, printed)
}

// runOriginal runs the program that the compiler made; it is the user's own.
func runOriginal(ctx context.Context, binary string, test execute.Test) (string, error) {
	cmd := exec.CommandContext(ctx, binary, test.Args...)
	input, err := test.ReadInput()
	if err != nil {
		return "", err
	}
	cmd.Stdin = bytes.NewReader(input)
	var out bytes.Buffer
	cmd.Stdout = &out
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) || ctx.Err() != nil {
		return "", fmt.Errorf("running the original: %w", errors.Join(ctx.Err(), err))
	}
	return describeRun(execute.CauseExit, cmd.ProcessState.ExitCode(), out.Bytes()), nil
}

// compare holds mutants of the meta-mutant to their own programs on every test.
func (r *twinRun) compare(ctx context.Context, some []chosenTwin) error {
	inMeta, alone := make([]execute.Mutant, len(some)), make([]execute.Mutant, len(some))
	for i, one := range some {
		inMeta[i] = execute.Mutant{Selector: one.mutant.Selector, Site: one.mutant.Site.Ordinal}
		alone[i] = execute.Mutant{Selector: one.mutant.Selector}
	}
	inOne, err := r.meta.Kill(ctx, r.base, inMeta)
	if err != nil {
		return err
	}
	engine, err := r.gather(ctx, some, plainTwin.flags, plainTwin.change)
	if err != nil {
		return err
	}
	defer engine.Close()
	byItself, err := engine.Kill(ctx, reachedEverywhere(r.base), alone)
	if err != nil {
		return err
	}
	for i := range some {
		if err := r.judge(ctx, engine, &some[i], inOne, byItself, i); err != nil {
			return err
		}
	}
	return nil
}

// reachedEverywhere is the baseline of programs that are mutants as a whole.
func reachedEverywhere(base *execute.Baseline) *execute.Baseline {
	out := &execute.Baseline{Tests: slices.Clone(base.Tests)}
	for k := range out.Tests {
		out.Tests[k].Reached = execute.NewBits(1)
		out.Tests[k].Reached.Set(0)
	}
	return out
}

// judge compares one mutant: how it ends on every test, and on one that kills it
// what it prints.
func (r *twinRun) judge(ctx context.Context, engine *execute.Engine, one *chosenTwin, inOne, byItself *execute.Result, i int) error {
	f := TwinFinding{Program: r.c.Program, Rules: r.rules, Mutant: &one.mutant, Selector: one.mutant.Selector}
	differ := func(test int, meta, alone string) {
		if f.Tests++; f.Tests == 1 {
			f.Test, f.Meta, f.Alone = r.c.Tests[test].Name, meta, alone
		}
	}
	first, printed := -1, -1
	for test := range r.c.Tests {
		r.report.Pairs++
		meta, alone := describe(inOne, i, test), describe(byItself, i, test)
		if meta != alone {
			differ(test, meta, alone)
			if first < 0 {
				first = test
			}
			continue
		}
		if cell, ok := inOne.Cell(i, test); ok {
			r.report.Killed++
			if printed < 0 && !cell.Cause.Limit() {
				printed = test
			}
		}
	}
	if first < 0 && printed >= 0 {
		r.report.Printed++
		meta, err := watch(ctx, r.meta, one.mutant.Selector, printed)
		if err != nil {
			return err
		}
		alone, err := watch(ctx, engine, one.mutant.Selector, printed)
		if err != nil {
			return err
		}
		if meta != alone {
			differ(printed, meta, alone)
			first = printed
		}
	}
	if first < 0 {
		return nil
	}
	var err error
	f.Undefined, err = r.dependsOn(ctx, engine, one, first, endsByWork(inOne, i, first) != endsByWork(byItself, i, first))
	r.report.Findings = append(r.report.Findings, f)
	return err
}

// endsByWork is whether the run used up its fuel.
func endsByWork(r *execute.Result, mutant, test int) bool {
	cell, ok := r.Cell(mutant, test)
	return ok && cell.Cause == execute.CauseWork
}

func watch(ctx context.Context, e *execute.Engine, selector int32, test int) (string, error) {
	outcome, printed, err := e.Observe(ctx, selector, test)
	if err != nil {
		return "", err
	}
	if outcome.Cause.Limit() { // what was printed before does not count
		printed = nil
	}
	return describeRun(outcome.Cause, outcome.Status, printed), nil
}

// twinForm is a way to build a mutant's own program. The C standard allows each
// of them for a program whose behaviour is defined.
type twinForm struct {
	name   string
	flags  []string
	change func(*ir.Module)
}

// plainTwin is the form that is compared; otherTwins are those that a program
// with defined behaviour cannot tell from it.
var (
	plainTwin  = twinForm{"", []string{"-O0"}, func(m *ir.Module) { fillVariables(m, fillings[0]) }}
	otherTwins = []twinForm{
		{"what variables that it did not set hold", []string{"-O0"}, func(m *ir.Module) { fillVariables(m, fillings[1]) }},
		{"what variables that it did not set hold", []string{"-O0"}, func(m *ir.Module) { fillVariables(m, fillings[2]) }},
		{"where its variables lie in memory", []string{"-O0"}, func(m *ir.Module) {
			spreadVariables(m)
			fillVariables(m, fillings[0])
		}},
		{"whether it reads what it does not use", []string{"-O0"}, func(m *ir.Module) {
			keepReads(m)
			fillVariables(m, fillings[0])
		}},
		{"what a shift by more than the width gives", []string{"-O0"}, func(m *ir.Module) {
			otherShifts(m)
			fillVariables(m, fillings[0])
		}},
		{"how it is optimised", []string{"-O2"}, func(m *ir.Module) { fillVariables(m, fillings[0]) }},
	}
)

// dependsOn looks for something that a mutant's own program depends on and that
// the C standard leaves open.
func (r *twinRun) dependsOn(ctx context.Context, plain *execute.Engine, one *chosenTwin, test int, outOfWork bool) (string, error) {
	want, err := watch(ctx, plain, one.mutant.Selector, test)
	if err != nil {
		return "", err
	}
	if outOfWork {
		inMeta, err := watch(ctx, r.meta, one.mutant.Selector, test)
		if err != nil {
			return "", err
		}
		if inMeta == want {
			return "it leaves its memory, which goes further in one build, and ends alike when it may do more work", nil
		}
	}
	for _, form := range otherTwins {
		engine, err := r.gather(ctx, []chosenTwin{*one}, form.flags, form.change)
		if err != nil {
			return "", err
		}
		got, err := watch(ctx, engine, one.mutant.Selector, test)
		engine.Close()
		if err != nil {
			return "", err
		}
		if got != want {
			return "it depends on " + form.name, nil
		}
	}
	return "", nil
}
