package tree_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

var nan = math.NaN()

func TestNumericNodesSendTheThresholdItselfLeftAndMissingTheDefaultWay(t *testing.T) {
	for _, c := range []struct {
		missing     tree.Missing
		defaultLeft bool
		x           float64
		left        bool
	}{
		{tree.MissingNaN, false, 1, true},
		{tree.MissingNaN, false, math.Nextafter(1, 2), false},
		{tree.MissingNaN, false, math.Inf(1), false},
		{tree.MissingNaN, true, math.Inf(-1), true},
		{tree.MissingNaN, false, nan, false},
		{tree.MissingNaN, true, nan, true},
		{tree.MissingNone, false, nan, true}, // NaN counts as 0, and 0 <= 1
		{tree.MissingZero, false, 0, false},
		{tree.MissingZero, false, nan, false},
		{tree.MissingZero, false, 0.5, true},
		{tree.MissingZero, true, 2, false},
	} {
		n := tree.Node{Threshold: 1, Missing: c.missing, DefaultLeft: c.defaultLeft}
		if got := n.GoesLeft(c.x); got != c.left {
			t.Errorf("missing %d, default left %v: %v goes left = %v", c.missing, c.defaultLeft, c.x, got)
		}
	}
}

func TestCategoricalNodesSendUnheardOfAndMissingCategoriesRight(t *testing.T) {
	n := tree.Node{Decision: tree.Categorical, Categories: treetest.Bitset(0, 3, 64)}
	for x, left := range map[float64]bool{
		0: true, 3: true, 64: true, 3.7: true, -0.5: true, // truncated, as in LightGBM
		1: false, 63: false, 65: false, 1000: false, -1: false, 1e300: false, math.Inf(1): false, math.Inf(-1): false,
	} {
		if n.GoesLeft(x) != left {
			t.Errorf("category %v goes left = %v, want %v", x, !left, left)
		}
	}
	if n.GoesLeft(nan) {
		t.Error("a missing category goes left")
	}
}

func TestScoringColumnsEqualsScoringRowByRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		e := treetest.Ensemble(rng, treetest.Size{Features: 7, Trees: 5, Leaves: 9})
		rows := make([][]float64, 1+rng.IntN(200))
		columns := make([][]float64, len(e.Features))
		for i := range rows {
			rows[i] = treetest.Row(rng, e)
			for f, x := range rows[i] {
				columns[f] = append(columns[f], x)
			}
		}
		got, err := e.PredictColumns(columns)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if got[i] != e.Predict(row) {
				t.Fatalf("row %d: %v by columns, %v alone", i, got[i], e.Predict(row))
			}
		}
	}
}

func TestScoringColumnsOfAnotherShapeIsAnError(t *testing.T) {
	e := treetest.Ensemble(rand.New(rand.NewPCG(1, 2)), treetest.Size{Features: 2, Trees: 1, Leaves: 4})
	if _, err := e.PredictColumns([][]float64{{1}}); err == nil || !strings.Contains(err.Error(), "1 columns, the model 2 features") {
		t.Errorf("a column too few: %v", err)
	}
	if _, err := e.PredictColumns([][]float64{{1}, {1, 2}}); err == nil || !strings.Contains(err.Error(), "has 2 rows") {
		t.Errorf("a column too long: %v", err)
	}
}

func TestABinaryEnsemblePredictsAProbability(t *testing.T) {
	e := &tree.Ensemble{Objective: tree.Binary, Features: []tree.Feature{{Name: "x"}}, Trees: []tree.Tree{{Leaves: []tree.Leaf{{Value: math.Log(3)}}}}}
	if p := e.Predict([]float64{0}); math.Abs(p-0.75) > 1e-15 {
		t.Errorf("log-odds of log 3 is the probability 3/4, got %v", p)
	}
}

func TestImportanceIsTheShareOfGain(t *testing.T) {
	stump := func(feature int32, gain float64) tree.Tree {
		return tree.Tree{
			Nodes:  []tree.Node{{Feature: feature, Gain: gain, Left: tree.LeafChild(0), Right: tree.LeafChild(1)}},
			Leaves: make([]tree.Leaf, 2),
		}
	}
	e := &tree.Ensemble{Features: []tree.Feature{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Trees: []tree.Tree{stump(0, 3), stump(2, 5), stump(0, 2)}}
	if got := e.Importance(); got[0] != 0.5 || got[1] != 0 || got[2] != 0.5 {
		t.Errorf("shares %v, want 0.5 0 0.5", got)
	}
}

func TestRandomEnsemblesAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 100 {
		if err := treetest.Ensemble(rng, treetest.Size{Features: 4, Trees: 3, Leaves: 12}).Validate(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestValidateRefusesWhatIsNotATree(t *testing.T) {
	valid := func() *tree.Ensemble {
		return &tree.Ensemble{
			Features: []tree.Feature{{Name: "a"}, {Name: "b"}},
			Trees: []tree.Tree{{
				Nodes: []tree.Node{
					{Left: 1, Right: tree.LeafChild(0)},
					{Left: tree.LeafChild(1), Right: tree.LeafChild(2)},
				},
				Leaves: make([]tree.Leaf, 3),
			}},
		}
	}
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*tree.Ensemble){
		"no trees":                func(e *tree.Ensemble) { e.Trees = nil },
		"no features":             func(e *tree.Ensemble) { e.Features = nil },
		"both called":             func(e *tree.Ensemble) { e.Features[1].Name = "a" },
		"no leaves":               func(e *tree.Ensemble) { e.Trees[0] = tree.Tree{} },
		"need 2 nodes":            func(e *tree.Ensemble) { e.Trees[0].Nodes = e.Trees[0].Nodes[:1] },
		"feature 2 of 2":          func(e *tree.Ensemble) { e.Trees[0].Nodes[1].Feature = 2 },
		"two parents":             func(e *tree.Ensemble) { e.Trees[0].Nodes[1].Left = 0 },
		"out of range":            func(e *tree.Ensemble) { e.Trees[0].Nodes[1].Left = 7 },
		"reached from the root":   func(e *tree.Ensemble) { e.Trees[0].Nodes[0].Left = tree.LeafChild(1) },
		"threshold is NaN":        func(e *tree.Ensemble) { e.Trees[0].Nodes[1].Threshold = nan },
		"leaf 1: value +Inf":      func(e *tree.Ensemble) { e.Trees[0].Leaves[1].Value = math.Inf(1) },
		"without categories":      func(e *tree.Ensemble) { e.Trees[0].Nodes[0].Decision = tree.Categorical },
		"numeric node with":       func(e *tree.Ensemble) { e.Trees[0].Nodes[0].Categories = treetest.Bitset(1) },
		"ranges from 2 to 1":      func(e *tree.Ensemble) { e.Features[0].Min, e.Features[0].Max = 2, 1 },
		"unknown missing type 3":  func(e *tree.Ensemble) { e.Trees[0].Nodes[0].Missing = 3 },
		"unknown objective 9":     func(e *tree.Ensemble) { e.Objective = 9 },
		"shrinkage is NaN":        func(e *tree.Ensemble) { e.Trees[0].Shrinkage = nan },
		"value 0, weight 0, gain": func(e *tree.Ensemble) { e.Trees[0].Nodes[0].Gain = nan },
	} {
		e := valid()
		spoil(e)
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
