package shortlist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
	"github.com/winnow-mutants/winnow/predict"
)

// enumerated is the slow twin of truth.of: it goes through all ways to draw a test for each
// mutant of a list.
func enumerated(t *truth, list []int) (revealed, minimal float64) {
	var killable []matrix.Bits
	for _, m := range list {
		if !t.kills[m].Empty() {
			killable = append(killable, t.kills[m])
		}
	}
	var walk func(i int, p float64, picked matrix.Bits)
	walk = func(i int, p float64, picked matrix.Bits) {
		if i == len(killable) {
			if picked.Intersects(t.reveals) {
				revealed += p
			}
			for _, c := range t.minimal {
				if picked.Intersects(c) {
					minimal += p / float64(len(t.minimal))
				}
			}
			return
		}
		for test := range killable[i].All() {
			with := picked.Clone()
			with.Set(test)
			walk(i+1, p/float64(killable[i].Count()), with)
		}
	}
	walk(0, 1, matrix.NewBits(t.tests))
	return revealed, minimal
}

func TestWhatAListIsWorthIsTheMeanOverAllTestsThatMayBeDrawn(t *testing.T) {
	rng := stream.New(3, "test")
	for range 40 {
		s := subjecttest.Random(rng, "x", 8, 7)
		truth := newTruth(s.Kills, s.Reveals)
		list := rng.Perm(8)[:4]
		got := truth.of(list, make([]int, 8))
		revealed, minimal := enumerated(truth, list)
		if math.Abs(got.revealed-revealed) > 1e-9 || len(truth.minimal) > 0 && math.Abs(got.minimal-minimal) > 1e-9 {
			t.Fatalf("list %v: %v, enumerated %v and %v", list, got, revealed, minimal)
		}
	}
}

func TestMinimalMutantsAreThoseThatNoOthersTestsAreASmallerPartOf(t *testing.T) {
	kills := []matrix.Bits{matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0), matrix.BitsOf(4), matrix.BitsOf(4, 0), matrix.BitsOf(4, 2, 3)}
	truth := newTruth(kills, matrix.BitsOf(4, 3))
	if len(truth.minimal) != 2 || !truth.minimal[0].Equal(kills[1]) || !truth.minimal[1].Equal(kills[4]) {
		t.Errorf("minimal: %v", truth.minimal)
	}
	// Of two random tests of four: the one that kills the first, one of the two that kill
	// the other.
	if got := truth.ofTests(2); math.Abs(got.minimal-(0.5+5./6)/2) > 1e-9 || math.Abs(got.revealed-0.5) > 1e-9 {
		t.Errorf("two random tests: %+v", got)
	}
	w := truth.of([]int{2, 1, 3, 0}, []int{0, 0, 1, 2, 2})
	if w.unkilled != 1 || w.statements != 3 || w.sets != 2 {
		t.Errorf("%+v", w)
	}
}

func TestATesterWhoPassesOverTheDeadReadsFurtherDown(t *testing.T) {
	kills := []matrix.Bits{matrix.BitsOf(2, 0), matrix.BitsOf(2, 0), matrix.BitsOf(2), matrix.BitsOf(2, 1)}
	truth := newTruth(kills, matrix.BitsOf(2, 1))
	got := truth.walk([]int{0, 1, 2, 3}, []int{0, 1, 2, 3}, []int{1, 2, 3, 9}, rand.New(rand.NewPCG(1, 1)))
	want := []worth{{0, .5, 0, 1, 1}, {0, .5, 1, 2, 1}, {1, 1, 1, 3, 2}, {1, 1, 1, 3, 2}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(worth{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func rowsOf(t *testing.T, subjects []subject.Subject, opts Options) map[key]Row {
	t.Helper()
	table, err := Run(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	out := map[key]Row{}
	for _, r := range table.Rows {
		out[key{r.Suite, r.Reading, r.Order, r.Length}] = r
	}
	return out
}

func TestCeilingsAreAboveRandomAndTheWaysEndAtTheCouplingOracle(t *testing.T) {
	rows := rowsOf(t, subjecttest.Several(stream.New(5, "test"), 24), Options{Strategies: []predict.Strategy{predict.Random, predict.PredKillable}})
	for _, suite := range Suites() {
		at := func(order string) Row { return rows[key{suite.Name, Printed, order, 5}] }
		random, coupled, best := at(predict.Random.Name), at(CouplingOracleName), at(simulate.OracleName)
		if !(coupled.Minimal > random.Minimal && best.Revealed > random.Revealed && at(simulate.KillableOracleName).Unkilled < random.Unkilled) {
			t.Errorf("beside %s: random %+v, coupling oracle %+v, oracle %+v", suite.Name, random, coupled, best)
		}
		if random.MinimalWay != 0 || coupled.MinimalWay != 100 {
			t.Errorf("beside %s the way goes from %v to %v", suite.Name, random.MinimalWay, coupled.MinimalWay)
		}
	}
	if r := rows[key{"none", Printed, TestsName, 5}]; !(r.Revealed > 0 && r.Revealed < 1) || r.Statements == r.Statements {
		t.Errorf("random tests: %+v", r)
	}
}

func TestVictimsOfASuiteAreNotListed(t *testing.T) {
	s := subjecttest.Chain()
	s.Kills = []matrix.Bits{matrix.BitsOf(3, 0, 1), matrix.BitsOf(3), matrix.BitsOf(3, 0, 1), matrix.BitsOf(3, 2)}
	s.Reveals, s.Reached = matrix.BitsOf(3, 2), nil
	rows := rowsOf(t, []subject.Subject{s}, Options{Strategies: []predict.Strategy{predict.Random}, Lengths: []int{4}})
	for suite, statements := range map[string]counts{"none": {2, 1}, "half": {1, 1}} {
		if r := rows[key{suite, Printed, predict.Random.Name, 4}]; float64(r.KillSets) != statements.sets || float64(r.Unkilled) != statements.unkilled {
			t.Errorf("beside %s: %+v", suite, r)
		}
	}
}

type counts struct{ sets, unkilled float64 }

// What a run would tell, and the history does not: a mutant of which it is not known whether the suite kills it is not
// listed beside it, and one of which it is not known whether any test does is listed nowhere.
func TestMutantsOfWhichTooLittleIsKnownAreNotListed(t *testing.T) {
	s := subjecttest.Chain()
	s.Kills = []matrix.Bits{matrix.BitsOf(3, 2), matrix.BitsOf(3, 2), matrix.NewBits(3), matrix.NewBits(3)}
	s.Unknown = []matrix.Bits{matrix.NewBits(3), matrix.BitsOf(3, 0, 1), matrix.BitsOf(3, 2), matrix.NewBits(3)}
	s.Reveals, s.Reached = matrix.BitsOf(3, 2), nil
	if got := live(&s, nil); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("without tests %v", got)
	}
	if got := live(&s, []int{1}); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("beside a test %v", got)
	}
}

// Beside tests a model of survivors is asked, of each subject the one that is known of it; without tests, and where it is
// not known whom they reach, none is.
func TestBesideTestsAModelOfSurvivorsIsAsked(t *testing.T) {
	// Of two mutants the tests let the first live, that all of them come to, and the second, that only the revealing one does.
	s := subject.Subject{Program: "p", Fault: "f", Reveals: matrix.BitsOf(5, 4)}
	s.Mutants = []predict.Score{{ID: "a", Kill: .9, Statement: 1, Function: "f"}, {ID: "b", Kill: .1, Statement: 2, Function: "g"}}
	s.Kills = []matrix.Bits{matrix.NewBits(5), matrix.BitsOf(5, 4)}
	s.Reached = []matrix.Bits{matrix.BitsOf(5, 0, 1, 2, 3, 4), matrix.BitsOf(5, 4)}
	model, err := survivor.Of(treetest.Stump(survivor.Columns(), "reaching", .5, .9, .1), models.Calibration{})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Strategies: []predict.Strategy{predict.Winnow}, Lengths: []int{1},
		Survivors: func(s *subject.Subject) *survivor.Model {
			if s.Program == "p" {
				return model
			}
			return nil
		}}
	revealed := func(suite string, s subject.Subject) float64 {
		return float64(rowsOf(t, []subject.Subject{s}, opts)[key{suite, Printed, predict.Winnow.Name, 1}].Revealed)
	}
	unknown, other := s, s
	unknown.Reached, other.Program = nil, "q"
	for what, c := range map[string]struct {
		suite string
		s     subject.Subject
		want  float64
	}{
		"asked": {"half", s, 1}, "without tests": {"none", s, 0}, "without what they reach": {"half", unknown, 0}, "of another subject": {"half", other, 0},
	} {
		if got := revealed(c.suite, c.s); got != c.want {
			t.Errorf("%s: the first mutant reveals with %v, not %v", what, got, c.want)
		}
	}
}

func TestWorkersDoNotChangeTheLists(t *testing.T) {
	subjects := subjecttest.Several(stream.New(6, "test"), 6)
	opts := Options{Strategies: []predict.Strategy{predict.Random, predict.Spread}, Draws: 2, Workers: 1}
	one := rowsOf(t, subjects, opts)
	opts.Workers = 3
	if diff := cmp.Diff(one, rowsOf(t, subjects, opts), cmp.Comparer(func(a, b number.Float) bool { return a == b || a != a && b != b })); diff != "" {
		t.Error(diff)
	}
}

// Where no fault is known, an order is told from random order by the minimal mutants.
func TestTheCouplingOracleKillsMoreThanRandomOrderWhereNoFaultIsKnown(t *testing.T) {
	subjects := subjecttest.Several(stream.New(5, "test"), 12)
	for i := range subjects {
		subjects[i].Faultless, subjects[i].Reveals = true, matrix.NewBits(subjects[i].Tests())
	}
	table, err := Run(t.Context(), subjects, Options{Strategies: []predict.Strategy{predict.Random, predict.Winnow}, Seed: 1, Draws: 2})
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, r := range table.Rows {
		if r.Suite != "none" || r.Reading != Printed || r.Length != 5 {
			continue
		}
		switch r.Order {
		case CouplingOracleName:
			judged++
			if !(r.MinimalLow > 0 && r.MinimalLow <= r.MinimalHigh) || r.MinimalWay != 100 {
				t.Errorf("the coupling oracle is %v to %v above random order, %v %% of the way", r.MinimalLow, r.MinimalHigh, r.MinimalWay)
			}
		case predict.Random.Name:
			judged++
			if r.MinimalWay != 0 || !math.IsNaN(float64(r.MinimalLow)) {
				t.Errorf("random order differs from itself: %+v", r)
			}
		}
	}
	if judged != 2 {
		t.Errorf("%d rows were judged", judged)
	}
}
