package studies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/indicator"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
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
		var subsuming []matrix.Bits
		for _, c := range indicator.SubsumingClasses(s.Kills) {
			subsuming = append(subsuming, c.Kill)
		}
		for name, pair := range map[string][2]float64{
			"mutation":  {got.Mutation, mutationScore(s.Kills, suite)},
			"subsuming": {got.Subsuming, mutationScore(subsuming, suite)},
		} {
			if pair[0] != pair[1] && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Fatalf("%s score %v, slowly %v", name, pair[0], pair[1])
			}
		}
	}
}

// mutationScore is the definition: the share of the killable that the suite kills (DeMillo,
// Lipton and Sayward, "Hints on test data selection" (1978)).
func mutationScore(kills []matrix.Bits, suite matrix.Bits) float64 {
	killed, killable := 0, 0
	for _, kill := range kills {
		if kill.Empty() {
			continue
		}
		killable++
		if kill.Intersects(suite) {
			killed++
		}
	}
	return float64(killed) / float64(killable) // 0/0 is NaN
}

func TestDuplicatesAndSubsumedMutantsDoNotInflateTheSubsumingScore(t *testing.T) {
	s := subject.Subject{Reveals: matrix.BitsOf(4, 0), Mutants: make([]predict.Score, 5), Kills: []matrix.Bits{
		matrix.BitsOf(4, 0), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0), matrix.BitsOf(4, 2), matrix.BitsOf(4)}}
	if got := newSuiteScorer(&s).score(matrix.BitsOf(4, 0)); got.Mutation != 0.75 || got.Subsuming != 0.5 {
		t.Errorf("%+v, want 3 of 4 mutants and 1 of 2 classes", got)
	}
}
