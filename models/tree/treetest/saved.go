package treetest

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/models/tree"
)

// AsSaved compares ensembles by what a file keeps of them: all but the numbers of the
// training that nothing reads afterwards.
func AsSaved() cmp.Option {
	return cmp.Options{
		cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(tree.Node{}, "Value", "Weight"),
		cmpopts.IgnoreFields(tree.Leaf{}, "Weight"),
	}
}
