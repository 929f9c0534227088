package crossval

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
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// label is one of package dataset's labels.
func label(t *testing.T, name string) dataset.Label {
	t.Helper()
	l, err := dataset.LookupLabel(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// firstColumn learns nothing: it scores by the first feature.
func firstColumn(context.Context, TrainingSet) (Predictor, error) {
	return func(rows *Rows) ([]float64, error) {
		scores := rows.Column(0)
		for i := range scores {
			scores[i] /= 2
		}
		return scores, nil
	}, nil
}

// mean learns the weighted mean of the targets, which tells the training sets
// apart.
func mean(_ context.Context, set TrainingSet) (Predictor, error) {
	sum, weight := 0.0, 0.0
	for i, target := range set.Targets {
		sum += target * set.Weights[i]
		weight += set.Weights[i]
	}
	return func(rows *Rows) ([]float64, error) {
		scores := make([]float64, rows.Len())
		for i := range scores {
			scores[i] = sum / weight
		}
		return scores, nil
	}, nil
}

func TestNoSubjectIsScoredByAModelThatSawItsProblem(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(1, 3)), 12)
	var mu sync.Mutex
	seen := map[int][]string{}
	fit := func(ctx context.Context, set TrainingSet) (Predictor, error) {
		if n := len(set.Targets); n != set.Len() || len(set.Columns) != 2 || n != len(set.Weights) || n != len(set.Subjects) || n != len(set.Groups) {
			t.Errorf("a ragged training set: %d rows", n)
		}
		mu.Lock()
		defer mu.Unlock()
		seen[set.Fold] = slices.Compact(slices.Sorted(slices.Values(set.Groups)))
		return mean(ctx, set)
	}
	out, err := Run(t.Context(), subjects, label(t, "fault-revealing"), fit, Options{Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Fatalf("%d models were trained, want 3", len(seen))
	}
	for i := range subjects {
		if slices.Contains(seen[out.Fold[i]], subject.ByProblem(&subjects[i])) {
			t.Errorf("the model of fold %d saw %s", out.Fold[i], subject.ByProblem(&subjects[i]))
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

// A curve compares models that differ in how much they learnt from, and in nothing
// else: same folds, and what a small share learns from a large one learns from too.
func TestALargerShareLearnsFromTheSameGroupsAndMore(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(2, 4)), 30)
	learnt := func(share float64, workers int) (folds []int, groups [3]map[string]bool) {
		fit := func(ctx context.Context, set TrainingSet) (Predictor, error) {
			own := map[string]bool{}
			for _, g := range set.Groups {
				own[g] = true
			}
			groups[set.Fold] = own
			return firstColumn(ctx, set)
		}
		out, err := Run(t.Context(), subjects, label(t, "killable"), fit, Options{Folds: 3, Group: subject.ByProgram, Seed: 5, Share: share, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return out.Fold, groups
	}
	wholeFolds, whole := learnt(0, 1)
	if _, again := learnt(1, 3); !cmp.Equal(again, whole) {
		t.Error("a share of 1 is not all")
	}
	larger := whole
	for _, c := range []struct {
		share float64
		want  int
	}{{.5, 10}, {.25, 5}, {.12, 3}} {
		folds, got := learnt(c.share, 2)
		if !slices.Equal(folds, wholeFolds) {
			t.Errorf("a share of %v has other folds", c.share)
		}
		for fold, groups := range got {
			if len(groups) != c.want {
				t.Errorf("a share of %v of fold %d: %d groups, want %d", c.share, fold, len(groups), c.want)
			}
			for g := range groups {
				if !larger[fold][g] {
					t.Errorf("a share of %v learns from %s, a larger one does not", c.share, g)
				}
			}
		}
		larger = got
	}
	if _, err := Run(t.Context(), subjects, label(t, "killable"), mean, Options{Folds: 3, Share: 1.5}); err == nil {
		t.Error("a share of 1.5 was accepted")
	}
}

// Scored one by one, and all of their mutants, models are their own slow twin.
func TestModelsOfOneSetScoreWhatEachScoresAlone(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(2, 5)), 12)
	all := Options{Folds: 3, Sample: 4, Seed: 2}
	sampled := all
	sampled.SampleHeld = true
	fits := []Fit{mean, firstColumn}
	each := func(ctx context.Context, set TrainingSet, trained func(int, Predictor) error) error {
		for k := len(fits) - 1; k >= 0; k-- {
			p, err := fits[k](ctx, set)
			if err == nil {
				err = trained(k, p)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	both, err := RunEach(t.Context(), subjects, label(t, "killable"), 2, each, sampled)
	if err != nil {
		t.Fatal(err)
	}
	for k, fit := range fits {
		alone, err := Run(t.Context(), subjects, label(t, "killable"), fit, all)
		if err != nil {
			t.Fatal(err)
		}
		for i, places := range both[k].Places {
			if len(places) != min(4, len(subjects[i].Mutants)) || len(both[k].Scores[i]) != len(places) {
				t.Fatalf("%s: %d scores of %d mutants", subjects[i].Name(), len(both[k].Scores[i]), len(places))
			}
			for n, m := range places {
				if both[k].Scores[i][n] != alone.Scores[i][m] {
					t.Errorf("model %d scores mutant %d of %s %v, alone %v", k, m, subjects[i].Name(), both[k].Scores[i][n], alone.Scores[i][m])
				}
			}
		}
	}
	sampledQuality, err := Assess(t.Context(), subjects, label(t, "killable"), both[0], significance.Bootstrap{Replicates: 10})
	if err != nil || sampledQuality.Mutants > 4*len(subjects) {
		t.Errorf("a sample is judged by %+v, %v", sampledQuality, err)
	}
	lazy := func(context.Context, TrainingSet, func(int, Predictor) error) error { return nil }
	if _, err := RunEach(t.Context(), subjects, label(t, "killable"), 2, lazy, all); err == nil {
		t.Error("models that were not trained have scores")
	}
}

func TestCrossValidationDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(2, 3)), 12)
	run := func(workers int) *OutOfFold {
		out, err := Run(t.Context(), subjects, label(t, "ratio"), mean, Options{Folds: 4, Seed: 3, Workers: workers, Group: subject.ByProgram})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if diff := cmp.Diff(run(1), run(6)); diff != "" {
		t.Error(diff)
	}
}

func TestMutantsWhoseLabelIsNotSettledAreNeitherLearntNorJudged(t *testing.T) {
	s := subject.Subject{
		Program: "p", Fault: "f", Reveals: matrix.BitsOf(2, 0), Columns: []string{"x"},
		Mutants:  []predict.Score{{ID: "a"}, {ID: "b"}, {ID: "c"}},
		Features: subjecttest.Pack([][]float64{{1}, {2}, {3}}),
		Kills:    []matrix.Bits{matrix.BitsOf(2, 0), matrix.BitsOf(2, 0), matrix.NewBits(2)},
		// b may be killed by test 1 as well, and would then not be revealing.
		Unknown: []matrix.Bits{matrix.NewBits(2), matrix.BitsOf(2, 1), matrix.NewBits(2)},
	}
	set, err := NewTrainingSet([]subject.Subject{s}, label(t, "fault-revealing"), Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Targets, []float64{1, 0}) || set.Column(0)[1] != 3 || set.Label != "fault-revealing" {
		t.Errorf("training set %+v, want mutants a and c", set)
	}
	q, err := Assess(t.Context(), []subject.Subject{s}, label(t, "fault-revealing"), &OutOfFold{Label: "x", Scores: [][]float64{{.9, math.NaN(), .1}}}, significance.Bootstrap{})
	if err != nil || q.Mutants != 2 || q.AUC != 1 {
		t.Errorf("quality %+v, %v; want an AUC of 1 over 2 mutants", q, err)
	}
	given, err := AssessGiven(t.Context(), []subject.Subject{s}, [][]float64{{.9, .1}}, [][]bool{{true, false}}, significance.Bootstrap{})
	if err != nil {
		t.Fatal(err)
	}
	if given.Learnt, given.Judged = q.Learnt, q.Judged; !cmp.Equal(given, q, cmpopts.EquateNaNs(), cmp.AllowUnexported(predict.Top{})) {
		t.Errorf("the same scores and truth, given, are judged %+v, and not %+v", given, q)
	}
}

func TestASampleIsOfEachSubjectAndDoesNotDependOnTheOthers(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(3, 4)), 12)
	sample := func(subjects []subject.Subject, sampling Sampling) map[string]int {
		set, err := NewTrainingSet(subjects, label(t, "killable"), sampling)
		if err != nil {
			t.Fatal(err)
		}
		count, signal := map[string]int{}, set.Column(0)
		for i, name := range set.Subjects {
			count[name]++
			count[fmt.Sprint(name, signal[i])]++
		}
		return count
	}
	of := Sampling{PerSubject: 3, Seed: 1}
	all := sample(subjects, of)
	for i := range subjects {
		name := subjects[i].Name()
		if all[name] != min(3, len(subjects[i].Mutants)) {
			t.Errorf("%s: %d mutants of %d", name, all[name], len(subjects[i].Mutants))
		}
		for row, n := range sample(subjects[i:i+1], of) {
			if all[row] < n {
				t.Errorf("%s alone has another sample: %s", name, row)
			}
		}
	}
	if whole := sample(subjects, Sampling{PerSubject: 1 << 20}); whole[subjects[0].Name()] != len(subjects[0].Mutants) {
		t.Errorf("a bound that no program reaches leaves mutants out: %v", whole)
	}
}

func TestErrorsOfTheLearnerAreReported(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(4, 3)), 8)
	broken := errors.New("broken")
	for name, fit := range map[string]Fit{
		"fit": func(context.Context, TrainingSet) (Predictor, error) { return nil, broken },
		"score": func(context.Context, TrainingSet) (Predictor, error) {
			return func(*Rows) ([]float64, error) { return nil, broken }, nil
		},
	} {
		if _, err := Run(t.Context(), subjects, label(t, "fault-revealing"), fit, Options{Folds: 2}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	short := func(context.Context, TrainingSet) (Predictor, error) {
		return func(*Rows) ([]float64, error) { return []float64{1}, nil }, nil
	}
	if _, err := Run(t.Context(), subjects, label(t, "fault-revealing"), short, Options{Folds: 2}); err == nil {
		t.Error("too few scores were accepted")
	}
	if _, err := Run(t.Context(), subjects, label(t, "fault-revealing"), mean, Options{Folds: 9}); err == nil {
		t.Error("more folds than problems were accepted")
	}
	other := slices.Clone(subjects)
	other[3].Columns = []string{"signal", "other"}
	if _, err := Run(t.Context(), other, label(t, "fault-revealing"), mean, Options{Folds: 2}); !errors.Is(err, subject.ErrSubject) {
		t.Errorf("a subject with other features: error %v", err)
	}
	subjects[3].Columns, subjects[3].Features = nil, nil
	if _, err := Run(t.Context(), subjects, label(t, "fault-revealing"), mean, Options{Folds: 2}); !errors.Is(err, subject.ErrSubject) {
		t.Errorf("a subject without features: error %v", err)
	}
	if _, err := NewTrainingSet(nil, label(t, "fault-revealing"), Sampling{}); err == nil {
		t.Error("a training set of nothing")
	}
}

func TestTheTrainingSetOfAReleaseHoldsAllMutants(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(6, 3)), 5)
	set, err := NewTrainingSet(subjects, label(t, "killable"), Sampling{})
	if err != nil {
		t.Fatal(err)
	}
	mutants := 0
	for _, s := range subjects {
		mutants += len(s.Mutants)
	}
	if len(set.Targets) != mutants || set.Len() != mutants || set.Subjects[0] != subjects[0].Name() {
		t.Errorf("%d rows of %d mutants", len(set.Targets), mutants)
	}
}

func TestOutOfFoldScoresAreAttachedToCopies(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(7, 3)), 6)
	fault, err := Run(t.Context(), subjects, label(t, "fault-revealing"), firstColumn, Options{Folds: 2})
	if err != nil {
		t.Fatal(err)
	}
	before := subjects[2].Mutants[1]
	scored, err := WithScores(subjects, fault, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := scored[2].Mutants[1]; got.Fault != fault.Scores[2][1] || got.Kill != before.Kill || !cmp.Equal(subjects[2].Mutants[1], before, cmpopts.EquateNaNs()) {
		t.Errorf("attached %+v to %+v", got, before)
	}
	if _, err := WithScores(subjects[:5], nil, fault); !errors.Is(err, subject.ErrSubject) {
		t.Errorf("scores of other subjects: error %v", err)
	}
	if _, err := Assess(t.Context(), subjects[:5], label(t, "fault-revealing"), fault, significance.Bootstrap{}); err == nil {
		t.Error("scores of other subjects were assessed")
	}
}
