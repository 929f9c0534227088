package criterion

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

func TestCouplingNeedsATestAndAllOfThem(t *testing.T) {
	reveals := matrix.BitsOf(2, 0)
	for name, c := range map[string]struct {
		element matrix.Bits
		want    bool
	}{
		"covered by both":            {matrix.BitsOf(2, 0, 1), false},
		"covered by the revealing":   {matrix.BitsOf(2, 0), true},
		"covered by none":            {matrix.NewBits(2), false},
		"covered by the passing one": {matrix.BitsOf(2, 1), false},
	} {
		if got := Coupled(c.element, reveals); got != c.want {
			t.Errorf("%s: coupled %v", name, got)
		}
	}
}

func TestElementsThatNothingCoversLeaveTheScoreAlone(t *testing.T) {
	four := []matrix.Bits{matrix.BitsOf(3, 0), matrix.BitsOf(3, 1), matrix.BitsOf(3, 0, 1), matrix.BitsOf(3, 2)}
	suite := []matrix.Bits{matrix.BitsOf(3, 0, 1)}
	if got := Scores(four, suite)[0]; got != 0.75 {
		t.Errorf("three of four: %v", got)
	}
	if got := Scores(append(four, matrix.NewBits(3)), suite)[0]; got != 0.75 {
		t.Errorf("with a fifth that nothing hits: %v", got)
	}
	if got := Scores([]matrix.Bits{matrix.NewBits(3)}, suite)[0]; !math.IsNaN(got) {
		t.Errorf("nothing feasible: %v, want no score", got)
	}
}

func TestScoresAreThoseOfCountingOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 100 {
		var elements []matrix.Bits
		for range 1 + rng.IntN(12) {
			e := matrix.NewBits(4)
			for test := range 4 {
				if rng.IntN(3) == 0 {
					e.Set(test)
				}
			}
			elements = append(elements, e)
		}
		for i, suite := range Sample(rng.Uint64(), "s", 4, 2, 10) {
			covered, feasible := 0.0, 0.0
			for _, e := range elements {
				if !e.Empty() {
					feasible++
				}
				if e.Intersects(suite) {
					covered++
				}
			}
			got := Scores(elements, []matrix.Bits{suite})[0]
			if want := covered / feasible; got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("suite %d: %v, want %v", i, got, want)
			}
		}
	}
}

func TestTheSameSeedGivesTheSameSuitesOfTheSizeAskedFor(t *testing.T) {
	a, b, other := Sample(5, "p/f", 20, 3, 50), Sample(5, "p/f", 20, 3, 50), Sample(6, "p/f", 20, 3, 50)
	same := 0
	for i := range a {
		if !a[i].Equal(b[i]) || a[i].Count() != 3 {
			t.Fatalf("suite %d: %v and %v", i, a[i], b[i])
		}
		if a[i].Equal(other[i]) {
			same++
		}
	}
	if same == len(a) {
		t.Error("another seed gave the same suites")
	}
	// Uniform: each test is in 3 of 20 suites.
	count := make([]int, 20)
	for _, suite := range Sample(1, "u", 20, 3, 20000) {
		for test := range suite.All() {
			count[test]++
		}
	}
	for test, n := range count {
		if n < 2750 || n > 3250 { // five standard deviations
			t.Errorf("test %d is in %d of 20,000 suites, expected 3,000", test, n)
		}
	}
	for _, c := range [][3]int{{100, 75, 8}, {25, 25, 1}, {10, 25, 1}, {40, 150, 6}, {1, 150, 1}} {
		if got := Size(c[0], c[1]); got != c[2] {
			t.Errorf("%d permille of %d tests: %d, want %d", c[1], c[0], got, c[2])
		}
	}
}

func TestScoresAlikeAreNoDifferenceAndLargerOnesAreAll(t *testing.T) {
	scores := []float64{.2, .4, .4, .6}
	if a := significance.A12(scores, scores); a != .5 {
		t.Errorf("A12 of the same scores: %v", a)
	}
	if test, err := significance.SignedRank(scores, scores, significance.Options{}); err != nil || test.P != 1 {
		t.Errorf("p of the same scores: %v, %v", test.P, err)
	}
	// A12 of faulty against clean above one half: the faulty version scores more.
	if a := significance.A12([]float64{.7, .8}, []float64{.1, .2}); a != 1 {
		t.Errorf("all faulty scores larger: %v", a)
	}
}

func TestTheTopIsCutByChanceAmongEqualScores(t *testing.T) {
	// 100 suites, 20 share the largest score; half of those reveal, the first
	// ten drawn. The top 5 % is five of the twenty.
	scores, reveals := make([]float64, 100), make([]bool, 100)
	for i := range 20 {
		scores[i], reveals[i] = 1, i < 10
	}
	sum := 0.0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sum += Top(scores, reveals, 5, rng) / 400
		again := rand.New(rand.NewPCG(seed, 1))
		if a, b := Top(scores, reveals, 5, again), Top(scores, reveals, 5, rand.New(rand.NewPCG(seed, 1))); a != b {
			t.Fatalf("the same seed gives %v and %v", a, b)
		}
	}
	if math.Abs(sum-0.5) > 0.05 {
		t.Errorf("mean revelation of the top %v, want .5", sum)
	}
	if got := Top(scores, reveals, 20, rand.New(rand.NewPCG(1, 1))); got != 0.5 {
		t.Errorf("the top fifth: %v", got)
	}
	if got := Top(scores, reveals, 100, rand.New(rand.NewPCG(1, 1))); got != 0.1 {
		t.Errorf("all suites: %v", got)
	}
}

func TestCriteriaReadWhatTheHistoryHoldsAndSayWhatItLacks(t *testing.T) {
	s := subject.Subject{
		Program: "p", Fault: "f", Reveals: matrix.BitsOf(2, 0),
		Mutants: []predict.Score{{ID: "a", Statement: 1}, {ID: "b", Statement: 1}, {ID: "c", Statement: 2}},
		Kills:   []matrix.Bits{matrix.BitsOf(2, 0), matrix.NewBits(2), matrix.NewBits(2)},
	}
	for _, c := range []Criterion{Statement, Branch, Weak} {
		if _, err := c.Elements(&s); !errors.Is(err, ErrNotRecorded) {
			t.Errorf("%s: error %v", c.Name, err)
		}
	}
	s.Reached = []matrix.Bits{matrix.BitsOf(2, 0), matrix.BitsOf(2, 1), matrix.NewBits(2)}
	s.Infected = s.Kills
	statements, err := Statement.Elements(&s)
	if err != nil || len(statements) != 2 || statements[0].Count() != 2 || !statements[1].Empty() {
		t.Errorf("statements %v, error %v", statements, err)
	}
	if !s.Reached[0].Equal(matrix.BitsOf(2, 0)) {
		t.Error("the subject was changed")
	}
	if weak, err := Weak.Elements(&s); err != nil || len(weak) != 3 {
		t.Errorf("weak %v, error %v", weak, err)
	}
	seen := map[string]bool{}
	for _, c := range All() {
		if c.Name == "" || c.Doc == "" || c.Elements == nil || seen[c.Name] {
			t.Errorf("criterion %q lacks a part or repeats a name", c.Name)
		}
		seen[c.Name] = true
	}
}
