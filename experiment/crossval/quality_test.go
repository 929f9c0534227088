package crossval

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
)

func TestScoresAreJudgedByABinaryLabelOnly(t *testing.T) {
	_, err := Assess(t.Context(), nil, label(t, "ratio"), &OutOfFold{Label: "ratio"}, significance.Bootstrap{})
	if err == nil {
		t.Error("a ratio was taken for a class")
	}
}

func TestAnInformativeColumnIsAssessedAsSuch(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(3, 3)), 60)
	out, err := Run(t.Context(), subjects, label(t, "fault-revealing"), firstColumn, Options{Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	q, err := Assess(t.Context(), subjects, label(t, "fault-revealing"), out, significance.Bootstrap{Replicates: 200})
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

	constant, err := Run(t.Context(), subjects, label(t, "killable"), mean, Options{Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range constant.Scores {
		for m := range constant.Scores[i] {
			constant.Scores[i][m] = .5
		}
	}
	c, err := Assess(t.Context(), subjects, label(t, "killable"), constant, significance.Bootstrap{Replicates: 50})
	if err != nil || c.AUC != .5 || c.Brier != .25 || c.Top[0].PrecisionGain > 1e-9 || c.Top[0].RecallGain > 1e-9 || c.Top[0].RecallGain < -1e-9 {
		t.Errorf("constant scores: %+v, %v", c, err)
	}
}

// A resample of all mutants, problem by problem, is the slow twin.
func TestTheIntervalOfTheAUCIsThatOfResampledMutants(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(5, 3)), 20)
	subjects[4].Kills, subjects[4].Mutants, subjects[4].Features = nil, nil, subject.NewRows(0) // a problem of nothing is not drawn
	subjects[4].Features.AddColumn(nil)
	for i := range subjects {
		subjects[i].Problem = []string{"a", "b", "c", "d", "", "f", "g"}[i%7]
	}
	judge := label(t, "fault-revealing")
	scores := &OutOfFold{Label: judge.Name}
	var pooled []float64
	var positives []bool
	var clusters []string
	rng := rand.New(rand.NewPCG(6, 3))
	truth, err := NewJudge(subjects, judge)
	if err != nil {
		t.Fatal(err)
	}
	for i := range subjects {
		own := make([]float64, len(subjects[i].Mutants))
		for m := range own {
			own[m] = float64(rng.IntN(9))
		}
		scores.Scores = append(scores.Scores, own)
		settled, positive, err := truth.settle(i, scores)
		if err != nil {
			t.Fatal(err)
		}
		pooled, positives = append(pooled, settled...), append(positives, positive...)
		for range settled {
			clusters = append(clusters, subject.ByProblem(&subjects[i]))
		}
	}
	p, err := metric.NewPredictions(pooled, positives)
	if err != nil {
		t.Fatal(err)
	}
	boot := significance.Bootstrap{Replicates: 300, Seed: 8}
	want, err := boot.Interval(t.Context(), clusters, p.AUCOf)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		boot.Workers = workers
		q, err := Assess(t.Context(), subjects, judge, scores, boot)
		if err != nil {
			t.Fatal(err)
		}
		if float64(q.AUCLow) != want.Low || float64(q.AUCHigh) != want.High || !(want.Low < want.High) {
			t.Errorf("%d workers: %v to %v, want %v to %v", workers, q.AUCLow, q.AUCHigh, want.Low, want.High)
		}
	}
}
