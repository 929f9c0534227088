package train_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// listed is a table of programs in which the label follows the first column
// within a program, while the second column tells the programs apart and shifts
// the labels.
func listed(groups, size int, seed uint64) *train.Data {
	rng := rand.New(rand.NewPCG(21, seed))
	d := &train.Data{Names: []string{"inside", "between"}}
	var inside, between []float64
	for g := range groups {
		for range size {
			x, shift := rng.Float64(), float64(g%5)/5
			inside, between = append(inside, x), append(between, shift)
			y := 0.0
			if x+0.3*rng.NormFloat64() > 0.9 {
				y = 0.2 + 0.8*shift
			}
			d.Labels = append(d.Labels, y)
			d.Groups = append(d.Groups, int32(g))
		}
	}
	d.Columns = []train.Column{train.Dense(inside), train.Dense(between)}
	return d
}

func listwise(t *testing.T, o train.Objective, d *train.Data) train.Listwise {
	t.Helper()
	l, err := o.Listwise(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNDCGOfAWorkedExample(t *testing.T) {
	// One group with gains 1, 0.5 and 0 in the order 0.5, 0, 1: DCG is
	// 0.5/1 + 0/log2(3) + 1/2, the best 1 + 0.5/log2(3).
	d := &train.Data{Labels: []float64{1, 0.5, 0}}
	l := listwise(t, train.NDCG, d)
	want := 1 - (0.5+0.5)/(1+0.5/math.Log2(3))
	if got := l.Loss([]float64{1, 3, 2}); math.Abs(got-want) > 1e-12 {
		t.Errorf("loss %v, want %v", got, want)
	}
	if got := l.Loss([]float64{3, 2, 1}); got != 0 {
		t.Errorf("the best order has loss %v", got)
	}
}

func TestLambdasPushWhatIsWorthMoreUp(t *testing.T) {
	for _, o := range []train.Objective{train.NDCG, train.Revelation} {
		d := listed(6, 40, 1)
		rng := rand.New(rand.NewPCG(22, 1))
		scores := make([]float64, d.Rows())
		for i := range scores {
			scores[i] = rng.NormFloat64()
		}
		l := listwise(t, o, d)
		first, second := make([]float64, d.Rows()), make([]float64, d.Rows())
		l.Derivatives(scores, first, second, 1)
		sums := map[int32]float64{}
		for r := range first {
			sums[d.Groups[r]] += first[r]
			if second[r] < 0 {
				t.Fatalf("%s: second derivative %v", o.Name, second[r])
			}
		}
		for g, sum := range sums {
			if math.Abs(sum) > 1e-9 {
				t.Errorf("%s: the pushes in group %d add up to %v: each pair's cancel", o.Name, g, sum)
			}
		}
		before := l.Loss(scores)
		for range 50 {
			l.Derivatives(scores, first, second, 1)
			for r := range scores {
				scores[r] -= 0.1 * first[r]
			}
		}
		if after := l.Loss(scores); after > before/2 {
			t.Errorf("%s: following the derivatives takes the loss from %.3f to %.3f", o.Name, before, after)
		}
	}
}

// A ranking model must order rows within a program; how programs differ is of no
// use to it.
func TestRankingLearnsTheOrderInsideGroups(t *testing.T) {
	for _, o := range []train.Objective{train.NDCG, train.Revelation} {
		test := listed(20, 60, 3)
		options := train.Options{Objective: o, Rounds: 60}
		e := fit(t, train.Boosting, listed(40, 60, 2), options)
		raw, err := e.RawColumns(columns(test))
		if err != nil {
			t.Fatal(err)
		}
		l := listwise(t, o, test)
		oracle, random := make([]float64, len(raw)), make([]float64, len(raw))
		copy(oracle, test.Columns[0].Values)
		if got, best, chance := l.Loss(raw), l.Loss(oracle), l.Loss(random); got > best+0.15*(chance-best) {
			t.Errorf("%s: loss %.3f; by the column that decides %.3f, at random %.3f", o.Name, got, best, chance)
		}
		if share := e.Importance(); share[0] < 0.8 {
			t.Errorf("%s: the column inside groups has importance %.2f", o.Name, share[0])
		}
	}
}

func TestRankingIsTheSameForAnyNumberOfWorkersAndPlacesOfRows(t *testing.T) {
	d := listed(12, 30, 4)
	o := train.Options{Objective: train.Revelation, Rounds: 5, Workers: 1}
	want := text(t, fit(t, train.Boosting, d, o))
	o.Workers = 4
	if !bytes.Equal(want, text(t, fit(t, train.Boosting, d, o))) {
		t.Error("four workers give another model")
	}
}

func TestRankingNeedsSomethingToOrder(t *testing.T) {
	d := listed(3, 20, 5)
	clear(d.Labels)
	_, err := train.Fit(context.Background(), d, train.Options{Objective: train.NDCG})
	if !errors.Is(err, train.ErrNoOrder) {
		t.Error(err)
	}
	// The baseline does not.
	if e := fit(t, train.Constant, d, train.Options{Objective: train.NDCG}); e.Objective != tree.Ranking || e.Raw(make([]float64, len(d.Names))) != 0 {
		t.Errorf("the constant of no order is %+v", e)
	}
}

func TestAColumnThatIsLoadedTeachesTheSame(t *testing.T) {
	d := mixed(500, 41)
	lazy := *d
	lazy.Columns = nil
	for _, c := range d.Columns {
		lazy.Columns = append(lazy.Columns, train.Column{Load: func() (train.Column, error) { return c, nil }})
	}
	if !bytes.Equal(text(t, fit(t, train.Boosting, d, small)), text(t, fit(t, train.Boosting, &lazy, small))) {
		t.Error("columns in memory and loaded columns give different models")
	}
	for name, c := range map[string]train.Column{
		"it fails":            {Load: func() (train.Column, error) { return train.Column{}, errors.New("no such file") }},
		"it has another size": {Load: func() (train.Column, error) { return train.Dense([]float64{1}), nil }},
	} {
		bad := lazy
		bad.Columns = slices.Clone(lazy.Columns)
		bad.Columns[2] = c
		if _, err := train.Fit(context.Background(), &bad, small); err == nil || !strings.Contains(err.Error(), `"holes"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAWarmStartContinuesTheModel(t *testing.T) {
	d := mixed(1000, 42)
	ten := fit(t, train.Boosting, d, train.Options{Rounds: 10})
	more := fit(t, train.Boosting, d, train.Options{Rounds: 15, WarmStart: ten})
	if len(more.Trees) != 25 {
		t.Fatalf("%d trees, want 10 and 15", len(more.Trees))
	}
	head := *more
	head.Trees = more.Trees[:10]
	if !slices.Equal(predict(t, &head, d), predict(t, ten, d)) {
		t.Error("the first trees are not those of the earlier model")
	}
	l := func(p []float64) (sum float64) {
		for r, y := range d.Labels {
			sum -= y*math.Log(p[r]) + (1-y)*math.Log(1-p[r])
		}
		return sum
	}
	if l(predict(t, more, d)) >= l(predict(t, ten, d)) {
		t.Error("going on does not lower the loss")
	}
}

// A small history should profit from a model of a large one about like data.
func TestAWarmStartHelpsASmallHistory(t *testing.T) {
	large, few, test := mixed(5000, 43), mixed(60, 44), mixed(3000, 45)
	earlier := fit(t, train.Boosting, large, train.Options{Rounds: 50})
	cold := fit(t, train.Boosting, few, train.Options{Rounds: 20})
	warm := fit(t, train.Boosting, few, train.Options{Rounds: 20, WarmStart: earlier})
	if c, w := auc(predict(t, cold, test), test.Labels), auc(predict(t, warm, test), test.Labels); w < c+0.02 {
		t.Errorf("AUC %.3f cold and %.3f warm", c, w)
	}
}

func TestAWarmStartThatDoesNotFitIsRefused(t *testing.T) {
	d := mixed(300, 46)
	e := fit(t, train.Boosting, d, small)
	renamed := *d
	renamed.Names = []string{"a", "b", "c", "d", "e"}
	for name, try := range map[string]struct {
		d *train.Data
		o train.Options
	}{
		"lack":       {&renamed, train.Options{WarmStart: e}},
		"regression": {d, train.Options{WarmStart: e, Objective: train.Squared}},
		"ranking":    {d, train.Options{WarmStart: e, Objective: train.Revelation}},
	} {
		if _, err := train.Fit(context.Background(), try.d, try.o); err == nil || !strings.Contains(err.Error(), "warm start: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
