package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

// found is what the stages find of the equivalent mutants of a program.
type found struct {
	mutants, equivalent, duplicates, open int
	// by are the equivalent mutants by stage.
	by map[string]int
}

// table prints, of projects of one source, how many of the equivalent mutants are found:
// those of all functions but main, which only reads what they are called with. What stays open
// and no input tells that was made, in the time of -search a mutant, is taken for equivalent:
// the share that is found is at least what is printed.
func (v *verifier) table(ctx context.Context, folders []string) error {
	fmt.Fprintf(v.out, "| program | mutants | duplicates | constraint | tce | smt | bmc | equivalent | open | found |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	all := found{by: map[string]int{}}
	for _, folder := range folders {
		one, err := v.equivalentsOf(ctx, folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		one.write(v, filepath.Base(folder))
		all.mutants += one.mutants
		all.equivalent += one.equivalent
		all.duplicates += one.duplicates
		all.open += one.open
		for stage, n := range one.by {
			all.by[stage] += n
		}
	}
	all.write(v, "all")
	return nil
}

func (f *found) write(v *verifier, name string) {
	fmt.Fprintf(v.out, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f %% |\n", name, f.mutants, f.duplicates,
		f.by["constraint"], f.by["tce"], f.by["smt"], f.by["bmc"], f.equivalent, f.open, 100*float64(f.equivalent)/float64(max(f.equivalent+f.open, 1)))
}

// assumptionsOf are those of the file assume.txt of a folder: what main checks before it calls.
func assumptionsOf(folder string) ([]assume.Assumption, error) {
	text, err := os.ReadFile(filepath.Join(folder, "assume.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return assume.Parse(text)
}

func (v *verifier) equivalentsOf(ctx context.Context, folder string) (found, error) {
	out := found{by: map[string]int{}}
	tested, err := project.Open(folder)
	if err != nil {
		return out, err
	}
	cases, err := tested.Cases(false)
	if err != nil {
		return out, err
	}
	c := &cases[0]
	whole, err := program.Load(ctx, v.tools, c.Inputs, program.LoadOptions{})
	if err != nil {
		return out, err
	}
	var functions []string
	for _, m := range whole.Mutants() {
		if m.Function != "main" && !slices.Contains(functions, m.Function) {
			functions = append(functions, m.Function)
		}
	}
	assumed, err := assumptionsOf(folder)
	if err != nil {
		return out, err
	}
	p, err := program.Load(ctx, v.tools, c.Inputs, program.LoadOptions{
		Mutation: program.Mutation{Scope: scope.Options{Functions: functions}, Further: v.stages(assumed), KeepUndefined: true}})
	if err != nil {
		return out, err
	}
	for _, s := range p.Stages {
		out.by[s.Stage] += s.Equivalent
	}
	open := map[string]program.Proof{}
	for _, one := range p.Proofs() {
		out.mutants++
		switch one.Verdict {
		case equiv.Equivalent:
			out.equivalent++
		case equiv.Duplicate:
			out.duplicates++
		case equiv.Unknown:
			open[one.Mutant.ID] = one
		}
	}
	left, err := v.search(ctx, c, open)
	out.open = len(left)
	if v.list {
		for _, one := range left {
			fmt.Fprintf(v.errs, "%s:%d %s → %s\n", one.Mutant.File, one.Mutant.Line, one.Mutant.Original, one.Mutant.Replacement)
		}
	}
	return out, err
}
