package survivor

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
	"github.com/winnow-mutants/winnow/predict"
)

// mutant is one of function f of the program, at a statement, with p(killable) of a half.
func mutant(f string, statement int, replacer string) predict.Score {
	return predict.Score{File: "a.c", Function: f, Statement: statement, Matcher: "ADD", Replacer: replacer, Kill: .5}
}

func of(sets ...[]int) (out []matrix.Bits) {
	for _, set := range sets {
		out = append(out, matrix.BitsOf(3, set...))
	}
	return out
}

// small is a program of two functions beside three tests. Of f one mutant is killed, one survives its two tests, and to one no
// test comes; of g both are killed, the second by the third test, after two that infect it.
func small() ([]predict.Score, *Suite) {
	return []predict.Score{mutant("f", 1, "SUB"), mutant("f", 1, "MUL"), mutant("f", 2, "SUB"), mutant("g", 3, "SUB"), mutant("g", 4, "MUL")},
		&Suite{
			Kills:    of([]int{0}, nil, nil, []int{1}, []int{2}),
			Reached:  of([]int{0, 1}, []int{0, 1}, nil, []int{1}, []int{0, 1, 2}),
			Infected: of([]int{0, 1}, []int{0, 1}, nil, []int{1}, []int{0, 1, 2}),
		}
}

func row(t *testing.T, scores []predict.Score, suite *Suite, place int) map[string]float64 {
	t.Helper()
	places, rows := Rows(scores, suite)
	k := slices.Index(places, place)
	if k < 0 {
		t.Fatalf("mutant %d is none of the survivors %v", place, places)
	}
	out := map[string]float64{}
	for c, name := range Columns() {
		out[name] = rows[k][c]
	}
	return out
}

func TestASurvivorIsDescribedByWhatDiedAroundIt(t *testing.T) {
	scores, suite := small()
	if places, _ := Rows(scores, suite); !slices.Equal(places, []int{1, 2}) {
		t.Fatalf("survivors %v", places)
	}
	program := (3 + 2*usual) / (4 + 2) // of the four that a test infects three died
	function := (1 + 2*program) / (2 + 2)
	// Test 0 kills one of the two that it infects in f, and test 1 none of the one that is left when test 0 has killed the other.
	first := (1 + 2*(1+2*program)/(3+2)) / (2 + 2)
	second := (0 + 2*(1+2*program)/(3+2)) / (1 + 2)
	want := map[string]float64{
		"killable": 0, "reaching": 2. / 3, "infecting": 1, "silent": math.Log(1-first) + math.Log(1-second),
		"program_died": program, "function_died": function, "statement": (1+function)/(2+1) - function, "alike": 0,
		"infected_with": (1+2*function)/(2+2) - function, "change": (1+4*program)/(2+4) - program, "visited": 2. / 3,
	}
	for name, got := range row(t, scores, suite, 1) {
		if math.Abs(got-want[name]) > 1e-12 {
			t.Errorf("%s is %v, not %v", name, got, want[name])
		}
	}
	if r := row(t, scores, suite, 2); r["reaching"] != 0 || r["silent"] != 0 || r["statement"] != 0 {
		t.Errorf("to the second no test comes: %v", r)
	}
}

// Where a mutant is not run on further tests when one has killed it, nothing is known of these: a table that has them
// describes survivors as one that has not.
func TestWhatIsNotRunAfterAKillTeachesNothing(t *testing.T) {
	scores, suite := small()
	_, before := Rows(scores, suite)
	suite.Unknown = of([]int{1, 2}, nil, nil, []int{2}, nil)
	if _, after := Rows(scores, suite); !reflect.DeepEqual(before, after) {
		t.Errorf("%v, and %v where the tests after a kill are unknown", before, after)
	}
	suite.Kills[0], suite.Unknown = matrix.BitsOf(3, 0, 1), nil
	if _, after := Rows(scores, suite); !reflect.DeepEqual(before, after) {
		t.Errorf("%v, and %v where the tests after a kill kill, too", before, after)
	}
}

// A mutant of which it is not known whether a test kills it has neither died nor survived.
func TestWhatIsNotKnownNeitherDiedNorSurvived(t *testing.T) {
	scores, suite := small()
	suite.Unknown = of(nil, []int{1}, nil, nil, nil)
	places, _ := Rows(scores, suite)
	if !slices.Equal(places, []int{2}) {
		t.Errorf("survivors %v", places)
	}
	program := (3 + 2*usual) / (3 + 2)
	if r := row(t, scores, suite, 2); math.Abs(r["program_died"]-program) > 1e-12 || math.Abs(r["function_died"]-(1+2*program)/(1+2)) > 1e-12 {
		t.Errorf("%v", r)
	}
}

func TestMutantsThatInputsShowAlikeAreHeldTogether(t *testing.T) {
	scores, suite := small()
	alike := predict.Trial{Tried: 0xff, Reached: 8, Shown: 0b101, Kind: 7, Entry: 3}
	scores[1].Program, scores[4].Program = alike, alike
	with := row(t, scores, suite, 1)
	if want := (1+with["function_died"])/(2+1) - with["function_died"]; math.Abs(with["alike"]-want) > 1e-12 {
		t.Errorf("%v more of the mutants that the inputs show alike died, not %v", with["alike"], want)
	}
	// What inputs of a function show is another thing in another function.
	scores[1].Program, scores[4].Program = predict.Trial{}, predict.Trial{}
	scores[1].Own, scores[4].Own = alike, alike
	apart := row(t, scores, suite, 1)
	if want := apart["function_died"]/(1+1) - apart["function_died"]; math.Abs(apart["alike"]-want) > 1e-12 {
		t.Errorf("%v, not %v", apart["alike"], want)
	}
}

// drawn is a program with its suite, drawn at random. A test that kills infects, and one that infects reaches.
func drawn(rng *rand.Rand) ([]predict.Score, *Suite) {
	var scores []predict.Score
	suite := &Suite{}
	tests := 1 + rng.IntN(6)
	for range 1 + rng.IntN(40) {
		s := mutant(string(rune('f'+rng.IntN(4))), rng.IntN(9), []string{"SUB", "MUL", "NEG"}[rng.IntN(3)])
		if s.Kill = rng.Float64(); rng.IntN(9) == 0 {
			s.Kill = math.NaN()
		}
		s.Program = predict.Trial{Tried: 0xff, Shown: uint64(rng.IntN(4)), Reached: rng.IntN(3), Kind: uint64(rng.IntN(3)), Entry: uint64(rng.IntN(2))}
		kills, reached, infected := matrix.NewBits(tests), matrix.NewBits(tests), matrix.NewBits(tests)
		for t := range tests {
			switch rng.IntN(6) {
			case 0:
				kills.Set(t)
				fallthrough
			case 1, 2:
				infected.Set(t)
				fallthrough
			case 3:
				reached.Set(t)
			}
		}
		scores = append(scores, s)
		suite.Kills, suite.Reached, suite.Infected = append(suite.Kills, kills), append(suite.Reached, reached), append(suite.Infected, infected)
	}
	return scores, suite
}

// A row does not depend on the names of a program nor on the order of its mutants.
func TestRowsDoNotDependOnNamesOrOrder(t *testing.T) {
	rng := stream.New(11, "survivor")
	for range 100 {
		scores, suite := drawn(rng)
		places, rows := Rows(scores, suite)
		others, other := make([]predict.Score, len(scores)), &Suite{Kills: make([]matrix.Bits, len(scores)), Reached: make([]matrix.Bits, len(scores)), Infected: make([]matrix.Bits, len(scores))}
		perm := rng.Perm(len(scores))
		for from, to := range perm {
			others[to] = scores[from]
			others[to].ID, others[to].File, others[to].Function = "other", "b.c", strings.ToUpper(scores[from].Function)
			other.Kills[to], other.Reached[to], other.Infected[to] = suite.Kills[from], suite.Reached[from], suite.Infected[from]
		}
		otherPlaces, otherRows := Rows(others, other)
		if len(otherPlaces) != len(places) {
			t.Fatalf("%d survivors, and %d", len(places), len(otherPlaces))
		}
		for k, place := range places {
			if got := otherRows[slices.Index(otherPlaces, perm[place])]; !slices.Equal(got, rows[k]) {
				t.Fatalf("%v became %v", rows[k], got)
			}
		}
	}
}

// A share is one, a difference of shares is one, and nothing that a suite can be makes a value that is no number.
func TestSharesAreShares(t *testing.T) {
	rng := stream.New(12, "survivor")
	for range 300 {
		scores, suite := drawn(rng)
		places, rows := Rows(scores, suite)
		for k, r := range rows {
			if !suite.Kills[places[k]].Empty() || math.IsNaN(scores[places[k]].Kill) {
				t.Fatalf("mutant %d has a row", places[k])
			}
			for c, x := range r {
				low, high := 0., 1.
				switch Columns()[c] {
				case "killable":
					low, high = -7, 7
				case "silent":
					low, high = math.Inf(-1), 0
				case "statement", "alike", "infected_with", "change":
					low = -1
				}
				if math.IsNaN(x) || math.IsInf(x, 0) || x < low || x > high {
					t.Fatalf("%s is %v", Columns()[c], x)
				}
			}
		}
	}
}

// ofReaching is an ensemble that says .9 of survivors that no test reaches and .1 of others.
func ofReaching() *tree.Ensemble { return treetest.Stump(Columns(), "reaching", .5, .9, .1) }

func TestAModelGivesSurvivorsTheirProbability(t *testing.T) {
	model, err := New(&models.Bundle{Survivor: ofReaching()})
	if err != nil {
		t.Fatal(err)
	}
	scores, suite := small()
	if err := model.Give(scores, suite); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, .1, .9, 0, 0} {
		if got := scores[i].Another; math.Abs(got-want) > 1e-9 {
			t.Errorf("mutant %d: %v, not %v", i, got, want)
		}
	}
	calibrated, err := Of(ofReaching(), models.Calibration{Method: models.PlattCalibration, Slope: .5})
	if err != nil {
		t.Fatal(err)
	}
	if err := calibrated.Give(scores, suite); err != nil || math.Abs(scores[2].Another-.75) > 1e-9 { // odds of 9 become those of 3
		t.Errorf("corrected: %v, %v", scores[2].Another, err)
	}
	without, none := small()
	if err := model.Give(without, none.At(nil)); err != nil || without[2].Another != 0 {
		t.Errorf("beside no tests: %v, %v", without[2].Another, err)
	}
	nothing, err := New(&models.Bundle{})
	if err != nil || nothing != nil || nothing.Give(without, none) != nil || without[2].Another != 0 {
		t.Errorf("of a bundle without the part: %v, %v", without[2].Another, err)
	}
	other := ofReaching()
	other.Features[3].Name = "something"
	if _, err := Of(other, models.Calibration{}); !errors.Is(err, ErrColumns) {
		t.Errorf("of other columns: %v", err)
	}
}

// Where it is not known whom tests infect, each that comes to a mutant is taken to.
func TestTheSuiteOfASubject(t *testing.T) {
	_, suite := small()
	s := &subject.Subject{Kills: suite.Kills}
	if SuiteOf(s) != nil {
		t.Error("a suite is known without what its tests reach")
	}
	s.Reached = suite.Reached
	if got := SuiteOf(s); !reflect.DeepEqual(got.Infected, suite.Reached) {
		t.Errorf("infected %v", got.Infected)
	}
	s.Infected = of(nil, []int{1}, nil, []int{1}, []int{2})
	s.Unknown = of(nil, nil, []int{2}, nil, nil)
	got := SuiteOf(s).At([]int{2, 1})
	if got.Kills[4].String() != matrix.BitsOf(2, 0).String() || got.Infected[1].String() != matrix.BitsOf(2, 1).String() || got.Unknown[2].String() != matrix.BitsOf(2, 0).String() {
		t.Errorf("of tests 2 and 1: kills %v, infected %v, unknown %v", got.Kills, got.Infected, got.Unknown)
	}
}
