package tree_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

// expectation is the mean of the subtree when only the features in known are
// given: Algorithm 1 of the paper.
func expectation(t *tree.Tree, at tree.Child, row []float64, known uint) (mean, rows float64) {
	if at.IsLeaf() {
		return t.Leaves[at.Index()].Value, float64(t.Leaves[at.Index()].Count)
	}
	n := &t.Nodes[at]
	left, l := expectation(t, n.Left, row, known)
	right, r := expectation(t, n.Right, row, known)
	switch {
	case known>>n.Feature&1 == 0:
		return (left*l + right*r) / (l + r), l + r
	case n.GoesLeft(row[n.Feature]):
		return left, l + r
	default:
		return right, l + r
	}
}

// bruteForce is the definition of the Shapley value, over all subsets.
func bruteForce(e *tree.Ensemble, row []float64) []float64 {
	value := make([]float64, 1<<len(e.Features))
	for known := range value {
		for i := range e.Trees {
			root := tree.Child(0)
			if len(e.Trees[i].Nodes) == 0 {
				root = tree.LeafChild(0)
			}
			mean, _ := expectation(&e.Trees[i], root, row, uint(known))
			value[known] += mean
		}
	}
	factorial := func(n int) float64 { return math.Gamma(float64(n + 1)) }
	n := len(e.Features)
	out := make([]float64, n)
	for f := range out {
		for known := range value {
			if known>>f&1 == 0 {
				size := bits.OnesCount(uint(known))
				out[f] += factorial(size) * factorial(n-size-1) / factorial(n) * (value[known|1<<f] - value[known])
			}
		}
	}
	return out
}

func TestContributionsEqualTheBruteForceShapleyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 60 {
		e := treetest.Ensemble(rng, treetest.Size{Features: 1 + rng.IntN(6), Trees: 3, Leaves: 12})
		explainer, err := tree.NewExplainer(e)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			row := treetest.Row(rng, e)
			got, want := explainer.Contributions(row), bruteForce(e, row)
			for f := range got {
				if math.Abs(got[f]-want[f]) > 1e-10 {
					t.Fatalf("feature %d: %v, by brute force %v", f, got[f], want[f])
				}
			}
		}
	}
}

func TestContributionsAndBiasSumToTheRawScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		e := treetest.Ensemble(rng, treetest.Size{Features: 12, Trees: 20, Leaves: 40})
		explainer, err := tree.NewExplainer(e)
		if err != nil {
			t.Fatal(err)
		}
		row := treetest.Row(rng, e)
		sum := explainer.Bias()
		for _, c := range explainer.Contributions(row) {
			sum += c
		}
		if math.Abs(sum-e.Raw(row)) > 1e-9 {
			t.Fatalf("contributions sum to %v, the score is %v", sum, e.Raw(row))
		}
	}
}

func TestAnEnsembleWithoutTrainingCountsCannotBeExplained(t *testing.T) {
	e := &tree.Ensemble{Features: []tree.Feature{{Name: "a"}}, Trees: []tree.Tree{{
		Nodes: []tree.Node{{Left: tree.LeafChild(0), Right: tree.LeafChild(1)}}, Leaves: make([]tree.Leaf, 2),
	}}}
	_, err := tree.NewExplainer(e)
	if err == nil || !strings.Contains(err.Error(), "no training counts") {
		t.Errorf("got %v", err)
	}
	if _, err := tree.NewExplainer(&tree.Ensemble{}); err == nil {
		t.Error("an empty ensemble was explained")
	}
}

// BenchmarkContributions explains one row of 200 trees with 32 leaves: 1,000
// rows should take less than a second.
func BenchmarkContributions(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 3))
	e := &tree.Ensemble{}
	for range 40 {
		e.Features = append(e.Features, tree.Feature{Name: string(rune('a' + len(e.Features)))})
	}
	for range 200 {
		e.Trees = append(e.Trees, completeTree(rng, 5, len(e.Features)))
	}
	explainer, err := tree.NewExplainer(e)
	if err != nil {
		b.Fatal(err)
	}
	row := make([]float64, len(e.Features))
	for b.Loop() {
		for i := range row {
			row[i] = rng.NormFloat64()
		}
		explainer.Contributions(row)
	}
}

// completeTree has 2^depth leaves.
func completeTree(rng *rand.Rand, depth, features int) tree.Tree {
	var t tree.Tree
	for i := range 1<<depth - 1 {
		n := tree.Node{Feature: int32(rng.IntN(features)), Threshold: rng.NormFloat64(), Left: tree.Child(2*i + 1), Right: tree.Child(2*i + 2)}
		if 2*i+1 >= 1<<depth-1 {
			n.Left, n.Right = tree.LeafChild(2*i+1-(1<<depth-1)), tree.LeafChild(2*i+2-(1<<depth-1))
		}
		t.Nodes = append(t.Nodes, n)
	}
	for range 1 << depth {
		t.Leaves = append(t.Leaves, tree.Leaf{Value: rng.NormFloat64(), Count: 1 + rng.IntN(100)})
	}
	return t
}
