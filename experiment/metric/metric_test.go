package metric

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"

	"github.com/winnow-mutants/winnow/predict"
)

func near(got, want float64) bool {
	return math.Abs(got-want) < 1e-12 || math.IsNaN(got) && math.IsNaN(want)
}

func must(t *testing.T, scores []float64, positive []bool) Predictions {
	t.Helper()
	p, err := NewPredictions(scores, positive)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// random draws items with many tied scores among 0, 1/6 ... 1.
func random(rng *rand.Rand, n int) (scores []float64, positive []bool) {
	for range n {
		scores = append(scores, float64(rng.IntN(7))/6)
		positive = append(positive, rng.IntN(3) == 0)
	}
	return scores, positive
}

func TestPerfectReversedAndTiedScoresHaveTheKnownAUC(t *testing.T) {
	classes := []bool{true, true, false, false}
	for _, c := range []struct {
		scores  []float64
		auc, ap float64
	}{
		{[]float64{.9, .8, .2, .1}, 1, 1},
		{[]float64{.1, .2, .8, .9}, 0, (1.0/3 + 2.0/4) / 2},
		{[]float64{.5, .5, .5, .5}, .5, .5},
		{[]float64{.9, .4, .6, .1}, .75, (1 + 2.0/3) / 2},
	} {
		p := must(t, c.scores, classes)
		if !near(p.AUC(), c.auc) || !near(p.AveragePrecision(), c.ap) {
			t.Errorf("%v: AUC %v, AP %v; want %v, %v", c.scores, p.AUC(), p.AveragePrecision(), c.auc, c.ap)
		}
	}
}

func TestAUCEqualsTheCountOfPairsAndTheAreaUnderGonumsROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		scores, positive := random(rng, rng.IntN(25))
		p := must(t, scores, positive)
		wins, pairs := 0.0, 0.0
		for i := range scores {
			for j := range scores {
				if positive[i] && !positive[j] {
					pairs++
					if scores[i] > scores[j] {
						wins++
					} else if scores[i] == scores[j] {
						wins += 0.5
					}
				}
			}
		}
		if !near(p.AUC(), wins/pairs) {
			t.Fatalf("%v %v: AUC %v, by pairs %v", scores, positive, p.AUC(), wins/pairs)
		}
		curve := p.ROC()
		if pairs == 0 {
			if curve != nil {
				t.Fatal("a ROC curve of one class")
			}
			continue
		}
		ascending, classes := slices.Clone(scores), slices.Clone(positive)
		stat.SortWeightedLabeled(ascending, classes, nil)
		tpr, fpr, _ := stat.ROC(nil, ascending, classes, nil)
		if area := integrate.Trapezoidal(fpr, tpr); !near(p.AUC(), area) {
			t.Fatalf("%v %v: AUC %v, gonum's %v", scores, positive, p.AUC(), area)
		}
		var xs, ys []float64
		for _, point := range curve {
			xs, ys = append(xs, point.FalsePositiveRate), append(ys, point.TruePositiveRate)
		}
		if area := integrate.Trapezoidal(xs, ys); !near(p.AUC(), area) {
			t.Fatalf("%v %v: AUC %v, own curve's %v", scores, positive, p.AUC(), area)
		}
	}
}

func TestAUCOfCountsEqualsTheAUCOfRepeatedItems(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 100 {
		scores, positive := random(rng, 1+rng.IntN(15))
		count := make([]int, len(scores))
		var longScores []float64
		var longPositive []bool
		for i := range count {
			count[i] = rng.IntN(4)
			for range count[i] {
				longScores, longPositive = append(longScores, scores[i]), append(longPositive, positive[i])
			}
		}
		if got, want := must(t, scores, positive).AUCOf(count), must(t, longScores, longPositive).AUC(); !near(got, want) {
			t.Fatalf("AUC of counts %v, of repeated items %v", got, want)
		}
	}
}

// slowAt is the mean over many orders of the tied items, each cut at chosen.
func slowAt(rng *rand.Rand, scores []float64, positive []bool, chosen int) (found float64) {
	const orders = 4000
	items := make([]int, len(scores))
	for i := range items {
		items[i] = i
	}
	for range orders {
		rng.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		sorted := slices.Clone(items)
		slices.SortStableFunc(sorted, func(a, b int) int {
			switch {
			case scores[a] > scores[b]:
				return -1
			case scores[a] < scores[b]:
				return 1
			}
			return 0
		})
		for _, i := range sorted[:chosen] {
			if positive[i] {
				found++
			}
		}
	}
	return found / orders
}

func TestTheTopOfTiedScoresIsTheMeanOverTheirOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 10 {
		scores, positive := random(rng, 20)
		p := must(t, scores, positive)
		for _, percent := range []int{5, 10, 20, 50, 100} {
			top := predict.Percent(percent)
			got := p.At(top)
			want := slowAt(rng, scores, positive, top.Of(20))
			if got.Chosen != top.Of(20) || math.Abs(got.Precision*float64(got.Chosen)-want) > 0.1 {
				t.Errorf("top %v: %+v, want %v positives of %d", top, got, want, got.Chosen)
			}
			if !near(got.Recall*float64(p.Positives()), got.Precision*float64(got.Chosen)) {
				t.Errorf("top %v: precision and recall disagree: %+v", top, got)
			}
		}
	}
}

func TestPrecisionRecallAndF1OfASmallExample(t *testing.T) {
	p := must(t, []float64{.9, .8, .7, .6, .5}, []bool{true, false, true, false, true})
	top, err := predict.ParseTop("2")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.At(top); got.Chosen != 2 || got.Precision != 0.5 || !near(got.Recall, 1.0/3) || !near(got.F1, 0.4) {
		t.Errorf("got %+v, want precision 1/2, recall 1/3, F1 0.4", got)
	}
	// FaRM at the top 5 %: precision 5.7 % and recall 12.8 % give 7.9 %, printed
	// as 7.8 from unrounded figures.
	if f := F1(.057, .128); math.Abs(f-.079) > .0005 {
		t.Errorf("F1 of FaRM's figures is %v", f)
	}
	if F1(0, 0) != 0 || F1(1, 1) != 1 {
		t.Error("F1 at the ends")
	}
}

func TestCalibrationOfKnownForecasts(t *testing.T) {
	half := must(t, []float64{.5, .5, .5, .5}, []bool{true, false, true, false})
	if half.Brier() != .25 || half.ECE(10) != 0 {
		t.Errorf("a coin: Brier %v, ECE %v; want .25 and 0", half.Brier(), half.ECE(10))
	}
	perfect := must(t, []float64{1, 0}, []bool{true, false})
	if perfect.Brier() != 0 || perfect.ECE(10) != 0 {
		t.Errorf("perfect: Brier %v, ECE %v; want 0 and 0", perfect.Brier(), perfect.ECE(10))
	}
	wrong := must(t, []float64{1, 0}, []bool{false, true})
	if wrong.Brier() != 1 || wrong.ECE(10) != 1 {
		t.Errorf("always wrong: Brier %v, ECE %v; want 1 and 1", wrong.Brier(), wrong.ECE(10))
	}
	// Three of 4 items in [.9,1] with scores of .9 happen, one in [0,.1).
	mixed := must(t, []float64{.9, .9, .9, .9, .05}, []bool{true, true, true, false, false})
	if got, want := mixed.ECE(10), (4*math.Abs(.9-.75)+.05)/5; !near(got, want) {
		t.Errorf("ECE %v, want %v", got, want)
	}
	bins := mixed.Reliability(10)
	if len(bins) != 10 || bins[9].Count != 4 || bins[0].Count != 1 || bins[9].Observed != .75 || !math.IsNaN(bins[5].Observed) {
		t.Errorf("bins %+v", bins)
	}
}

func TestCalibrationNeedsProbabilities(t *testing.T) {
	p := must(t, []float64{-.1, 2}, []bool{true, false})
	if !math.IsNaN(p.Brier()) || !math.IsNaN(p.ECE(10)) || p.Reliability(10) != nil {
		t.Error("scores outside 0..1 were taken for probabilities")
	}
	if q := must(t, []float64{.5}, []bool{true}); q.Reliability(0) != nil || !math.IsNaN(q.ECE(-1)) {
		t.Error("a diagram without bins")
	}
}

func TestNoMetricDependsOnTheOrderOfTheItems(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	all := func(p Predictions) []float64 {
		at := p.At(predict.Percent(20))
		return []float64{p.AUC(), p.AveragePrecision(), p.Brier(), p.ECE(10), at.Precision, at.Recall, at.F1, p.BaseRate()}
	}
	for range 100 {
		scores, positive := random(rng, rng.IntN(30))
		before := all(must(t, scores, positive))
		rng.Shuffle(len(scores), func(i, j int) {
			scores[i], scores[j] = scores[j], scores[i]
			positive[i], positive[j] = positive[j], positive[i]
		})
		after := all(must(t, scores, positive))
		for i := range before {
			if !near(before[i], after[i]) {
				t.Fatalf("metric %d is %v in one order and %v in another", i, before[i], after[i])
			}
		}
	}
}

func TestMetricsOfNothingOrOneClassAreUndefined(t *testing.T) {
	none := must(t, nil, nil)
	for _, v := range []float64{none.AUC(), none.AveragePrecision(), none.Brier(), none.ECE(10), none.BaseRate(), none.At(predict.Percent(5)).Precision} {
		if !math.IsNaN(v) {
			t.Errorf("a metric of no items is %v", v)
		}
	}
	negatives := must(t, []float64{.1, .2}, []bool{false, false})
	if !math.IsNaN(negatives.AUC()) || !math.IsNaN(negatives.AveragePrecision()) || !math.IsNaN(negatives.At(predict.Percent(5)).Recall) {
		t.Error("a metric that needs positives is defined without them")
	}
}

func TestUnusablePredictionsAreErrors(t *testing.T) {
	for _, c := range []struct {
		scores   []float64
		positive []bool
	}{{[]float64{1}, nil}, {[]float64{math.NaN()}, []bool{true}}} {
		if _, err := NewPredictions(c.scores, c.positive); !errors.Is(err, ErrPredictions) {
			t.Errorf("%v, %v: error %v", c.scores, c.positive, err)
		}
	}
}

func TestAPFDOfTheWorkedExample(t *testing.T) {
	for rank, want := range map[int]float64{1: 0.875, 2: 0.625, 4: 0.125, 0: 0} {
		if got := APFD([]int{rank}, 4); got != want {
			t.Errorf("revealed at rank %d of 4: APFD %v, want %v", rank, got, want)
		}
	}
	for name, got := range map[string]float64{
		"no artefact": APFD([]int{1}, 0), "no fault": APFD(nil, 4), "rank too large": APFD([]int{5}, 4), "negative rank": APFD([]int{-1}, 4),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s: APFD %v", name, got)
		}
	}
}

// curveArea is the area under a cumulative curve that starts at 0, rises to
// shares[i] with artefact i and is joined by straight lines, with the whole
// width as 1: the general form of APFD, for curves of shares of faults. NaN
// for an empty curve.
func curveArea(shares []float64) float64 {
	area, before := 0.0, 0.0
	for _, y := range shares {
		area += (before + y) / 2
		before = y
	}
	return area / float64(len(shares))
}

// curve returns the share of faults revealed by the first 1, 2, ... n
// artefacts; ranks are as in APFD. Nil when there are no faults.
func curve(ranks []int, n int) []float64 {
	shares := make([]float64, n)
	for _, k := range ranks {
		if k >= 1 && k <= n {
			shares[k-1]++
		}
	}
	found := 0.0
	for i := range shares {
		found += shares[i]
		shares[i] = found / float64(len(ranks))
	}
	return shares
}

func TestAPFDIsTheAreaUnderTheCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 200 {
		n := 1 + rng.IntN(12)
		ranks := make([]int, 1+rng.IntN(5))
		revealed := true
		sum := 0
		for i := range ranks {
			ranks[i] = rng.IntN(n + 1)
			sum += ranks[i]
			revealed = revealed && ranks[i] > 0
		}
		got := APFD(ranks, n)
		if want := curveArea(curve(ranks, n)); !near(got, want) {
			t.Fatalf("ranks %v of %d: APFD %v, area %v", ranks, n, got, want)
		}
		// The formula as published, which supposes that all faults are found.
		m := float64(len(ranks))
		if want := 1 - float64(sum)/(float64(n)*m) + 1/(2*float64(n)); revealed && !near(got, want) {
			t.Fatalf("ranks %v of %d: APFD %v, by the formula %v", ranks, n, got, want)
		}
	}
}
