package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/ub"
)

// operators are those of the thesis (table 2.2), by the names of presets. A mutant that two
// of them make is counted for the first.
var operators = []string{"OCNG", "LCR", "ROR", "UOI", "CRCR", "ABS", "AOR", "OAAA", "OBBN", "SSDL"}

// tally is what was counted of one program.
type tally struct {
	name           string
	files, refused int
	mutants        int
	by             map[string]int // operator
	// found are the mutants that the published analyses find, and those that package ub finds.
	found               map[published]int
	definite, potential map[ub.Category]int
	judged, asPublished time.Duration
	compiled            time.Duration
}

// published is an analysis of the thesis and the operator of what it found.
type published struct{ analysis, operator string }

type counter struct {
	out, errs io.Writer
	tools     *clang.Toolchain
	compare   bool
	most      int
	list      string
}

func (c *counter) program(ctx context.Context, name string, inputs []program.Input) (*tally, error) {
	t := &tally{name: name, by: map[string]int{}, found: map[published]int{}, definite: map[ub.Category]int{}, potential: map[ub.Category]int{}}
	for k, in := range inputs {
		fmt.Fprintf(c.errs, "\r%s: %d of %d files", name, k+1, len(inputs))
		err := c.file(ctx, t, in)
		if refused := (*clang.Error)(nil); errors.As(err, &refused) && ctx.Err() == nil {
			t.refused++ // what a build makes and throws away, as configure's tests
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Path, err)
		}
		t.files++
	}
	fmt.Fprintln(c.errs)
	return t, nil
}

func (c *counter) file(ctx context.Context, t *tally, in program.Input) error {
	text, err := c.tools.In(in.Directory).Compile(ctx, in.Path, in.Flags)
	if err != nil {
		return err
	}
	m, err := ir.Parse(in.Path, text)
	if err != nil {
		return err
	}
	rules, of, err := thesisRules()
	if err != nil {
		return err
	}
	opts := operator.Options{Rules: rules}
	if source, err := csource.Parse(in.Path, in.Flags); err == nil {
		opts.Source = source
	}
	lowered := &op.Module{}
	judge := ub.NewJudge(lowered)
	for f, mutants := range operator.NewGenerator(m, opts).All() {
		lowered.Function(f) // which whatever analysis comes first needs
		c.function(t, judge, f, mutants, of)
	}
	if c.compare {
		used, err := optimised(ctx, in)
		if err != nil {
			return err
		}
		t.compiled += used
	}
	return nil
}

// function counts the mutants of a function. of is the operator of a rule.
func (c *counter) function(t *tally, judge *ub.Judge, f *llir.Func, mutants []mutant.Mutant, of map[string]string) {
	t.mutants += len(mutants)
	start := used(syscall.RUSAGE_SELF)
	verdicts := judge.Of(f, mutants)
	middle := used(syscall.RUSAGE_SELF)
	faithful := judge.Faithful(f, mutants)
	t.judged, t.asPublished = t.judged+middle-start, t.asPublished+used(syscall.RUSAGE_SELF)-middle
	for i := range mutants {
		name := of[mutants[i].Rule]
		t.by[name]++
		if v := faithful[i]; v.Grade != ub.Unproven {
			t.found[published{v.Analysis, name}]++
		}
		switch v := verdicts[i]; v.Grade {
		case ub.Definite:
			t.definite[v.Category]++
		case ub.Potential:
			t.potential[v.Category]++
		}
		c.print(&mutants[i], verdicts[i], faithful[i])
	}
}

// print lists a mutant if it is asked for.
func (c *counter) print(m *mutant.Mutant, now, faithful ub.Verdict) {
	if c.list == "" || now.Grade == ub.Unproven && faithful.Grade == ub.Unproven || c.list != "all" && c.list != now.Category.String() {
		return
	}
	fmt.Fprintf(c.out, "%s:%d: %s -> %s: %s %s (line %d); as published: %s\n",
		m.File, m.Line, m.Original, m.Replacement, now.Grade, now.Reason, now.Line, faithful.Analysis)
}

// thesisRules are the rules of the thesis' operators, and of which each is. OCNG of the
// thesis also makes conditions true and false.
func thesisRules() (rules *rule.Set, of map[string]string, err error) {
	rules, of = &rule.Set{Name: "thesis"}, map[string]string{}
	for _, name := range operators {
		set, err := rule.Lookup(name)
		if err != nil {
			return nil, nil, err
		}
		own := slices.Clone(set.Rules)
		if name == "OCNG" {
			for _, r := range rule.Default().Rules {
				if r.Match.Fragment == "COND" {
					own = append(own, r)
				}
			}
		}
		for _, r := range own {
			if of[r.Name] == "" {
				of[r.Name] = name
				rules.Rules = append(rules.Rules, r)
			}
		}
	}
	return rules, of, nil
}

// optimised is the processor's time that clang -O2 takes for a file.
func optimised(ctx context.Context, in program.Input) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, "clang-14", append(slices.Clone(in.Flags), "-w", "-O2", "-c", "-o", os.DevNull, in.Path)...)
	cmd.Dir = in.Directory
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("clang -O2 %s: %w\n%s", in.Path, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// used is the processor's time of this process.
func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
