package predict

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

// scorerOfTwo makes a scorer of two models over the same features, each of which may be nil.
func scorerOfTwo(fault, kill *tree.Ensemble) (*Scorer, error) {
	return newScorer([]scorerPart{
		{name: "fault", ensemble: fault, to: func(s *Scorer) **model { return &s.fault }},
		{name: "kill", ensemble: kill, to: func(s *Scorer) **model { return &s.kill }},
	})
}

// scores returns the two probabilities of each row, as Apply gives them.
func (s *Scorer) scores(rows [][]float64) (fault, kill []float64, err error) {
	mutants := make([]Score, len(rows))
	if err := s.Apply(mutants, rows); err != nil {
		return nil, nil, err
	}
	for _, m := range mutants {
		fault, kill = append(fault, m.Fault), append(kill, m.Kill)
	}
	return fault, kill, nil
}

func TestScoresAreThoseOfTheModelsTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 60 {
		size := treetest.Size{Features: 1 + rng.IntN(8), Trees: 1 + rng.IntN(12), Leaves: 1 + rng.IntN(12)}
		fault, kill := treetest.Ensemble(rng, size), treetest.Ensemble(rng, size)
		kill.Features = fault.Features
		s, err := scorerOfTwo(fault, kill)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]float64
		for range 40 {
			rows = append(rows, treetest.Row(rng, fault), treetest.Row(rng, kill))
		}
		gotFault, gotKill, err := s.scores(rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for _, c := range []struct{ got, want float64 }{{gotFault[i], fault.Predict(row)}, {gotKill[i], kill.Predict(row)}} {
				if math.Abs(c.got-c.want) > 1e-12 {
					t.Fatalf("row %v scores %v, by the trees %v", row, c.got, c.want)
				}
			}
		}
	}
}

// stump is a model of one split on one feature.
func stump(name string, low, high float64) *tree.Ensemble {
	return &tree.Ensemble{
		Objective: tree.Regression, Features: []tree.Feature{{Name: name, Max: 1}},
		Trees: []tree.Tree{{
			Nodes:  []tree.Node{{Missing: tree.MissingNaN, Threshold: .5, Left: tree.LeafChild(0), Right: tree.LeafChild(1), Count: 20}},
			Leaves: []tree.Leaf{{Value: low, Count: 10}, {Value: high, Count: 10}}, Shrinkage: 1,
		}},
	}
}

func TestApplyFillsInTheScoresSoThatMutantsCanBeRanked(t *testing.T) {
	s, err := scorerOfTwo(stump("x", .1, .8), stump("x", .7, .3))
	if err != nil {
		t.Fatal(err)
	}
	mutants := []Score{{ID: "a"}, {ID: "b"}}
	if err := s.Apply(mutants, [][]float64{{0}, {1}}); err != nil {
		t.Fatal(err)
	}
	if mutants[0].Fault != .1 || mutants[0].Kill != .7 || mutants[1].Fault != .8 || mutants[1].Kill != .3 {
		t.Errorf("scores %+v", mutants)
	}
	if got := ids(mutants, mustOrder(t, FaRM, mutants, 1)); got != "b a" {
		t.Errorf("FaRM orders %s", got)
	}
	if got := ids(mutants, mustOrder(t, FaRMStar, mutants, 1)); got != "a b" {
		t.Errorf("FaRM* orders %s", got)
	}
}

func TestAMissingModelGivesNoScores(t *testing.T) {
	s, err := scorerOfTwo(nil, stump("x", .1, .9))
	if err != nil {
		t.Fatal(err)
	}
	fault, kill, err := s.scores([][]float64{{1}})
	if err != nil || !math.IsNaN(fault[0]) || kill[0] != .9 {
		t.Errorf("scores %v, %v, %v; want NaN and .9", fault, kill, err)
	}
}

func TestModelsAndRowsThatDoNotFitAreRefused(t *testing.T) {
	if _, err := scorerOfTwo(nil, nil); !errors.Is(err, ErrModel) {
		t.Errorf("no model: error %v", err)
	}
	if _, err := scorerOfTwo(stump("x", 0, 1), stump("y", 0, 1)); !errors.Is(err, ErrModel) {
		t.Errorf("other features: error %v", err)
	}
	broken := stump("x", 0, 1)
	broken.Trees[0].Nodes[0].Feature = 7
	if _, err := scorerOfTwo(broken, nil); err == nil {
		t.Error("a model that reads a feature it lacks was accepted")
	}
	s, err := scorerOfTwo(stump("x", 0, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.scores([][]float64{{1, 2}}); !errors.Is(err, ErrModel) {
		t.Errorf("a row of two values: error %v", err)
	}
	if err := s.Apply(make([]Score, 2), [][]float64{{1}}); err == nil {
		t.Error("one row was enough for two mutants")
	}
	if err := s.Apply(make([]Score, 1), [][]float64{{}}); !errors.Is(err, ErrModel) {
		t.Errorf("an empty row: error %v", err)
	}
}

func TestABundleScoresOnlyTheColumnsItLearnedFrom(t *testing.T) {
	x := models.Column{Name: "x", Definition: "how deep"}
	b := &models.Bundle{
		Card:  models.Card{Name: "m", Schema: models.HashColumns([]models.Column{x}), Features: []string{"x"}},
		Fault: stump("x", .1, .8), Kill: stump("x", .7, .3),
	}
	s, err := NewBundleScorer(b, []models.Column{{Name: "new"}, x})
	if err != nil {
		t.Fatal(err)
	}
	if fault, kill, err := s.scores([][]float64{{1}}); err != nil || fault[0] != .8 || kill[0] != .3 {
		t.Errorf("scores %v, %v, %v", fault, kill, err)
	}
	for _, table := range [][]models.Column{{{Name: "x", Definition: "how wide"}}, {{Name: "y", Definition: "how deep"}}, nil} {
		if _, err := NewBundleScorer(b, table); !errors.Is(err, models.ErrSchema) {
			t.Errorf("columns %v: error %v", table, err)
		}
	}
}
