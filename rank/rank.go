package rank

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// Options choose how mutants are ranked.
type Options struct {
	// Model scores the mutants; nil only for strategies that need none.
	Model    *models.Bundle
	Strategy predict.Strategy
	Top      predict.Top
	Seed     uint64
	// Budget lists only mutants that can be run in this time (predict.Afford); 0
	// is no bound.
	Budget time.Duration
	// Reasons is how many features to name for each mutant shown. Where more than
	// MostReasoned are shown, none has reasons; 0 is no bound.
	Reasons      int
	MostReasoned int
	// Survivors lists only mutants that no test was seen to kill, where the source knows what
	// tests did.
	Survivors bool
	// Rest lists the others after the survivors, in the same order among themselves.
	Rest bool
	// Since is, by the id of a mutant, how many tests that were made after the source was recorded
	// infect it and do not kill it.
	Since map[string]int
	// Infecting, when set, says that there are tests that no mutant was run on yet, and, by the
	// id of a mutant, how many of them infect it: what they are likely to let live, and another
	// test to kill, comes first. It is asked when the features are read.
	Infecting func() (map[string]int, error)
	// Look, when set, looks for inputs that tell mutants, by their ids, from the original, and says
	// whether it found one; of those that it cannot look for, whether it found a call. It is asked for the
	// first of the order, until those that come first were asked for: who has an input can be killed.
	Look func(ctx context.Context, ids []string) (inputs, calls map[string]bool, err error)
	// Uncalled, when set, says of mutants, by their ids, that they are in functions that nothing calls in
	// the program that they are of, so that no input comes to them. What tests reach it is not asked of.
	Uncalled func(id string) bool
	// Fold lists one mutant of those of a function that show the same on each drawn input.
	Fold bool
	// Workers score groups of mutants at the same time; 0 means one a CPU.
	Workers int
}

// Order scores and orders the mutants of a source. The result is the same for any
// number of workers.
func Order(ctx context.Context, from Source, opts Options) (*report.Ranking, error) {
	out, err := from.Head()
	if err != nil {
		return nil, err
	}
	r := &ranking{from: from, opts: opts, out: &out, scores: from.Scores()}
	out.Strategy, out.Seed, out.Total = opts.Strategy.Name, opts.Seed, len(r.scores)
	if err := r.open(); err != nil {
		return nil, err
	}
	if r.features != nil {
		defer r.features.Close()
		if err := r.choose(ctx); err != nil {
			return nil, err
		}
		if err := r.score(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.untried(); err != nil {
		return nil, err
	}
	left, err := r.survivors()
	if err != nil {
		return nil, err
	}
	order, err := r.looked(ctx, left)
	if err == nil && opts.Rest {
		var rest []int
		rest, err = r.orderOf(r.without(left))
		order = append(order, rest...)
	}
	if err != nil {
		return nil, err
	}
	if opts.Budget > 0 {
		if order, err = r.afford(order); err != nil {
			return nil, err
		}
	}
	var alike []int
	top := opts.Top.Of(len(order))
	if opts.Fold {
		order, alike = r.fold(order)
	}
	r.show(order[:min(top, len(order))], alike)
	return r.out, r.explain(ctx)
}

// trusted are the scores by which mutants are ordered: where the program is foreign to the
// model, a strategy that does without one is not told what it says.
func (r *ranking) trusted() []predict.Score {
	if r.out.Drift == nil || !r.out.Drift.Foreign || r.opts.Strategy.NeedsModel != predict.NeedsNone {
		return r.scores
	}
	out := slices.Clone(r.scores)
	for i := range out {
		out[i].Fault, out[i].Kill, out[i].Reveal, out[i].Late, out[i].Another = math.NaN(), math.NaN(), 0, 0, 0
	}
	return out
}

// ranking is a ranking in the making.
type ranking struct {
	from   Source
	opts   Options
	out    *report.Ranking
	scores []predict.Score
	// features are nil without a model; columns are those of the model, in its order.
	features Features
	columns  []string
	observed *Observed // nil until the tests have run
	shown    []int     // the places of the mutants in the report
	// tests are what tests did with each mutant, by place; nil where none were run.
	tests []*report.Seen
	// uncalled are the places of mutants in functions that nothing calls.
	uncalled map[int]bool
}

// open opens the features that the model reads. Where there are none, a model is left
// out by a strategy that does without, for its probabilities would only be shown.
func (r *ranking) open() error {
	if r.opts.Budget > 0 && !r.from.Tested() {
		return &NeedsTests{}
	}
	model := r.opts.Model
	if model == nil {
		return nil
	}
	_, dynamic, err := experiment.SplitColumns(model.Card.Features)
	if err != nil {
		return err
	}
	if len(dynamic) > 0 && !r.from.Tested() {
		return &NeedsTests{Model: model.Card.Name}
	}
	features, err := r.from.Features()
	if missing := (*TableError)(nil); errors.As(err, &missing) && missing.Problem == NoFeatures &&
		r.opts.Strategy.NeedsModel == predict.NeedsNone && !r.opts.Strategy.NeedsFeatures {
		r.opts.Model = nil
		r.out.Notes = append(r.out.Notes, "no features of the mutants are known, and the order needs none: no probabilities are shown")
		return nil
	}
	if err != nil {
		return err
	}
	if len(dynamic) > 0 {
		features = &withDynamic{static: features, observe: r.observe}
	}
	r.features = features
	r.ask(model)
	return nil
}

// ask has the mutants scored by a model.
func (r *ranking) ask(model *models.Bundle) {
	r.opts.Model, r.columns = model, model.Card.Features
	r.out.Model = model.Card.Name + " " + model.Card.Version
}

// observe runs the tests, once.
func (r *ranking) observe() (*Observed, error) {
	if r.observed != nil {
		return r.observed, nil
	}
	var err error
	r.observed, err = r.from.Observe()
	return r.observed, err
}

// score asks the model, group by group: as many at a time as there are workers. Only what
// its trees read is read, unless the strategy asks for all features.
func (r *ranking) score(ctx context.Context) error {
	scorer, err := predict.NewBundleScorer(r.opts.Model, experiment.ColumnsOf(r.features.Schema()))
	if other := (*models.SchemaError)(nil); errors.As(err, &other) {
		return other
	}
	if err != nil {
		return err
	}
	names := scorer.Reads()
	if r.opts.Strategy.NeedsFeatures {
		names = r.columns
	}
	at := make(map[string]int, len(r.columns)) // in a row of the model
	for i, name := range r.columns {
		at[name] = i
	}
	err = r.read(ctx, pass{columns: names, workers: r.opts.Workers}, func(from, rows int, values [][]float64) error {
		columns := make([][]float64, len(r.columns))
		for k, name := range names {
			columns[at[name]] = values[k]
		}
		scores := r.scores[from : from+rows]
		if r.opts.Strategy.NeedsFeatures {
			giveFeatures(scores, columns, r.columns)
		}
		return scorer.ApplyColumns(scores, columns)
	})
	if err != nil {
		return err
	}
	if err := r.giveTrials(ctx); err != nil {
		return err
	}
	return nil
}

// choose takes, of the model and those that it names, the one whose programs are most like
// this one: the distance is counted in that which is usual among them. The first is taken
// where that cannot be told.
func (r *ranking) choose(ctx context.Context) error {
	best, err := r.opts.Model, error(nil)
	if r.out.Drift, err = r.drift(ctx); err != nil {
		return err
	}
	for other := best.Otherwise; other != nil && r.out.Drift != nil; other = other.Otherwise {
		if !r.canAsk(other) {
			continue
		}
		r.ask(other)
		drift, err := r.drift(ctx)
		if err != nil {
			return err
		}
		if drift != nil && drift.Share() < r.out.Drift.Share() {
			best, r.out.Drift = other, drift
		}
	}
	r.ask(best)
	return nil
}

// canAsk reports whether a model has what the strategy needs.
func (r *ranking) canAsk(model *models.Bundle) bool {
	return r.opts.Strategy.NeedsModel == predict.NeedsNone || model.Fault != nil || r.opts.Strategy.NeedsModel == predict.NeedsKill
}

// giveTrials gives the mutants the drawn inputs that show them, where the features have
// them.
func (r *ranking) giveTrials(ctx context.Context) error {
	schema := r.features.Schema()
	for _, name := range predict.TrialColumns {
		if schema.Index(name) < 0 {
			return nil
		}
	}
	return r.read(ctx, pass{columns: predict.TrialColumns, workers: r.opts.Workers}, func(from, rows int, columns [][]float64) error {
		predict.GiveTrials(r.scores[from:from+rows], columns)
		return nil
	})
}

// giveFeatures gives strategies the features of the mutants, a row each.
func giveFeatures(scores []predict.Score, columns [][]float64, names []string) {
	for i := range scores {
		scores[i].Features, scores[i].Columns = make([]float64, len(columns)), names
		for f := range columns {
			scores[i].Features[f] = columns[f][i]
		}
	}
}

// pass is a reading of the features.
type pass struct {
	columns []string
	workers int
	// only chooses the groups that are read, by the places of their mutants; nil is all.
	only func(from, to int) bool
}

// read hands over features group by group, column by column. from is the place of a
// group's first mutant.
func (r *ranking) read(ctx context.Context, p pass, do func(from, rows int, columns [][]float64) error) error {
	groups, err := r.features.Groups(p.columns...)
	if err != nil {
		return err
	}
	return parallel.Each(ctx, p.workers, placesOf(groups), func(_ context.Context, group, from int) error {
		rows := groups.Rows(group)
		if rows == 0 || p.only != nil && !p.only(from, from+rows) {
			return nil
		}
		columns := make([][]float64, len(p.columns))
		if len(columns) == 0 { // trees that look at nothing
			return do(from, rows, columns)
		}
		batch, err := groups.Read(group)
		if err != nil {
			return err
		}
		for k := range columns {
			if columns[k], err = batch.NumbersAt(k); err != nil {
				return err
			}
		}
		return do(from, rows, columns)
	})
}

// placesOf are the places of the first rows of groups.
func placesOf(groups Groups) iter.Seq[int] {
	return func(yield func(int) bool) {
		from := 0
		for group := range groups.Len() {
			if !yield(from) {
				return
			}
			from += groups.Rows(group)
		}
	}
}

// drift compares the mutants with those that the model learned from.
func (r *ranking) drift(ctx context.Context) (*report.Drift, error) {
	var failed error
	out := report.DriftOf(r.opts.Model, len(r.scores), func(at int) []float64 {
		values := make([]float64, len(r.scores))
		one := pass{columns: r.columns[at : at+1], workers: r.opts.Workers}
		failed = errors.Join(failed, r.read(ctx, one, func(from, _ int, columns [][]float64) error {
			copy(values[from:], columns[0])
			return nil
		}))
		return values
	})
	return out, failed
}

// afford takes from an order the mutants that the budget does not buy.
func (r *ranking) afford(order []int) ([]int, error) {
	observed, err := r.observe()
	if err != nil {
		return nil, err
	}
	cost := make([]float64, len(r.scores))
	for i := range r.scores {
		cost[i] = observed.Seconds[r.scores[i].ID]
	}
	bought := predict.Afford(r.scores, cost, r.opts.Budget.Seconds())
	r.out.Budget = &report.Budget{Seconds: r.opts.Budget.Seconds(), Mutants: bought.Count, Spent: bought.Spent, All: bought.Total,
		PredictedLostRevelation: report.Probability(bought.LostRevelation), PredictedLostKillable: report.Probability(bought.LostKillable)}
	return slices.DeleteFunc(slices.Clone(order), func(i int) bool { return !bought.Picked[i] }), nil
}

// show lists mutants in an order, each with those that are alike, where these are counted.
func (r *ranking) show(order, alike []int) {
	r.shown = order
	r.out.Mutants = make([]report.Ranked, 0, len(order))
	for k, place := range order {
		m := r.from.Mutant(place)
		m.Rank, m.PFault, m.PKill = k+1, report.Probability(r.scores[place].Fault), report.Probability(r.scores[place].Kill)
		if another := r.scores[place].Another; another > 0 {
			m.PKill = report.Probability(another)
		}
		m.Trials = trialsOf(&r.scores[place])
		m.Uncalled = r.uncalled[place]
		m.NotTold = r.scores[place].Looked == predict.NoInput
		if r.tests != nil {
			m.Tests = r.tests[place]
		}
		if alike != nil {
			m.Alike = alike[k]
		}
		r.out.Mutants = append(r.out.Mutants, m)
	}
}
