package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

func TestLogisticRegressionFindsTheLogOddsOfATable(t *testing.T) {
	// x = 0: 30 of 100 positive; x = 1: 80 of 100. The log-odds are the cells'.
	d := &Data{Names: []string{"x"}, Columns: []Column{{}}}
	for i := range 200 {
		x, y := float64(i/100), 0.0
		if i < 30 || i >= 120 {
			y = 1
		}
		d.Columns[0].Values, d.Labels = append(d.Columns[0].Values, x), append(d.Labels, y)
	}
	e, err := LogisticRegression.Fit(context.Background(), d, Options{L2: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range []float64{0.3, 0.8} {
		if got := e.Predict([]float64{float64(x)}); math.Abs(got-want) > 1e-4 {
			t.Errorf("x = %d: %v, want %v", x, got, want)
		}
	}
	if got := e.Predict([]float64{math.NaN()}); math.Abs(logit(got)-(logit(0.3)+logit(0.8))/2) > 1e-3 {
		t.Errorf("missing: %v; it counts as the mean of the column", got)
	}
}

// The gradient is that of the loss, and the ensemble says what the linear model
// says, whatever the form of the columns.
func TestLogisticRegressionIsWhatItsTreesSay(t *testing.T) {
	for seed := range uint64(40) {
		d := randomData(rand.New(rand.NewPCG(51, seed)))
		o := Options{Workers: 2, L2: 0.5}.withDefaults()
		g, err := newRegression(d, &o)
		if err != nil {
			t.Fatal(err)
		}
		x, err := g.solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		checkGradient(t, g, x)
		e, err := LogisticRegression.Fit(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, d.Rows())
		g.scores(x, scores)
		for r, score := range scores {
			raw := 0.0
			for i := range e.Trees {
				raw += leafValue(&e.Trees[i], d, r)
			}
			if math.Abs(raw-score) > 1e-9 {
				t.Fatalf("seed %d, row %d: %v by the trees, %v by the parameters", seed, r, raw, score)
			}
		}
	}
}

func checkGradient(t *testing.T, g *regression, x []float64) {
	t.Helper()
	n := g.data.Rows()
	loss := func(x []float64) (sum float64) {
		scores := make([]float64, n)
		g.scores(x, scores)
		for r, s := range scores {
			sum += g.data.weight(r) * logLoss(s, g.data.Labels[r])
		}
		for _, b := range x[1:] {
			sum += g.ridge / 2 * b * b
		}
		return sum
	}
	at := make([]float64, len(x))
	for k := range at {
		at[k] = x[k] + 0.3*float64(k%3-1)
	}
	scores, first, second, got := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, len(x))
	g.scores(at, scores)
	pointwise{&CrossEntropy, g.data}.Derivatives(scores, first, second, 1)
	g.gradient(first, at, got)
	for k := range at {
		const h = 1e-5
		at[k] += h
		up := loss(at)
		at[k] -= 2 * h
		down := loss(at)
		at[k] += h
		if want := (up - down) / (2 * h); math.Abs(got[k]-want) > 1e-4*(1+math.Abs(want)) {
			t.Fatalf("parameter %d: gradient %v, by differences %v", k, got[k], want)
		}
	}
}

func TestADecisionTreeGivesTheMeansOfItsLeaves(t *testing.T) {
	// Exclusive or of two columns, 25 rows a cell: two levels separate them.
	d := &Data{Names: []string{"a", "b"}, Columns: make([]Column, 2)}
	for i := range 100 {
		a, b := float64(i%2), float64(i/2%2)
		d.Columns[0].Values, d.Columns[1].Values = append(d.Columns[0].Values, a), append(d.Columns[1].Values, b)
		y := math.Abs(a - b)
		if i < 4 { // a little less than clear-cut, so that the first split gains
			y = a
		}
		d.Labels = append(d.Labels, y)
	}
	e, err := DecisionTree.Fit(context.Background(), d, Options{MinLeafSamples: 1})
	if err != nil {
		t.Fatal(err)
	}
	sum, count := map[[2]float64]float64{}, map[[2]float64]float64{}
	for r, y := range d.Labels {
		cell := [2]float64{d.Columns[0].Values[r], d.Columns[1].Values[r]}
		sum[cell] += y
		count[cell]++
	}
	mean := meanLabel(d)
	for cell := range count {
		want := (sum[cell] + mean) / (count[cell] + 1)
		if got := e.Predict(cell[:]); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, want %v", cell, got, want)
		}
	}
	if len(e.Trees) != 1 {
		t.Errorf("%d trees", len(e.Trees))
	}
}

func TestBaselinesRefuseWhatTheyCannotLearn(t *testing.T) {
	d := randomData(rand.New(rand.NewPCG(52, 3)))
	for _, c := range []struct {
		learner   Learner
		objective Objective
	}{{LogisticRegression, Squared}, {LogisticRegression, NDCG}, {DecisionTree, NDCG}} {
		if _, err := c.learner.Fit(context.Background(), d, Options{Objective: c.objective}); err == nil {
			t.Errorf("%s learns %s", c.learner.Name, c.objective.Name)
		}
	}
}
