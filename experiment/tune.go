package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/predict"
)

// TunedRule is a rule and how much of what the oracle gains over random order it gains,
// in the share of faults found after 2 and 5 % of the mutants and in APFD: on the half
// of the problems that rules are chosen on, and on the other.
type TunedRule struct {
	Rule          predict.SetRule
	Chosen, Other [3]float64
}

// Worth is what rules are chosen by: the mean of the three on the half for that.
func (t *TunedRule) Worth() float64 { return (t.Chosen[0] + t.Chosen[1] + t.Chosen[2]) / 3 }

// Tune tries rules on a history, the best first. Scores are by cross-validation, as
// in Evaluate; the second half of the problems tells what a choice by the first is worth.
func Tune(ctx context.Context, dir string, rules []predict.SetRule, opts Options) ([]TunedRule, error) {
	if err := opts.checkReveal(); err != nil {
		return nil, err
	}
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	return tune(ctx, subjects, rules, opts)
}

func tune(ctx context.Context, subjects []subject.Subject, rules []predict.SetRule, opts Options) ([]TunedRule, error) {
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
	sim, err := simulate.Run(ctx, scored, simulate.Options{
		Strategies: strategies, Repetitions: opts.Repetitions, Seed: opts.Seed, Workers: opts.Workers, Display: opts.Display,
		Budgets: []simulate.Budget{simulate.Share(predict.Percent(2)), simulate.Share(predict.Percent(5))}})
	if err != nil {
		return nil, err
	}
	first, second := halves(sim.Problems, opts.Seed)
	if len(second) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("all faults are of one problem: there is none to judge a rule on that it was not chosen on"),
			"record faults of another problem too")
	}
	out := make([]TunedRule, len(rules))
	for i := range rules {
		out[i] = TunedRule{Rule: rules[i], Chosen: gains(sim, 1+i, first), Other: gains(sim, 1+i, second)}
	}
	slices.SortStableFunc(out, func(a, b TunedRule) int { return cmp.Compare(b.Worth(), a.Worth()) })
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

// gains are shares of the oracle's gain on some subjects; the oracle is the last
// order of a simulation, random order the first.
func gains(sim *simulate.Simulation, strategy int, subjects []int) (out [3]float64) {
	mean := func(strategy int) (m [3]float64) {
		for _, i := range subjects {
			o := &sim.Outcomes[strategy][i]
			for k, v := range [3]float64{o.Revealed[0], o.Revealed[1], o.APFD[simulate.Analysed]} {
				m[k] += v / float64(len(subjects))
			}
		}
		return m
	}
	random, own, oracle := mean(0), mean(strategy), mean(len(sim.Outcomes)-1)
	for k := range out {
		out[k] = (own[k] - random[k]) / (oracle[k] - random[k])
	}
	return out
}
