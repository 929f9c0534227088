package rank

import (
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
)

func TestGitIsAskedForModelsThatReadAges(t *testing.T) {
	stump := func(gain float64) *models.Bundle {
		e := &tree.Ensemble{Features: []tree.Feature{{Name: "line_age"}}}
		if gain > 0 {
			e.Trees = []tree.Tree{{Nodes: []tree.Node{{Feature: 0, Gain: gain}}}}
		}
		return &models.Bundle{Fault: e, Kill: &tree.Ensemble{}}
	}
	if ReadsAges(nil) || ReadsAges(stump(0)) || !ReadsAges(stump(1)) {
		t.Error("git is asked in vain, or not at all")
	}
}
