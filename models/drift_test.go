package models

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

func TestAPSIAndKSOfAWorkedExample(t *testing.T) {
	d := Describe("x", []float64{0, 0, 0, 0, 0, 0, 1, 1, math.NaN(), math.NaN()}, 1)
	got := d.Compare([]float64{0, 1, 1, 1, math.NaN()})
	// Shares .6 .2 .2 against .2 .6 .2.
	if want := 2 * 0.4 * math.Log(3); math.Abs(got.PSI-want) > 1e-12 || math.Abs(got.KS-0.4) > 1e-12 {
		t.Errorf("PSI %v, want %v; KS %v, want 0.4", got.PSI, want, got.KS)
	}
}

func TestDataLikeTheTrainingDataDoNotDriftAndOthersDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	draw := func(n int, shift float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = rng.NormFloat64() + shift
			if rng.IntN(10) == 0 {
				out[i] = math.NaN()
			}
		}
		return out
	}
	d := Describe("x", draw(20_000, 0), 1)
	if err := d.validate(); err != nil {
		t.Fatal(err)
	}
	if same := d.Compare(draw(5000, 0)); same.PSI > 0.02 || same.KS > 0.04 {
		t.Errorf("the same data: %+v", same)
	}
	if other := d.Compare(draw(5000, 1)); other.PSI < MuchDrift || other.KS < 0.25 {
		t.Errorf("shifted by a deviation: %+v", other)
	}
	gone := make([]float64, 100)
	for i := range gone {
		gone[i] = math.NaN()
	}
	if all := d.Compare(gone); all.PSI < MuchDrift {
		t.Errorf("all missing: %+v", all)
	}
}

func TestConstantAndEmptyColumnsHaveADistribution(t *testing.T) {
	for _, values := range [][]float64{{3, 3, 3}, {math.NaN()}} {
		d := Describe("x", values, 0)
		if err := d.validate(); err != nil {
			t.Errorf("%v: %v", values, err)
		}
		if got := d.Compare(values); got.PSI != 0 || got.KS != 0 {
			t.Errorf("%v against itself: %+v", values, got)
		}
	}
}

func TestABundleDescribesTheColumnsThatItReadsMost(t *testing.T) {
	e := &tree.Ensemble{Objective: tree.Binary, Features: []tree.Feature{{Name: "idle"}, {Name: "much"}, {Name: "little"}}}
	for _, n := range []tree.Node{{Feature: 1, Gain: 9}, {Feature: 2, Gain: 1}} {
		n.Left, n.Right = tree.LeafChild(0), tree.LeafChild(1)
		e.Trees = append(e.Trees, tree.Tree{Nodes: []tree.Node{n}, Leaves: make([]tree.Leaf, 2), Shrinkage: 1})
	}
	own := treetest.Stump([]string{"no feature"}, "no feature", 0, .1, .9) // of survivors: there are no data of its column
	own.Trees[0].Nodes[0].Gain = 1
	b := &Bundle{Fault: e, Kill: e, Survivor: own}
	data := map[string][]float64{"much": {1, 2, 3, 4}, "little": {5, 5, 6, 6}}
	b.Describe(5, func(name string) []float64 { return data[name] })
	if d := b.Card.Distributions; len(d) != 2 || d[0].Name != "much" || d[0].Importance != 0.9 || d[1].Name != "little" {
		t.Fatalf("%+v", d)
	}
	data["little"] = []float64{9, 9, 9, 9}
	if got := b.Drifts(func(name string) []float64 { return data[name] }); got[0].Name != "little" || got[0].PSI < MuchDrift || got[1].PSI != 0 {
		t.Errorf("%+v", got)
	}
	if got := b.Drifts(func(string) []float64 { return nil }); len(got) != 0 {
		t.Errorf("without data: %+v", got)
	}
}
