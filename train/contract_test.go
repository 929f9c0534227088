package train_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
	"github.com/winnow-mutants/winnow/train"
)

var nan = math.NaN()

// TestEveryLearnerKeepsTheContract runs each learner through what any learner
// must do.
func TestEveryLearnerKeepsTheContract(t *testing.T) {
	for _, learner := range train.Learners() {
		t.Run(learner.Name, func(t *testing.T) {
			t.Run("it is documented", func(t *testing.T) {
				if learner.Name == "" || learner.Doc == "" || learner.Fit == nil {
					t.Error("a learner needs Name, Doc and Fit")
				}
			})
			t.Run("it saves and loads bit for bit", func(t *testing.T) { savesAndLoads(t, learner) })
			t.Run("the same seed gives the same bytes for any number of workers", func(t *testing.T) { repeats(t, learner) })
			t.Run("it survives missing values", func(t *testing.T) { survivesMissing(t, learner) })
			t.Run("a constant column has no importance", func(t *testing.T) { ignoresConstant(t, learner) })
			t.Run("it learns nothing from permuted labels", func(t *testing.T) { permuted(t, learner) })
			t.Run("the mean prediction is the mean label", func(t *testing.T) { calibrated(t, learner) })
			t.Run("it leaves the data as they were", func(t *testing.T) { leavesData(t, learner) })
			t.Run("it says what is wrong with the data", func(t *testing.T) { refuses(t, learner) })
		})
	}
}

func fit(t *testing.T, learner train.Learner, d *train.Data, o train.Options) *tree.Ensemble {
	t.Helper()
	e, err := learner.Fit(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func text(t *testing.T, e *tree.Ensemble) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := lightgbm.Write(&b, e); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mixed is a table with a real, a sparse, a missing-ridden and a constant column and one
// of three values; the labels depend on the first, second and last.
func mixed(rows int, seed uint64) *train.Data {
	rng := rand.New(rand.NewPCG(10, seed))
	columns := make([][]float64, 5)
	d := &train.Data{Names: []string{"number", "count", "holes", "constant", "level"}}
	for range rows {
		x, count, hole, level := rng.NormFloat64(), 0.0, rng.Float64(), float64(rng.IntN(3))
		if rng.IntN(10) == 0 {
			count = float64(1 + rng.IntN(3))
		}
		if rng.IntN(3) == 0 {
			hole = nan
		}
		for i, v := range []float64{x, count, hole, 7, level} {
			columns[i] = append(columns[i], v)
		}
		y := 0.0
		if x+count+level-1.5+0.5*rng.NormFloat64() > 0 {
			y = 1
		}
		d.Labels = append(d.Labels, y)
	}
	for _, c := range columns {
		d.Columns = append(d.Columns, train.Compress(c))
	}
	return d
}

// columns returns d as a plain table.
func columns(d *train.Data) [][]float64 {
	out := make([][]float64, len(d.Columns))
	for i, c := range d.Columns {
		if c.Rows == nil {
			out[i] = c.Values
			continue
		}
		out[i] = make([]float64, d.Rows())
		for at, r := range c.Rows {
			out[i][r] = c.Values[at]
		}
	}
	return out
}

func predict(t *testing.T, e *tree.Ensemble, d *train.Data) []float64 {
	t.Helper()
	p, err := e.PredictColumns(columns(d))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// auc is the share of pairs of a positive and a negative row that scores order
// rightly, ties half (Hanley and McNeil 1982).
func auc(scores, labels []float64) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return scores[order[i]] < scores[order[j]] })
	pairs, positives, below := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		p, n := 0.0, 0.0
		j := i
		for ; j < len(order) && scores[order[j]] == scores[order[i]]; j++ {
			p += labels[order[j]]
			n += 1 - labels[order[j]]
		}
		pairs += p * (below + n/2)
		positives += p
		below += n
		i = j
	}
	return pairs / (positives * below)
}

var small = train.Options{Rounds: 20}

func savesAndLoads(t *testing.T, learner train.Learner) {
	d := mixed(500, 1)
	e := fit(t, learner, d, small)
	back, err := lightgbm.Read(bytes.NewReader(text(t, e)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, back, treetest.AsSaved()); diff != "" {
		t.Fatal(diff)
	}
}

func repeats(t *testing.T, learner train.Learner) {
	// More rows than a worker takes at a time, and more columns than workers.
	d := sparseData(10_000)
	o := train.Options{Rounds: 4, Seed: 5, Workers: 1, ColumnFraction: 0.5}
	want := text(t, fit(t, learner, d, o))
	for _, workers := range []int{1, 2, 3, 7} {
		o.Workers = workers
		if !bytes.Equal(want, text(t, fit(t, learner, d, o))) {
			t.Errorf("%d workers give another model", workers)
		}
	}
}

func survivesMissing(t *testing.T, learner train.Learner) {
	d := mixed(500, 2)
	d.Columns[0] = train.Dense(make([]float64, d.Rows()))
	for r := range d.Rows() {
		d.Columns[0].Values[r] = nan // a whole column without a value
	}
	for _, p := range predict(t, fit(t, learner, d, small), d) {
		if !(p >= 0 && p <= 1) {
			t.Fatalf("predicted %v", p)
		}
	}
}

func ignoresConstant(t *testing.T, learner train.Learner) {
	d := mixed(500, 3)
	if share := fit(t, learner, d, small).Importance()[3]; share != 0 {
		t.Errorf("the constant column has importance %v", share)
	}
}

// permuted labels teach next to nothing: on new rows the model is about as good as the
// mean of the labels. (An AUC would not tell: it knows no small differences.)
func permuted(t *testing.T, learner train.Learner) {
	d, test := mixed(2000, 4), mixed(2000, 5)
	loss := func(e *tree.Ensemble) (sum float64) {
		for r, p := range predict(t, e, test) {
			y := test.Labels[r]
			sum -= y*math.Log(p) + (1-y)*math.Log(1-p)
		}
		return sum / float64(test.Rows())
	}
	mean, taught := loss(fit(t, train.Constant, d, small)), loss(fit(t, learner, d, small))
	rng := rand.New(rand.NewPCG(11, 1))
	rng.Shuffle(len(d.Labels), func(i, j int) { d.Labels[i], d.Labels[j] = d.Labels[j], d.Labels[i] })
	if got := loss(fit(t, learner, d, small)); math.Abs(got-mean) > 0.03 {
		t.Errorf("the loss is %.3f, that of the mean label %.3f", got, mean)
	}
	if learner.Name != train.Constant.Name && taught > mean-0.1 {
		t.Errorf("the labels as they are teach nothing either: the loss is %.3f, that of the mean label %.3f", taught, mean)
	}
}

func calibrated(t *testing.T, learner train.Learner) {
	d := mixed(2000, 6)
	predicted, label := 0.0, 0.0
	for r, p := range predict(t, fit(t, learner, d, train.Options{RowFraction: 1}), d) {
		predicted += p
		label += d.Labels[r]
	}
	if math.Abs(predicted-label) > 0.01*label {
		t.Errorf("predicted %.1f positives, there are %.0f", predicted, label)
	}
}

func leavesData(t *testing.T, learner train.Learner) {
	d := mixed(500, 7)
	fit(t, learner, d, small)
	if diff := cmp.Diff(mixed(500, 7), d, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

func refuses(t *testing.T, learner train.Learner) {
	for name, spoil := range map[string]func(*train.Data){
		"no rows":              func(d *train.Data) { d.Labels = nil },
		"no columns":           func(d *train.Data) { d.Columns = nil },
		"a name too few":       func(d *train.Data) { d.Names = d.Names[1:] },
		"a name twice":         func(d *train.Data) { d.Names[1] = d.Names[0] },
		"a label out of range": func(d *train.Data) { d.Labels[3] = 2 },
		"a ratio as yes-or-no": func(d *train.Data) { d.Labels[3] = 0.5 },
		"a label missing":      func(d *train.Data) { d.Labels[3] = nan },
		"an infinite value":    func(d *train.Data) { d.Columns[0].Values[2] = math.Inf(1) },
		"a value too few":      func(d *train.Data) { d.Columns[0].Values = d.Columns[0].Values[1:] },
		"sparse rows unsorted": func(d *train.Data) {
			d.Columns[1].Rows[0], d.Columns[1].Rows[1] = d.Columns[1].Rows[1], d.Columns[1].Rows[0]
		},
		"a sparse row too far":   func(d *train.Data) { d.Columns[1].Rows[len(d.Columns[1].Rows)-1] = 1 << 20 },
		"sparse rows and values": func(d *train.Data) { d.Columns[1].Rows = d.Columns[1].Rows[1:] },
		"a negative weight":      func(d *train.Data) { d.Weights = make([]float64, 100); d.Weights[1] = -1 },
		"weights all 0":          func(d *train.Data) { d.Weights = make([]float64, 100) },
		"a weight too few":       func(d *train.Data) { d.Weights = make([]float64, 99) },
		"a group too few":        func(d *train.Data) { d.Groups = make([]int32, 99) },
	} {
		d := mixed(100, 8)
		spoil(d)
		if _, err := learner.Fit(context.Background(), d, small); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := learner.Fit(context.Background(), nil, small); err == nil {
		t.Error("no data at all: no error")
	}
}
