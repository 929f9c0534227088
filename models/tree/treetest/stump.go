package treetest

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Stump is an ensemble over columns of some names that gives one probability where a column is at most a threshold, and
// another above.
func Stump(names []string, column string, threshold, atMost, above float64) *tree.Ensemble {
	node := tree.Node{Feature: int32(slices.Index(names, column)), Threshold: threshold, Left: tree.LeafChild(0), Right: tree.LeafChild(1)}
	e := &tree.Ensemble{Objective: tree.Binary, Trees: []tree.Tree{{Nodes: []tree.Node{node}, Leaves: []tree.Leaf{{Value: logOdds(atMost)}, {Value: logOdds(above)}}, Shrinkage: 1}}}
	for _, name := range names {
		e.Features = append(e.Features, tree.Feature{Name: name})
	}
	return e
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }
