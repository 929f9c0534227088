package train_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// table makes data without missing names from rows.
func table(rows [][]float64, labels []float64) *train.Data {
	d := &train.Data{Labels: labels}
	for c := range rows[0] {
		var values []float64
		for _, row := range rows {
			values = append(values, row[c])
		}
		d.Columns = append(d.Columns, train.Dense(values))
		d.Names = append(d.Names, string(rune('a'+c)))
	}
	return d
}

// eager learns all there is in little data.
var eager = train.Options{RowFraction: 1, MinLeafSamples: 1, LearningRate: 0.3}

func TestBoostingOverfitsFourRows(t *testing.T) {
	d := table([][]float64{{1}, {2}, {3}, {4}}, []float64{0, 1, 0, 1})
	for r, p := range predict(t, fit(t, train.Boosting, d, eager), d) {
		if math.Abs(p-d.Labels[r]) > 0.01 {
			t.Errorf("row %d: label %v, predicted %v", r, d.Labels[r], p)
		}
	}
}

func TestBoostingLearnsExclusiveOrAtDepthTwo(t *testing.T) {
	// Slightly uneven, because even exclusive or gains nothing at the first
	// split, for any greedy learner.
	d := table([][]float64{{0, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{0, 0, 1, 1, 0})
	o := eager
	o.MaxDepth = 2
	for r, p := range predict(t, fit(t, train.Boosting, d, o), d) {
		if math.Abs(p-d.Labels[r]) > 0.05 {
			t.Errorf("row %d: label %v, predicted %v", r, d.Labels[r], p)
		}
	}
}

func TestBoostingLearnsTheDirectionOfMissingValues(t *testing.T) {
	for _, missingIs := range []float64{0, 1} {
		var rows [][]float64
		var labels []float64
		for i := range 100 {
			rows, labels = append(rows, []float64{float64(i)}), append(labels, float64(i/50))
			rows, labels = append(rows, []float64{nan}), append(labels, missingIs)
		}
		e := fit(t, train.Boosting, table(rows, labels), eager)
		if p := e.Predict([]float64{nan}); math.Abs(p-missingIs) > 0.01 {
			t.Errorf("missing rows have label %v, predicted %v", missingIs, p)
		}
	}
}

func TestBoostingTellsMissingFromPresentWhenThatIsAllThereIs(t *testing.T) {
	var rows [][]float64
	var labels []float64
	for range 50 {
		rows, labels = append(rows, []float64{5}, []float64{nan}), append(labels, 0, 1)
	}
	e := fit(t, train.Boosting, table(rows, labels), eager)
	if e.Predict([]float64{5}) > 0.01 || e.Predict([]float64{nan}) < 0.99 {
		t.Errorf("present %v, missing %v", e.Predict([]float64{5}), e.Predict([]float64{nan}))
	}
}

func TestAWeightOfTwoEqualsARowGivenTwice(t *testing.T) {
	d := mixed(200, 20) // few enough for a bin per value, so that both are binned alike
	rng := rand.New(rand.NewPCG(12, 2))
	twice := &train.Data{Names: d.Names}
	plain, dense := columns(d), make([][]float64, len(d.Columns))
	for r, y := range d.Labels {
		copies := 1 + rng.IntN(3)
		d.Weights = append(d.Weights, float64(copies))
		for range copies {
			twice.Labels = append(twice.Labels, y)
			for c := range dense {
				dense[c] = append(dense[c], plain[c][r])
			}
		}
	}
	for _, c := range dense {
		twice.Columns = append(twice.Columns, train.Dense(c))
	}
	o := eager
	// Leaves of many rows, so that no two columns split them equally well and
	// rounding would have to choose.
	o.Rounds, o.MinLeafHessian = 10, 5
	weighted, repeated := fit(t, train.Boosting, d, o), fit(t, train.Boosting, twice, o)
	got, want := predict(t, weighted, d), predict(t, repeated, d)
	for r := range got {
		if math.Abs(got[r]-want[r]) > 1e-6 {
			t.Fatalf("row %d: %v by weight, %v by repetition", r, got[r], want[r])
		}
	}
}

func TestCrossEntropyPredictsTheMeanRatio(t *testing.T) {
	var rows [][]float64
	var labels []float64
	for i := range 400 {
		x := float64(i % 2)
		rows = append(rows, []float64{x})
		labels = append(labels, 0.2+0.4*x+0.1*float64(i/2%2)) // 0.25 and 0.65 in the mean
	}
	o := eager
	o.Objective = train.CrossEntropy
	e := fit(t, train.Boosting, table(rows, labels), o)
	if a, b := e.Predict([]float64{0}), e.Predict([]float64{1}); math.Abs(a-0.25) > 1e-3 || math.Abs(b-0.65) > 1e-3 {
		t.Errorf("predicted %v and %v, want 0.25 and 0.65", a, b)
	}
}

func TestSquaredErrorPredictsTheMeanOfEachGroup(t *testing.T) {
	o := eager
	o.Objective = train.Squared
	d := table([][]float64{{1}, {1}, {2}, {2}}, []float64{10, 12, -4, -2})
	e := fit(t, train.Boosting, d, o)
	if a, b := e.Predict([]float64{1}), e.Predict([]float64{2}); math.Abs(a-11) > 1e-3 || math.Abs(b+3) > 1e-3 {
		t.Errorf("predicted %v and %v, want 11 and -3", a, b)
	}
}

func TestBoostingBeatsTheConstantOnNewRows(t *testing.T) {
	d, test := mixed(3000, 21), mixed(3000, 22)
	if a := auc(predict(t, fit(t, train.Boosting, d, train.Options{}), test), test.Labels); a < 0.95 {
		t.Errorf("AUC %.3f on data whose noise allows about 0.98", a)
	}
}

func TestDerivativesAreThoseOfTheLoss(t *testing.T) {
	for _, o := range train.Objectives() {
		if o.Listwise != nil {
			continue // see TestLambdasPushWhatIsWorthMoreUp
		}
		for _, label := range []float64{0, 1} {
			for _, score := range []float64{-3, -0.5, 0, 0.7, 4} {
				const h = 1e-4
				first, second := o.Derivatives(score, label)
				up, mid, down := o.Loss(score+h, label), o.Loss(score, label), o.Loss(score-h, label)
				if math.Abs((up-down)/(2*h)-first) > 1e-6 || math.Abs((up-2*mid+down)/(h*h)-second) > 1e-5 {
					t.Errorf("%s at %v, label %v: derivatives %v and %v", o.Name, score, label, first, second)
				}
			}
		}
	}
}

func TestEveryObjectiveStartsAtItsBestConstant(t *testing.T) {
	labels := []float64{0, 1, 1, 1}
	for _, o := range train.Objectives() {
		if o.Listwise != nil {
			continue // every constant is as good
		}
		loss := func(score float64) (sum float64) {
			for _, y := range labels {
				sum += o.Loss(score, y)
			}
			return sum
		}
		if start := o.Start(0.75); loss(start) > loss(start+0.01) || loss(start) > loss(start-0.01) {
			t.Errorf("%s: starting at %v is not best", o.Name, start)
		}
	}
}

func TestTrainingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := small
	o.Progress = func(done, total int) {
		if done == 3 {
			cancel()
		}
	}
	_, err := train.Fit(ctx, mixed(100, 27), o)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "before tree 4") {
		t.Errorf("got %v", err)
	}
}

func TestBoundsOnTreesAreKept(t *testing.T) {
	d := mixed(2000, 28)
	for _, o := range []train.Options{{MaxDepth: 3}, {Leaves: 6, MaxDepth: -1}, {MinLeafSamples: 200}, {MinLeafHessian: 50}} {
		o.Rounds, o.RowFraction = 5, 1
		for i, tr := range fit(t, train.Boosting, d, o).Trees {
			deepest := depth(&tr, 0)
			if o.MaxDepth > 0 && deepest > o.MaxDepth {
				t.Errorf("tree %d has depth %d of %d", i, deepest, o.MaxDepth)
			}
			if o.Leaves > 0 && len(tr.Leaves) > o.Leaves {
				t.Errorf("tree %d has %d leaves of %d", i, len(tr.Leaves), o.Leaves)
			}
			for _, leaf := range tr.Leaves {
				if leaf.Count < o.MinLeafSamples || leaf.Weight < o.MinLeafHessian-1e-6 {
					t.Errorf("tree %d has a leaf of %d rows and weight %v: %+v", i, leaf.Count, leaf.Weight, o)
				}
			}
		}
	}
}

func depth(t *tree.Tree, at tree.Child) int {
	if at.IsLeaf() {
		return 0
	}
	return 1 + max(depth(t, t.Nodes[at].Left), depth(t, t.Nodes[at].Right))
}

func TestThePenaltyShrinksTheLeaves(t *testing.T) {
	d := mixed(500, 30)
	size := func(o train.Options) (sum float64) {
		o.Rounds, o.RowFraction, o.LearningRate, o.MaxDepth = 2, 1, 1, 2
		for _, leaf := range fit(t, train.Boosting, d, o).Trees[1].Leaves {
			sum += math.Abs(leaf.Value)
		}
		return sum
	}
	free := size(train.Options{})
	if l2 := size(train.Options{L2: 50}); l2 >= free {
		t.Errorf("leaf sizes: free %v, L2 %v", free, l2)
	}
}

func TestUnsoundOptionsAreRefusedByName(t *testing.T) {
	for name, o := range map[string]train.Options{
		"Rounds": {Rounds: -1}, "LearningRate": {LearningRate: 2}, "Leaves": {Leaves: 1},
		"MinLeafSamples": {MinLeafSamples: -1}, "MinLeafHessian": {MinLeafHessian: nan},
		"L2": {L2: nan}, "RowFraction": {RowFraction: 1.5}, "ColumnFraction": {ColumnFraction: -1},
		"Bins": {Bins: 256}, "Workers": {Workers: -2}, "objective": {Objective: train.Objective{Name: "half"}},
	} {
		if _, err := train.Fit(context.Background(), mixed(50, 31), o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettingsNameEveryOptionThatMatters(t *testing.T) {
	got := train.Options{LearningRate: 0.25, Workers: 3}.Settings()
	for name, want := range map[string]string{
		"Objective": "logistic", "Rounds": "200", "LearningRate": "0.25", "Growth": "leaf-wise", "RowFraction": "0.5", "Seed": "0", "L2": "0",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	for _, name := range []string{"Workers", "Progress"} {
		if _, ok := got[name]; ok {
			t.Errorf("%s cannot change the model", name)
		}
	}
}

func TestTheFormOfAColumnDoesNotMatter(t *testing.T) {
	d := mixed(500, 32)
	dense := *d
	dense.Columns = nil
	for _, c := range columns(d) {
		dense.Columns = append(dense.Columns, train.Dense(c))
	}
	if !bytes.Equal(text(t, fit(t, train.Boosting, d, small)), text(t, fit(t, train.Boosting, &dense, small))) {
		t.Error("sparse and dense columns give different models")
	}
}
