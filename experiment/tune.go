package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/predict"
)

// TunedRule is a rule and how far lists by it come, on the half of the problems that rules are
// chosen on, and on the other.
type TunedRule struct {
	Rule          predict.MarginalRule
	Chosen, Other Ways
}

// Ways are shares, in percent, of the way from random order to the coupling oracle: for lists
// without tests, and beside half of a suite, the way in faults revealed by the first 5 and by
// the first 20, and in minimal mutants killed by the first 20. Where no fault is known the first is
// in minimal mutants, too, and the second is NaN.
type Ways [2][3]float64

// Mean is what rules are chosen by: of those ways that there are.
func (w *Ways) Mean() float64 {
	sum, n := 0.0, 0
	for _, suite := range w {
		for _, v := range suite {
			if !math.IsNaN(v) {
				sum, n = sum+v, n+1
			}
		}
	}
	return sum / float64(n)
}

// Tune tries rules on a history, the best first. Scores are by cross-validation, as
// in Evaluate; the second half of the problems tells what a choice by the first is worth. Where no
// fault is known rules are judged by what the tests kill, on programs whose tests kill in some ways
// (subject.Varied).
func Tune(ctx context.Context, dir string, rules []predict.MarginalRule, opts Options) ([]TunedRule, error) {
	if err := opts.checkReveal(); err != nil {
		return nil, err
	}
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	return tune(ctx, subjects, rules, opts)
}

func tune(ctx context.Context, subjects []subject.Subject, rules []predict.MarginalRule, opts Options) ([]TunedRule, error) {
	scores, err := crossValidate(ctx, subjects, opts)
	if err != nil {
		return nil, err
	}
	scored, err := crossval.WithScores(scores.attach(subjects), scores.fault, scores.kill)
	if err != nil {
		return nil, err
	}
	strategies := []predict.Strategy{predict.Random}
	for i, r := range rules {
		strategies = append(strategies, r.Strategy(fmt.Sprintf("rule %d", i), "a rule that is tried"))
	}
	if len(subject.Faulty(scored)) == 0 {
		scored = subject.Varied(scored, fewestWays)
	}
	var problems []string
	for i := range scored {
		problems = append(problems, subject.ByProblem(&scored[i]))
	}
	first, second := halves(problems, opts.Seed)
	if len(second) == 0 {
		return nil, exit.New(exit.Input, errors.New("all faults, or all programs whose tests kill in several ways, are of one problem: there is none to judge a rule on that it was not chosen on"),
			"record faults of another problem too")
	}
	chosen, err := waysOf(ctx, at(scored, first), strategies, scores.besides, opts)
	if err != nil {
		return nil, err
	}
	other, err := waysOf(ctx, at(scored, second), strategies, scores.besides, opts)
	if err != nil {
		return nil, err
	}
	out := make([]TunedRule, len(rules))
	for i := range rules {
		name := strategies[1+i].Name
		out[i] = TunedRule{Rule: rules[i], Chosen: chosen[name], Other: other[name]}
	}
	slices.SortStableFunc(out, func(a, b TunedRule) int { return cmp.Compare(b.Chosen.Mean(), a.Chosen.Mean()) })
	return out, nil
}

// halves divides subjects, given their problems, so that no problem is in both.
func halves(problems []string, seed uint64) (first, second []int) {
	names := slices.Compact(slices.Sorted(slices.Values(problems)))
	r := stream.New(seed, "learn/halves")
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	in := map[string]bool{}
	for _, name := range names[:(len(names)+1)/2] {
		in[name] = true
	}
	for i, name := range problems {
		if in[name] {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	return first, second
}

func at(subjects []subject.Subject, places []int) (out []subject.Subject) {
	for _, i := range places {
		out = append(out, subjects[i])
	}
	return out
}

// waysOf judges the lists of strategies, by their names.
func waysOf(ctx context.Context, subjects []subject.Subject, strategies []predict.Strategy, known besides, opts Options) (map[string]Ways, error) {
	table, err := shortlist.Run(ctx, subjects, shortlist.Options{
		Strategies: strategies, Survivors: known.of, Lengths: []int{5, 20}, Walks: 1, Seed: opts.Seed, Workers: opts.Workers, Display: opts.Display,
		Bootstrap: significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers}})
	if err != nil {
		return nil, err
	}
	suites := shortlist.Suites()
	place := map[string]int{suites[0].Name: 0, suites[len(suites)-1].Name: 1} // without, and beside half
	out := map[string]Ways{}
	for _, row := range table.Rows {
		suite, wanted := place[row.Suite]
		if row.Reading != shortlist.Printed || !wanted {
			continue
		}
		ways := out[row.Order]
		switch faultless := math.IsNaN(float64(row.RevealedWay)); {
		case row.Length == 5 && faultless:
			ways[suite][0] = float64(row.MinimalWay)
		case row.Length == 5:
			ways[suite][0] = float64(row.RevealedWay)
		default:
			ways[suite][1], ways[suite][2] = float64(row.RevealedWay), float64(row.MinimalWay)
		}
		out[row.Order] = ways
	}
	return out, nil
}
