package experiment

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// survivorDraws are how often the tests of a subject are parted, half and a quarter of those that do not reveal being at hand
// in turn.
const survivorDraws = 4

// mostSurvivors is how many survivors of a subject, of all draws, count as much as any number.
const mostSurvivors = 200

// survivorOptions are how models of survivors are grown. They have few columns, of which each tree reads half.
func survivorOptions(o *Options) train.Options {
	rounds := o.Train.Rounds
	if rounds == 0 {
		rounds = DefaultOptions().Rounds
	}
	return train.Options{Rounds: rounds * 3 / 4, LearningRate: .05, MaxDepth: 4, MinLeafSamples: 100, L2: 1, ColumnFraction: .5, Seed: o.Seed, Workers: o.Workers}
}

// survivors are what a subject teaches of the mutants that some of its tests let live.
type survivors struct {
	rows     [][]float64
	killable []float64 // by a model that knows nothing of the tests
	killed   []bool    // by one of the other tests
}

// survivorsOf parts the tests of a subject whose mutants have their p(killable). A mutant that none of the other tests comes to
// is not learnt from, nor one that none is known to kill and that one may.
func survivorsOf(s *subject.Subject, seed uint64) (out survivors) {
	suite := survivor.SuiteOf(s)
	quiet := s.Others(s.Reveals)
	if suite == nil || len(quiet) < 2 {
		return out
	}
	for draw := range survivorDraws {
		rng := stream.New(seed, "survivors/"+s.Name(), draw)
		rng.Shuffle(len(quiet), func(i, j int) { quiet[i], quiet[j] = quiet[j], quiet[i] })
		others := s.Others(matrix.BitsOf(s.Tests(), quiet[:len(quiet)/2]...))
		places, rows := survivor.Rows(s.Mutants, suite.At(quiet[:max(1, len(quiet)/(2+2*(draw%2)))]))
		for k, m := range places {
			killed := !s.Kills[m].At(others).Empty()
			open := s.Unknown != nil && !s.Unknown[m].At(others).Empty()
			if killed || !open && !s.Reached[m].At(others).Empty() {
				out.rows, out.killable, out.killed = append(out.rows, rows[k]), append(out.killable, s.Mutants[m].Kill), append(out.killed, killed)
			}
		}
	}
	return out
}

// fitSurvivors makes a model of the survivors of those subjects that in chooses; nil where there are none to learn from.
func fitSurvivors(ctx context.Context, all []survivors, in func(i int) bool, o train.Options) (*tree.Ensemble, error) {
	names := survivor.Columns()
	data := &train.Data{Names: names}
	columns := make([][]float64, len(names))
	killed := 0
	for i := range all {
		if !in(i) {
			continue
		}
		for k, row := range all[i].rows {
			for c := range columns {
				columns[c] = append(columns[c], row[c])
			}
			label := 0.0
			if all[i].killed[k] {
				label = 1
				killed++
			}
			data.Labels = append(data.Labels, label)
			data.Weights = append(data.Weights, mostSurvivors/float64(max(mostSurvivors, len(all[i].rows))))
		}
	}
	if killed == 0 || killed == len(data.Labels) {
		return nil, nil
	}
	for c := range columns {
		data.Columns = append(data.Columns, train.Dense(columns[c]))
	}
	return train.Fit(ctx, data, o)
}

// survivorsIn are what subjects teach, whose p(killable) are those of models that had not seen them.
func survivorsIn(ctx context.Context, subjects []subject.Subject, kill *crossval.OutOfFold, opts Options) ([]survivors, error) {
	scored, err := crossval.WithScores(subjects, nil, kill)
	if err != nil {
		return nil, err
	}
	return parallel.Map(ctx, opts.Workers, scored, func(_ context.Context, _ int, s subject.Subject) (survivors, error) {
		return survivorsOf(&s, opts.Seed), nil
	})
}

// besides are the models of survivors that are asked about subjects.
type besides struct {
	models map[string]*survivor.Model // by the names of subjects; one that is not among them has none
	taught []survivors                // of all subjects, in their order
}

func (b besides) of(s *subject.Subject) *survivor.Model { return b.models[s.Name()] }

// oneForAll asks the same model about all subjects, which it has not seen.
func oneForAll(ctx context.Context, subjects []subject.Subject, kill *crossval.OutOfFold, model *survivor.Model, opts Options) (out besides, err error) {
	if model == nil || kill == nil {
		return out, nil
	}
	out.models = map[string]*survivor.Model{}
	for i := range subjects {
		out.models[subjects[i].Name()] = model
	}
	out.taught, err = survivorsIn(ctx, subjects, kill, opts)
	return out, err
}

// crossSurvivors makes a model for the subjects of each fold, of those of the others.
func crossSurvivors(ctx context.Context, subjects []subject.Subject, kill *crossval.OutOfFold, opts Options) (besides, error) {
	all, err := survivorsIn(ctx, subjects, kill, opts)
	if err != nil {
		return besides{}, err
	}
	out, folds := besides{map[string]*survivor.Model{}, all}, 0
	for _, f := range kill.Fold {
		folds = max(folds, f+1)
	}
	task := opts.Display.Start("learning from survivors", folds)
	defer task.Done()
	for fold := range folds {
		e, err := fitSurvivors(ctx, all, func(i int) bool { return kill.Fold[i] != fold }, survivorOptions(&opts))
		if err != nil {
			return besides{}, fmt.Errorf("learning from survivors: %w", err)
		}
		task.Add(1)
		if e == nil {
			continue
		}
		model, err := survivor.Of(e, models.Calibration{})
		if err != nil {
			return besides{}, err
		}
		for i := range subjects {
			if kill.Fold[i] == fold {
				out.models[subjects[i].Name()] = model
			}
		}
	}
	return out, nil
}

// judgeSurvivors says how well the models tell which survivors of some tests another kills, and how well p(killable) alone
// does, which knows nothing of the tests. There is nothing to say where no model is known of any subject.
func judgeSurvivors(ctx context.Context, subjects []subject.Subject, known besides, boot significance.Bootstrap) ([]*crossval.Quality, error) {
	all := known.taught
	before, after, killed := make([][]float64, len(all)), make([][]float64, len(all)), make([][]bool, len(all))
	some := false
	for i := range all {
		model := known.of(&subjects[i])
		if model == nil || len(all[i].rows) == 0 {
			continue
		}
		said, err := model.Predict(all[i].rows)
		if err != nil {
			return nil, err
		}
		before[i], after[i], killed[i], some = all[i].killable, said, all[i].killed, true
	}
	if !some {
		return nil, nil
	}
	var out []*crossval.Quality
	for _, judged := range []struct {
		learnt string
		scores [][]float64
	}{{KillLabel + ", of survivors", before}, {SurvivorLabel, after}} {
		q, err := crossval.AssessGiven(ctx, subjects, judged.scores, killed, boot)
		if err != nil {
			return nil, err
		}
		q.Learnt, q.Judged = judged.learnt, SurvivorLabel
		out = append(out, q)
	}
	return out, nil
}

// fitAllSurvivors makes the model that is shipped: of p(killable) as it is shown; nil where there is nothing to learn from.
func fitAllSurvivors(ctx context.Context, subjects []subject.Subject, kill *crossval.OutOfFold, shown models.Calibration, opts Options) (*tree.Ensemble, error) {
	corrected := *kill
	corrected.Scores = make([][]float64, len(kill.Scores))
	for i, scores := range kill.Scores {
		for _, p := range scores {
			corrected.Scores[i] = append(corrected.Scores[i], shown.Apply(p))
		}
	}
	all, err := survivorsIn(ctx, subjects, &corrected, opts)
	if err != nil {
		return nil, err
	}
	return fitSurvivors(ctx, all, func(int) bool { return true }, survivorOptions(&opts))
}
