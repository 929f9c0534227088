package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
)

// bench judges orders of the mutants of subjects.
type bench struct {
	model *models.Bundle
	tools *clang.Toolchain
	code  source
	errs  io.Writer
	half  int // of the subjects: 1 or 2; 0 is all
	draws int // of half of the tests, a subject
	// worths are those of the lists, of each draw a list.
	worths   map[row][]worth
	subjects int
	// looked counts the mutants of which inputs were looked for, by whether one was found, and by
	// whether a test kills it.
	looked [2][2]int
}

// source is where the code of what a history recorded is.
type source interface {
	// open loads the code of a run, with the mutants that were recorded, and what its tests read, where
	// that is known, by their names. No program: there is no such code.
	open(ctx context.Context, tools *clang.Toolchain, r *dataset.Run, mutants []string) (*program.Program, map[string][]byte, error)
	// tables are what it takes of a run beside its kills.
	tables() []string
	// name is what its subjects are.
	name() string
}

// leastWays is in how many ways tests kill mutants, at least, where lists are judged by what they kill, as in
// winnow evaluate: where there are fewer, any few mutants find all.
const leastWays = 5

func ways(k *kill.Matrix) int {
	seen := map[string]bool{}
	for m := range k.Mutants() {
		if killed := k.Killed(m); !killed.Empty() {
			seen[killed.Key()] = true
		}
	}
	return len(seen)
}

// row is an order beside a suite.
type row struct{ suite, order string }

// worth is what the first 5 and 20 of a list are worth: what they find, and the share of them that no test kills.
type worth struct{ found, dead [2]float64 }

var lengths = [2]int{5, 20}

func (b *bench) ofHistory(ctx context.Context, folder string) error {
	h, err := dataset.OpenHistory(folder)
	if err != nil {
		return err
	}
	for i := range h.Runs {
		r := &h.Runs[i]
		lacks := func(file string) bool { return !r.Has(file) }
		if slices.ContainsFunc(append(b.code.tables(), dataset.FeaturesFile), lacks) || b.half > 0 && i%2 != b.half-1 {
			continue
		}
		if err := b.ofRun(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
	}
	return nil
}

func (b *bench) ofRun(ctx context.Context, r *dataset.Run) error {
	recorded, err := r.Load(append(b.code.tables(), dataset.KillsFile)...)
	if err != nil {
		return err
	}
	whole, err := rank.OpenTables(r.Dir)
	if err != nil {
		return err
	}
	if recorded.Kills, err = whole.Kills(); err != nil { // with what the tests reach
		return err
	}
	if recorded.Faults == nil && ways(recorded.Kills) < leastWays {
		return nil
	}
	code, text, err := b.code.open(ctx, b.tools, r, recorded.Kills.Mutants())
	if err != nil {
		return err
	}
	if code == nil {
		fmt.Fprintf(b.errs, "%s: there is no code of it\n", r.Manifest.Program)
		return nil
	}
	draw := stream.New(1, "benchinputs "+r.Manifest.Program)
	alone := program.NewExamples(code, nil)
	judged := false
	for number := range b.draws {
		suite := halfOf(recorded, draw)
		j := newJudge(recorded, suite, draw)
		if !slices.ContainsFunc(j.killed(), func(k matrix.Bits) bool { return !k.Empty() }) {
			continue
		}
		judged = true
		if number == 0 {
			if err := b.orders(ctx, "none", r, suiteOf{}, j, alone); err != nil {
				return err
			}
		}
		beside := suiteOf{kills: recorded.Kills.OnTests(func(test string) bool { return suite[test] })}
		var tests []variation.Test
		for _, test := range beside.kills.Tests() {
			if in, known := text[test]; known {
				tests = append(tests, variation.Test{Input: in})
			}
		}
		examples := alone
		if len(tests) > 0 {
			examples = program.NewExamples(code, tests)
		}
		if err := b.orders(ctx, "half", r, beside, j, examples); err != nil {
			return err
		}
	}
	if judged {
		b.subjects++
	}
	return nil
}

// orders judges the order with and without a look at inputs, random ones, and the best by what is known.
func (b *bench) orders(ctx context.Context, suite string, r *dataset.Run, from suiteOf, j *judge, examples *program.Examples) (err error) {
	for _, name := range []string{"winnow", "and inputs"} {
		if from.Source, err = rank.OpenTables(r.Dir); err != nil {
			return err
		}
		how := rank.Options{Model: b.model, Strategy: predict.Winnow, Seed: 1, Survivors: true}
		if name != "winnow" {
			how.Uncalled = examples.Uncalled
			how.Look = func(ctx context.Context, ids []string) (inputs, calls map[string]bool, err error) {
				told, calls, err := examples.Told(ctx, ids)
				for _, id := range ids {
					b.looked[number(told[id] || calls[id])][number(j.kill(id))]++
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
	var kills []matrix.Bits
	for m, id := range j.kills.Mutants() {
		if from.kills == nil || from.kills.Verdict(m) == matrix.Survived {
			left, kills = append(left, id), append(kills, j.kills.Killed(m))
		}
	}
	var best []string
	for _, k := range shortlist.Coupled(kills, lengths[1]) {
		best = append(best, left[k])
	}
	b.add(row{suite, "coupling oracle"}, j.worth(best))
	const random = 20
	var mean worth
	for range random {
		j.draw.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] })
		w := j.worth(left)
		for k := range lengths {
			mean.found[k] += w.found[k] / random
			mean.dead[k] += w.dead[k] / random
		}
	}
	b.add(row{suite, "random"}, mean)
	return nil
}

func (b *bench) add(r row, w worth) { b.worths[r] = append(b.worths[r], w) }

func (b *bench) print(out io.Writer) {
	fmt.Fprintf(out, "%d %s\n\n| suite | order | found at %d / %d | way | of these no test kills |\n|---|---|---|---|---|\n", b.subjects, b.code.name(), lengths[0], lengths[1])
	for _, suite := range []string{"none", "half"} {
		least, most := mean(b.worths[row{suite, "random"}]), mean(b.worths[row{suite, "coupling oracle"}])
		for _, order := range []string{"random", "winnow", "and inputs", "coupling oracle"} {
			w := mean(b.worths[row{suite, order}])
			way := func(k int) float64 { return 100 * (w.found[k] - least.found[k]) / (most.found[k] - least.found[k]) }
			fmt.Fprintf(out, "| %s | %s | %.3f / %.3f | %.0f / %.0f %% | %.0f / %.0f %% |\n", suite, order, w.found[0], w.found[1], way(0), way(1), 100*w.dead[0], 100*w.dead[1])
		}
	}
	fmt.Fprintf(out, "\nof mutants that some test kills an input was found for %d of %d, of others for %d of %d\n",
		b.looked[1][1], b.looked[0][1]+b.looked[1][1], b.looked[1][0], b.looked[0][0]+b.looked[1][0])
}

func mean(lists []worth) (out worth) {
	for _, w := range lists {
		for k := range lengths {
			out.found[k] += w.found[k] / float64(len(lists))
			out.dead[k] += w.dead[k] / float64(len(lists))
		}
	}
	return out
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// suiteOf is mutants on which a part of the tests was run; no tests, where it has no kills.
type suiteOf struct {
	rank.Source
	kills *kill.Matrix
}

func (s suiteOf) Kills() (*kill.Matrix, error)      { return s.kills, nil }
func (s suiteOf) Proofs() (*dataset.Subject, error) { return &dataset.Subject{}, nil }

// halfOf are half of the tests that do not reveal a fault.
func halfOf(s *dataset.Subject, draw *rand.Rand) map[string]bool {
	var reveals matrix.Bits
	if s.Faults != nil {
		reveals = s.Faults.Revealing()
	}
	var quiet []string
	for t, name := range s.Kills.Tests() {
		if s.Faults == nil || !reveals.Get(t) {
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
