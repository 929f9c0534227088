package rank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// Options choose how mutants are ranked.
type Options struct {
	// Model scores the mutants; nil only for strategies that need none.
	Model    *models.Bundle
	Strategy predict.Strategy
	Top      predict.Top
	Seed     uint64
	// Probe tells what the program's tests make of its mutants, for a model that
	// reads dynamic features and for a budget; it is called after the static ones
	// are computed.
	Probe func(*program.Program) (*Observed, error)
	// Budget lists only mutants that can be run in this time (predict.Afford); 0
	// is no bound.
	Budget time.Duration
	// Reasons is how many features to name for each mutant shown.
	Reasons int
}

// Program scores and orders a program's mutants.
func Program(p *program.Program, opts Options) (*report.Ranking, error) {
	mutants := p.Mutants()
	scores := scoresOf(mutants)
	out := newRanking(p.Name, len(mutants), opts)
	out.Skipped, out.Notes = p.Skipped(), p.Notes()
	out.LeftOut = report.LeftOut{Equivalent: p.Count(equiv.Equivalent), Duplicate: p.Count(equiv.Duplicate), Invalid: p.Count(equiv.Invalid), Suppressed: len(p.Suppressed)}
	if opts.Budget > 0 && opts.Probe == nil {
		return nil, exit.New(exit.Usage, errors.New("a budget needs tests, to tell what a mutant costs"), "name a folder with "+project.File+", which says what the tests are")
	}
	if opts.Probe != nil {
		opts.Probe = once(opts.Probe)
	}
	var rows [][]float64
	if opts.Model != nil {
		var err error
		if rows, err = featureRows(p, opts); err != nil {
			return nil, err
		}
		if err := score(scores, rows, opts.Model); err != nil {
			return nil, err
		}
		out.Drift = report.DriftOf(opts.Model, len(rows), func(at int) []float64 { return columnOf(rows, at) })
	}
	order, err := orderOf(scores, opts)
	if err != nil {
		return nil, err
	}
	explain, err := newReasons(opts)
	if err != nil {
		return nil, err
	}
	if opts.Budget > 0 {
		if order, err = afford(p, opts, scores, order, out); err != nil {
			return nil, err
		}
	}
	for rank, i := range order[:opts.Top.Of(len(order))] {
		r := rankedOf(&mutants[i], scores[i], rank+1)
		if rows != nil {
			r.Reasons = explain.of(rows[i])
		}
		out.Mutants = append(out.Mutants, r)
	}
	return out, nil
}

func newRanking(program string, mutants int, opts Options) *report.Ranking {
	out := &report.Ranking{Program: program, Strategy: opts.Strategy.Name, Seed: opts.Seed, Total: mutants, Mutants: []report.Ranked{}}
	if opts.Model != nil {
		out.Model = opts.Model.Card.Name + " " + opts.Model.Card.Version
	}
	return out
}

// score writes what a model says of the mutants with these rows.
func score(scores []predict.Score, rows [][]float64, model *models.Bundle) error {
	scorer, err := predict.NewBundleScorer(model, experiment.ColumnsOf(features.FullSchema()))
	if err != nil {
		return err
	}
	if err := scorer.Apply(scores, rows); err != nil {
		return err
	}
	for i := range scores {
		scores[i].Features, scores[i].Columns = rows[i], model.Card.Features
	}
	return nil
}

func orderOf(scores []predict.Score, opts Options) ([]int, error) {
	order, err := opts.Strategy.Order(scores, opts.Seed)
	if err != nil {
		return nil, exit.New(exit.Usage, err, "give a model with --model, or a strategy that needs none, such as --strategy random")
	}
	return order, nil
}

func columnOf(rows [][]float64, at int) []float64 {
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = row[at]
	}
	return values
}

// once keeps the first answer of a probe, which runs all tests.
func once(probe func(*program.Program) (*Observed, error)) func(*program.Program) (*Observed, error) {
	var kept *Observed
	return func(p *program.Program) (*Observed, error) {
		if kept != nil {
			return kept, nil
		}
		var err error
		kept, err = probe(p)
		return kept, err
	}
}

// afford takes from an order the mutants that the budget does not buy.
func afford(p *program.Program, opts Options, scores []predict.Score, order []int, out *report.Ranking) ([]int, error) {
	probed, err := opts.Probe(p)
	if err != nil {
		return nil, err
	}
	cost := make([]float64, len(scores))
	for i := range scores {
		cost[i] = probed.Seconds[scores[i].ID]
	}
	bought := predict.Afford(scores, cost, opts.Budget.Seconds())
	out.Budget = &report.Budget{Seconds: opts.Budget.Seconds(), Mutants: bought.Count, Spent: bought.Spent, All: bought.Total,
		PredictedLostRevelation: report.Probability(bought.LostRevelation), PredictedLostKillable: report.Probability(bought.LostKillable)}
	return slices.DeleteFunc(slices.Clone(order), func(i int) bool { return !bought.Picked[i] }), nil
}

func scoresOf(mutants []mutant.Mutant) []predict.Score {
	out := make([]predict.Score, len(mutants))
	for i, m := range mutants {
		out[i] = predict.Score{ID: m.ID, Selector: m.Selector, Fault: math.NaN(), Kill: math.NaN(),
			Statement: m.Site.Statement, File: m.File, Line: m.Line, Operator: m.Operator, Matcher: m.Matcher, Replacer: m.Replacer}
	}
	return out
}

func rankedOf(m *mutant.Mutant, s predict.Score, rank int) report.Ranked {
	return report.Ranked{
		ID: m.ID, File: paths.Relative("", m.File), Line: m.Line, Column: m.Column, Function: m.Function, Operator: m.Operator, Type: m.Type(),
		Original: m.Original, Replacement: m.Replacement, Rank: rank,
		PFault: report.Probability(s.Fault), PKill: report.Probability(s.Kill),
	}
}

// featureRows computes the features that a model reads, one row a mutant.
func featureRows(p *program.Program, opts Options) ([][]float64, error) {
	model := opts.Model
	if err := model.CheckSchema(experiment.ColumnsOf(features.FullSchema())); err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	static, dynamic, err := experiment.SplitColumns(model.Card.Features)
	if err != nil {
		return nil, err
	}
	if len(dynamic) > 0 && opts.Probe == nil {
		return nil, exit.New(exit.Usage, fmt.Errorf("model %s reads what a run of the program's tests tells", model.Card.Name),
			"name a folder with "+project.File+", which says what the tests are, or take a model of static features")
	}
	t, err := program.Features(p)
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(t, static)
	if err != nil || len(dynamic) == 0 {
		return rows, err
	}
	probed, err := opts.Probe(p)
	if err != nil {
		return nil, err
	}
	mutants := p.Mutants()
	ids := make([]string, len(mutants))
	for i := range mutants {
		ids[i] = mutants[i].ID
	}
	return experiment.WithDynamic(rows, static, ids, probed.Dynamic, model.Card.Features)
}

// rowsOf transposes the named columns of a table.
func rowsOf(t *table.Table, columns []string) ([][]float64, error) {
	rows := make([][]float64, t.Rows())
	cells := make([]float64, t.Rows()*len(columns))
	for i := range rows {
		rows[i] = cells[i*len(columns) : (i+1)*len(columns)]
	}
	for k, name := range columns {
		values, err := t.Numbers(name)
		if err != nil {
			return nil, fmt.Errorf("reading feature %s: %w", name, err)
		}
		for i, v := range values {
			rows[i][k] = v
		}
	}
	return rows, nil
}

// reasons explains scores by Shapley values of the model that the strategy
// ranks by.
type reasons struct {
	explainer *tree.Explainer
	names     []string
	count     int
}

func newReasons(opts Options) (*reasons, error) {
	r := &reasons{count: opts.Reasons}
	if opts.Model == nil || opts.Reasons == 0 {
		return r, nil
	}
	ensemble := opts.Model.Fault
	if opts.Strategy.NeedsModel == predict.NeedsKill {
		ensemble = opts.Model.Kill
	}
	if opts.Strategy.NeedsModel&predict.NeedsLate != 0 && opts.Model.Late != nil {
		ensemble = opts.Model.Late
	}
	explainer, err := tree.NewExplainer(ensemble)
	if err != nil {
		return nil, fmt.Errorf("explaining scores: %w", err)
	}
	r.explainer, r.names = explainer, ensemble.Names()
	return r, nil
}

func (r *reasons) of(row []float64) []report.Reason {
	if r.explainer == nil {
		return nil
	}
	weights := r.explainer.Contributions(row)
	order := make([]int, len(r.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(weights[b]), math.Abs(weights[a]))
	})
	var out []report.Reason
	for _, k := range order[:min(r.count, len(order))] {
		if weights[k] != 0 {
			out = append(out, report.Reason{Feature: r.names[k], Value: number.Float(row[k]), Weight: weights[k]})
		}
	}
	return out
}
