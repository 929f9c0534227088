package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/matrix"
)

// learnable gives subjects two feature columns: the first is the label with
// noise, the second the subject's number.
func learnable(rng *rand.Rand, n int) []Subject {
	subjects := randomSubjects(rng, n)
	for i := range subjects {
		s := &subjects[i]
		s.Columns = 2
		for _, kill := range s.Kills {
			signal := rng.Float64()
			if isRevealing(kill, s.Reveals) {
				signal += 0.5
			}
			s.Features = append(s.Features, signal, float64(i))
		}
	}
	return subjects
}

// firstColumn learns nothing: it scores by the first feature.
func firstColumn(context.Context, TrainingSet) (Predictor, error) {
	return func(rows []float64, columns int) ([]float64, error) {
		var scores []float64
		for at := 0; at < len(rows); at += columns {
			scores = append(scores, rows[at]/2)
		}
		return scores, nil
	}, nil
}

// mean learns the weighted share of positives, which tells the training sets
// apart.
func mean(_ context.Context, set TrainingSet) (Predictor, error) {
	sum, weight := 0.0, 0.0
	for i, label := range set.Labels {
		sum += label * set.Weights[i]
		weight += set.Weights[i]
	}
	return func(rows []float64, columns int) ([]float64, error) {
		scores := make([]float64, len(rows)/columns)
		for i := range scores {
			scores[i] = sum / weight
		}
		return scores, nil
	}, nil
}

func TestNoSubjectIsScoredByAModelThatSawItsProblem(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(1, 3)), 12)
	var mu sync.Mutex
	seen := map[int][]string{}
	fit := func(ctx context.Context, set TrainingSet) (Predictor, error) {
		if n := len(set.Labels); n*set.Columns != len(set.Rows) || n != len(set.Weights) || n != len(set.Subjects) || n != len(set.Groups) {
			t.Errorf("a ragged training set: %d rows", n)
		}
		mu.Lock()
		defer mu.Unlock()
		seen[set.Fold] = slices.Compact(slices.Sorted(slices.Values(set.Groups)))
		return mean(ctx, set)
	}
	out, err := CrossValidate(t.Context(), subjects, Revealing, fit, CrossValidateOptions{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Fatalf("%d models were trained, want 3", len(seen))
	}
	for i := range subjects {
		if slices.Contains(seen[out.Fold[i]], ByProblem(&subjects[i])) {
			t.Errorf("the model of fold %d saw %s", out.Fold[i], ByProblem(&subjects[i]))
		}
		if len(out.Scores[i]) != len(subjects[i].Mutants) {
			t.Errorf("%s: %d scores for %d mutants", subjects[i].Name(), len(out.Scores[i]), len(subjects[i].Mutants))
		}
	}
	groups := 0
	for _, g := range seen {
		groups += len(g)
	}
	if groups != 2*4 {
		t.Errorf("the three models saw %d groups in all, want each of 4 twice", groups)
	}
}

func TestCrossValidationDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(2, 3)), 12)
	run := func(workers int) *OutOfFold {
		out, err := CrossValidate(t.Context(), subjects, RevealingRatio, mean, CrossValidateOptions{Folds: 4, Seed: 3, Workers: workers, Group: ByProgram})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if diff := cmp.Diff(run(1), run(6)); diff != "" {
		t.Error(diff)
	}
}

func TestTheLabelsAndWeightsOfTheTargets(t *testing.T) {
	reveals := matrix.BitsOf(4, 0)
	kills := []matrix.Bits{matrix.BitsOf(4, 0), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 2), matrix.NewBits(4)}
	type answer struct {
		label, weight float64
		positive      bool
	}
	for name, want := range map[string][]answer{
		"revealing":          {{1, 1, true}, {0, 1, false}, {0, 1, false}, {0, 1, false}},
		"revealing-weighted": {{1, 1, true}, {0, .5, false}, {0, .99, false}, {0, 1, false}},
		"revealing-ratio":    {{1, 1, true}, {.5, 1, false}, {0, 1, false}, {0, 1, false}},
		"killable":           {{1, 1, true}, {1, 1, true}, {1, 1, true}, {0, 1, false}},
	} {
		target, err := LookupTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, kill := range kills {
			label, weight := target.Label(kill, reveals)
			if got := (answer{label, weight, target.Positive(kill, reveals)}); got != want[i] {
				t.Errorf("%s of mutant %d: %+v, want %+v", name, i, got, want[i])
			}
		}
	}
	if _, err := LookupTarget("best"); err == nil {
		t.Error("an unknown target was found")
	}
	for _, target := range Targets() {
		if target.Doc == "" {
			t.Errorf("target %s has no Doc", target.Name)
		}
	}
}

func TestAnInformativeColumnIsAssessedAsSuch(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(3, 3)), 60)
	out, err := CrossValidate(t.Context(), subjects, Revealing, firstColumn, CrossValidateOptions{Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	q, err := Assess(t.Context(), subjects, Revealing, out, significance.Bootstrap{Replicates: 200})
	if err != nil {
		t.Fatal(err)
	}
	// P(u + 1/2 > v) for uniform u, v is 7/8.
	if math.Abs(float64(q.AUC)-0.875) > 0.04 || !(q.AUCLow < q.AUC && q.AUC < q.AUCHigh) {
		t.Errorf("AUC %v in %v to %v, want about .875", q.AUC, q.AUCLow, q.AUCHigh)
	}
	if math.Abs(float64(q.SubjectAUCMean)-0.875) > 0.08 || q.TwoClass < 20 {
		t.Errorf("AUC per subject %v over %d", q.SubjectAUCMean, q.TwoClass)
	}
	for _, top := range q.Top {
		if top.PrecisionGain <= 0 || top.RecallGain <= 0 {
			t.Errorf("the top %v is no better than chance: %+v", top.Top, top)
		}
	}

	constant, err := CrossValidate(t.Context(), subjects, Killability, mean, CrossValidateOptions{Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range constant.Scores {
		for m := range constant.Scores[i] {
			constant.Scores[i][m] = .5
		}
	}
	c, err := Assess(t.Context(), subjects, Killability, constant, significance.Bootstrap{Replicates: 50})
	if err != nil || c.AUC != .5 || c.Brier != .25 || c.Top[0].PrecisionGain > 1e-9 || c.Top[0].RecallGain > 1e-9 || c.Top[0].RecallGain < -1e-9 {
		t.Errorf("constant scores: %+v, %v", c, err)
	}
}

func TestErrorsOfTheLearnerAreReported(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(4, 3)), 8)
	broken := errors.New("broken")
	for name, fit := range map[string]Fit{
		"fit": func(context.Context, TrainingSet) (Predictor, error) { return nil, broken },
		"score": func(context.Context, TrainingSet) (Predictor, error) {
			return func([]float64, int) ([]float64, error) { return nil, broken }, nil
		},
	} {
		if _, err := CrossValidate(t.Context(), subjects, Revealing, fit, CrossValidateOptions{Folds: 2}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	short := func(context.Context, TrainingSet) (Predictor, error) {
		return func([]float64, int) ([]float64, error) { return []float64{1}, nil }, nil
	}
	if _, err := CrossValidate(t.Context(), subjects, Revealing, short, CrossValidateOptions{Folds: 2}); err == nil {
		t.Error("too few scores were accepted")
	}
	if _, err := CrossValidate(t.Context(), subjects, Revealing, mean, CrossValidateOptions{Folds: 9}); err == nil {
		t.Error("more folds than problems were accepted")
	}
	subjects[3].Columns, subjects[3].Features = 0, nil
	if _, err := CrossValidate(t.Context(), subjects, Revealing, mean, CrossValidateOptions{Folds: 2}); !errors.Is(err, ErrSubject) {
		t.Errorf("a subject without features: error %v", err)
	}
	if _, err := NewTrainingSet(nil, Revealing); err == nil {
		t.Error("a training set of nothing")
	}
}

func TestAPredictorThatScalesInPlaceDoesNotSpoilTheFeatures(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(5, 3)), 8)
	before := fmt.Sprint(subjects[0].Features, subjects[7].Features)
	greedy := func(context.Context, TrainingSet) (Predictor, error) {
		return func(rows []float64, columns int) ([]float64, error) {
			for i := range rows {
				rows[i] = 0
			}
			return make([]float64, len(rows)/columns), nil
		}, nil
	}
	if _, err := CrossValidate(t.Context(), subjects, Revealing, greedy, CrossValidateOptions{Folds: 2}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(subjects[0].Features, subjects[7].Features) != before {
		t.Error("the features of a subject changed")
	}
}

func TestTheTrainingSetOfAReleaseHoldsAllMutants(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(6, 3)), 5)
	set, err := NewTrainingSet(subjects, Killability)
	if err != nil {
		t.Fatal(err)
	}
	mutants := 0
	for _, s := range subjects {
		mutants += len(s.Mutants)
	}
	if len(set.Labels) != mutants || len(set.Rows) != 2*mutants || set.Subjects[0] != subjects[0].Name() {
		t.Errorf("%d rows of %d mutants", len(set.Labels), mutants)
	}
}

func TestOutOfFoldScoresAreAttachedToCopies(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(7, 3)), 6)
	fault, err := CrossValidate(t.Context(), subjects, Revealing, firstColumn, CrossValidateOptions{Folds: 2})
	if err != nil {
		t.Fatal(err)
	}
	before := subjects[2].Mutants[1]
	scored, err := WithScores(subjects, fault, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := scored[2].Mutants[1]; got.Fault != fault.Scores[2][1] || got.Kill != before.Kill || subjects[2].Mutants[1] != before {
		t.Errorf("attached %+v to %+v", got, before)
	}
	if _, err := WithScores(subjects[:5], nil, fault); !errors.Is(err, ErrSubject) {
		t.Errorf("scores of other subjects: error %v", err)
	}
	if _, err := Assess(t.Context(), subjects[:5], Revealing, fault, significance.Bootstrap{}); err == nil {
		t.Error("scores of other subjects were assessed")
	}
}
