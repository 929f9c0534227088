package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/predict"
)

// ofLevel are subjects whose only feature is around a level of their own.
func ofLevel(rng *rand.Rand, n int, shift float64) []subject.Subject {
	var out []subject.Subject
	for i := range n {
		s := subject.Subject{Program: fmt.Sprint("p", i), Fault: "f", Columns: []string{"idle", "level"}}
		level := rng.NormFloat64() + shift
		var rows [][]float64
		for range 80 {
			s.Mutants, rows = append(s.Mutants, predict.Score{}), append(rows, []float64{0, level + rng.NormFloat64()})
		}
		s.Features = subjecttest.Pack(rows)
		out = append(out, s)
	}
	return out
}

func TestAHistoryOfAnotherKindIsWarnedOfAndOneOfTheSameIsNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	known := ofLevel(rng, 200, 0)
	node := tree.Node{Feature: 1, Gain: 1, Left: tree.LeafChild(0), Right: tree.LeafChild(1)}
	e := &tree.Ensemble{Objective: tree.Binary, Features: []tree.Feature{{Name: "idle"}, {Name: "level"}},
		Trees: []tree.Tree{{Nodes: []tree.Node{node}, Leaves: make([]tree.Leaf, 2), Shrinkage: 1}}}
	bundle := &models.Bundle{Card: models.Card{Name: "levels", Features: []string{"idle", "level"}}, Fault: e, Kill: e}
	if got := driftWarning(bundle, known); got != "" {
		t.Errorf("a card without a limit warns: %s", got)
	}
	bundle.Describe(describedColumns, columnOf(known))
	bundle.Acquaint(programsOf(known))
	warned := 0
	for range 40 {
		if driftWarning(bundle, ofLevel(rng, 20, 0)) != "" {
			warned++
		}
	}
	if warned > 6 { // of 40 at one in twenty: more in one of fifty trials
		t.Errorf("%d of 40 histories of the same kind are warned of", warned)
	}
	if got := driftWarning(bundle, ofLevel(rng, 20, 4)); !strings.Contains(got, "of 20 programs are unlike those that model levels learned from") || !strings.Contains(got, "level") {
		t.Errorf("another kind: %q", got)
	}
	other := ofLevel(rng, 1, 6)[0]
	of := func(n int) models.Program {
		return models.NewProgram("", other.Columns, n, func(at int) []float64 { return other.Features.Column(at, nil)[:n] })
	}
	if got := bundle.Unlike(of(other.Features.Len())); !got.Foreign() || got.Most()[0] != "level" {
		t.Errorf("a program of another kind: %+v", got)
	}
	if got := bundle.Unlike(of(models.FewMutants - 1)); got != nil {
		t.Errorf("few mutants: %+v", got)
	}
}

func TestTheChanceOfManySuccessesIsTheBinomials(t *testing.T) {
	for _, c := range []struct {
		k, n int
		p    float64
		want float64
	}{{0, 5, 0.3, 1}, {1, 2, 0.5, 0.75}, {3, 3, 0.1, 0.001}, {2, 20, 0.05, 0.26416}} {
		if got := chanceOf(c.k, c.n, c.p); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
