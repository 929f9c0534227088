package studies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/studies/indicator"
)

func TestSuitesOfASelectionWithoutChance(t *testing.T) {
	// a is killed by test 0, which also kills c; b cannot be killed; d needs
	// test 1. Half of the four mutants are a and b.
	got, err := simulateSuites(t.Context(), []subject.Subject{subjecttest.Chain()}, simulate.Options{
		Strategies: []predict.Strategy{predict.FaRM}, Budgets: []simulate.Budget{simulate.Share(predict.Percent(50)), simulate.Share(predict.Percent(100))}, Repetitions: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	half, all := got.Scores[0][0][0], got.Scores[0][0][1]
	if math.Abs(half.Mutation-2.0/3) > 1e-9 || math.Abs(half.Subsuming-0.5) > 1e-9 || math.Abs(half.Tests-1) > 1e-9 {
		t.Errorf("half of the mutants: %+v", half)
	}
	if math.Abs(all.Mutation-1) > 1e-9 || math.Abs(all.Subsuming-1) > 1e-9 || math.Abs(all.Tests-2) > 1e-9 {
		t.Errorf("all mutants: %+v", all)
	}
}

func TestTheSuiteScorerAgreesWithTheIndicators(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for i := range 200 {
		s := subjecttest.Random(rng, fmt.Sprint("s", i), 1+rng.IntN(9), 1+rng.IntN(7))
		scorer := newSuiteScorer(&s)
		suite := matrix.NewBits(s.Tests())
		for test := range s.Tests() {
			if rng.IntN(3) == 0 {
				suite.Set(test)
			}
		}
		got := scorer.score(suite)
		for name, pair := range map[string][2]float64{
			"mutation":  {got.Mutation, indicator.MutationScore(s.Kills, suite)},
			"subsuming": {got.Subsuming, indicator.SubsumingMutationScore(s.Kills, suite)},
		} {
			if pair[0] != pair[1] && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Fatalf("%s score %v, slowly %v", name, pair[0], pair[1])
			}
		}
	}
}
