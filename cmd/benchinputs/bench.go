package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
)

// bench judges orders of the mutants of faults.
type bench struct {
	model    *models.Bundle
	tools    *clang.Toolchain
	subjects map[string]*codeflaws.Subject
	work     *scratch.Folder
	sums     map[row]*worth
	half     int // of the faults: 1 or 2; 0 is all
	faults   int
	// looked counts the mutants of which inputs were looked for, by whether one was found, and by
	// whether a test kills it.
	looked [2][2]int
}

// row is an order beside a suite.
type row struct{ suite, order string }

// worth is what lists are worth, summed: the chance that the first 5 and 20 reveal the fault, and the
// share of them that no test kills.
type worth struct {
	revealed, dead [2]float64
	lists          float64
}

var lengths = [2]int{5, 20}

func (b *bench) open(benchmark, model string) (err error) {
	if b.model, err = released.Open(model); err != nil {
		return err
	}
	if b.tools, err = clang.Find(); err != nil {
		return err
	}
	all, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return err
	}
	b.subjects, b.sums = map[string]*codeflaws.Subject{}, map[row]*worth{}
	for i := range all {
		b.subjects[all[i].ID] = &all[i]
	}
	b.work, err = scratch.New("benchinputs")
	return err
}

func (b *bench) ofHistory(ctx context.Context, folder string) error {
	h, err := dataset.OpenHistory(folder)
	if err != nil {
		return err
	}
	for i := range h.Runs {
		r := &h.Runs[i]
		if !r.Has(dataset.FaultsFile) || !r.Has(dataset.FeaturesFile) || b.half > 0 && i%2 != b.half-1 {
			continue
		}
		if err := b.ofFault(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
	}
	return nil
}

func (b *bench) ofFault(ctx context.Context, r *dataset.Run) error {
	recorded, err := r.Load(dataset.KillsFile, dataset.FaultsFile)
	if err != nil {
		return err
	}
	subject := b.subjects[r.Manifest.Program]
	if subject == nil {
		return fmt.Errorf("the benchmark has no fault %s", r.Manifest.Program)
	}
	code, err := b.mutants(ctx, subject)
	if err != nil {
		return err
	}
	inputs, _, err := subject.Inputs()
	if err != nil {
		return err
	}
	text := map[string][]byte{}
	for _, in := range inputs {
		text[in.Name] = in.Data
	}
	draw := stream.New(1, "benchinputs "+subject.ID)
	suite := halfOf(recorded, draw)
	j := &judge{kills: recorded.Kills.OnTests(func(test string) bool { return !suite[test] }), draw: draw}
	j.reveals = revealing(recorded, j.kills)
	b.faults++
	for _, with := range []string{"none", "half"} {
		tables, err := rank.OpenTables(r.Dir)
		if err != nil {
			return err
		}
		beside := suiteOf{Source: tables}
		var tests []variation.Test
		if with == "half" {
			beside.kills = recorded.Kills.OnTests(func(test string) bool { return suite[test] })
			for _, test := range beside.kills.Tests() {
				tests = append(tests, variation.Test{Input: text[test]})
			}
		}
		if err := b.orders(ctx, with, beside, j, program.NewExamples(code, tests)); err != nil {
			return err
		}
	}
	return nil
}

// mutants compiles the fault as it was recorded.
func (b *bench) mutants(ctx context.Context, s *codeflaws.Subject) (*program.Program, error) {
	source, err := codeflaws.ReadSource(s.Faulty)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(b.work.Path, "faulty.c")
	if err := os.WriteFile(path, source, 0o644); err != nil {
		return nil, err
	}
	return program.Load(ctx, b.tools, []program.Input{{Path: path, Flags: codeflaws.CompileFlags()}}, program.LoadOptions{Mutation: program.Mutation{Unjudged: true}})
}

// orders judges the order with and without a look at inputs, and random ones.
func (b *bench) orders(ctx context.Context, suite string, from suiteOf, j *judge, examples *program.Examples) error {
	for _, name := range []string{"winnow", "and inputs"} {
		how := rank.Options{Model: b.model, Strategy: predict.Winnow, Seed: 1, Survivors: true}
		if name != "winnow" {
			how.Look = func(ctx context.Context, ids []string) (inputs, calls map[string]bool, err error) {
				told, calls, err := examples.Told(ctx, ids)
				for _, id := range ids {
					b.looked[number(told[id])][number(j.killed(id))]++
				}
				return told, calls, err
			}
		}
		ranking, err := rank.Order(ctx, from, how)
		if err != nil {
			return err
		}
		var order []string
		for _, m := range ranking.Mutants[:min(lengths[1], len(ranking.Mutants))] {
			order = append(order, m.ID)
		}
		b.add(row{suite, name}, j.worth(order))
	}
	var left []string
	for m, id := range j.kills.Mutants() {
		if from.kills == nil || from.kills.Verdict(m) == matrix.Survived {
			left = append(left, id)
		}
	}
	for range 20 {
		j.draw.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] })
		b.add(row{suite, "random"}, j.worth(left))
	}
	return nil
}

func (b *bench) add(r row, w worth) {
	sum := b.sums[r]
	if sum == nil {
		sum = &worth{}
		b.sums[r] = sum
	}
	for k := range lengths {
		sum.revealed[k] += w.revealed[k]
		sum.dead[k] += w.dead[k]
	}
	sum.lists++
}

func (b *bench) print(out io.Writer) {
	fmt.Fprintf(out, "%d faults\n\n| suite | order | revealed at %d / %d | of these no test kills |\n|---|---|---|---|\n", b.faults, lengths[0], lengths[1])
	for _, suite := range []string{"none", "half"} {
		for _, order := range []string{"random", "winnow", "and inputs"} {
			if w := b.sums[row{suite, order}]; w != nil {
				fmt.Fprintf(out, "| %s | %s | %.3f / %.3f | %.0f / %.0f %% |\n", suite, order, w.revealed[0]/w.lists, w.revealed[1]/w.lists, 100*w.dead[0]/w.lists, 100*w.dead[1]/w.lists)
			}
		}
	}
	fmt.Fprintf(out, "\nof mutants that some test kills an input was found for %d of %d, of others for %d of %d\n",
		b.looked[1][1], b.looked[0][1]+b.looked[1][1], b.looked[1][0], b.looked[0][0]+b.looked[1][0])
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// suiteOf is mutants on which a part of the tests was run.
type suiteOf struct {
	rank.Source
	kills *kill.Matrix
}

func (s suiteOf) Kills() (*kill.Matrix, error)      { return s.kills, nil }
func (s suiteOf) Proofs() (*dataset.Subject, error) { return &dataset.Subject{}, nil }

// halfOf are half of the tests that do not reveal the fault.
func halfOf(s *dataset.Subject, draw *rand.Rand) map[string]bool {
	reveals := s.Faults.Revealing()
	var quiet []string
	for t, name := range s.Kills.Tests() {
		if !reveals.Get(t) {
			quiet = append(quiet, name)
		}
	}
	draw.Shuffle(len(quiet), func(i, j int) { quiet[i], quiet[j] = quiet[j], quiet[i] })
	out := map[string]bool{}
	for _, name := range quiet[:len(quiet)/2] {
		out[name] = true
	}
	return out
}
