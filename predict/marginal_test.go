package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// shown is a mutant of a statement that some of eight inputs show, of which no model knows.
func shown(id string, statement int, inputs uint64) Score {
	nan := math.NaN()
	return Score{ID: id, Statement: statement, Function: "f", File: "a.c", Fault: nan, Kill: nan, Program: Trial{Tried: 255, Shown: inputs, Kind: inputs, Reached: 8}}
}

func inOrder(scores []Score, order []int) (out []string) {
	for _, i := range order {
		out = append(out, scores[i].ID)
	}
	return out
}

// Mutants that inputs do not tell apart fall together: one of them is enough, whichever
// statements they are of.
func TestMutantsThatFallTogetherAreListedApart(t *testing.T) {
	scores := []Score{
		shown("a", 1, 0b1111), shown("b", 2, 0b1111), shown("c", 3, 0b1111),
		shown("d", 4, 0b110000), shown("e", 5, 0b110000),
	}
	order := inOrder(scores, Winnow.Rank(scores, nil))
	if !slices.Equal(order[:2], []string{"a", "d"}) {
		t.Errorf("%v: the first two fall together", order)
	}
	scores[3].Program.Entry, scores[4].Program.Entry = 1, 2 // the inputs of two entries are not the same
	if order = inOrder(scores, Winnow.Rank(scores, nil)); !slices.Equal(order[:3], []string{"a", "d", "e"}) {
		t.Errorf("%v: d and e are entered by different functions", order)
	}
}

func TestFunctionsShareTheFirstPlaces(t *testing.T) {
	var scores []Score
	for i := range 12 {
		s := shown(fmt.Sprintf("m%02d", i), i, 0)
		s.Function = fmt.Sprintf("f%d", i/4)
		s.Kill = .9 - .1*float64(i/4)
		scores = append(scores, s)
	}
	functions := map[string]bool{}
	for _, i := range Winnow.Rank(scores, nil)[:4] {
		functions[scores[i].Function] = true
	}
	if len(functions) != 3 {
		t.Errorf("the first four are of %d functions of three that are nearly as good", len(functions))
	}
}

func TestKindsOfChangeShareTheFirstPlaces(t *testing.T) {
	var scores []Score
	for i := range 12 {
		s := shown(fmt.Sprintf("m%02d", i), i, 0)
		s.Function, s.Replacer = fmt.Sprint("f", i), []string{"LEFTDEC", "SUB", "NEG"}[i/4]
		s.Kill = .9 - .1*float64(i/4)
		scores = append(scores, s)
	}
	kinds := map[string]bool{}
	for _, i := range Winnow.Rank(scores, nil)[:4] {
		kinds[scores[i].Replacer] = true
	}
	if len(kinds) != 3 {
		t.Errorf("the first four are of %d kinds of three that are nearly as good", len(kinds))
	}
}

func TestAStatementHasAtMostTwoOfTheFirstScreen(t *testing.T) {
	var scores []Score
	for i := range 60 {
		s := shown(fmt.Sprintf("m%02d", i), i/20, 0)
		s.Kill = .9
		scores = append(scores, s)
	}
	for i := range 18 {
		s := shown(fmt.Sprintf("z%02d", i), 50+i, 0)
		s.Kill = .0001
		scores = append(scores, s)
	}
	count := map[int]int{}
	for _, i := range Winnow.Rank(scores, nil)[:FirstScreen] {
		count[scores[i].Statement]++
	}
	for statement, n := range count {
		if n > 2 {
			t.Errorf("%d mutants of statement %d", n, statement)
		}
	}
	// Of two statements there are no twenty in pairs: the others follow.
	few := scores[:30]
	if order := Winnow.Rank(few, nil); len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(few) {
		t.Errorf("%d of %d mutants", len(order), len(few))
	}
}

// What a suite reaches often and does not kill, though most inputs show it, will not be
// killed by the next test.
func TestSurvivalSpeaksAgainstMutantsThatAreEasyToSee(t *testing.T) {
	easy, hard := shown("a", 1, 0b11111111), shown("b", 2, 0b1)
	before := easy.killable() - hard.killable()
	easy.Survived, hard.Survived = 20, 20
	if !(before == 0 && easy.killable() < hard.killable() && hard.killable() < shownKillable) {
		t.Errorf("easy %v, hard %v", easy.killable(), hard.killable())
	}
}

// A model that has seen what the tests did is believed, and it is not told again that the mutant survived them; of what was
// run since it does not know.
func TestAModelThatHasSeenTheTestsIsBelieved(t *testing.T) {
	s := shown("a", 1, 0b11111111)
	s.Kill, s.Survived = .9, 20
	bayes := s.likely()
	s.Another = .4
	if got := s.likely(); got != .4 || bayes >= .4 {
		t.Errorf("%v, where the model says .4, and %v without it", got, bayes)
	}
	s.Since = 1
	once := s.likely()
	s.Since = 5
	if five := s.likely(); !(five < once && once < .4) {
		t.Errorf("%v after one more test, %v after five", once, five)
	}
}

// Of mutants that are yet to be run on a suite, those come first that it is likely to let live:
// that few tests infect, or that few inputs show. What no input shows the next test will not kill
// either.
func TestWhatASuiteLetsLiveAndAnotherTestKillsComesFirst(t *testing.T) {
	untried := func(id string, inputs uint64, infecting int) Score {
		s := shown(id, int(inputs)+infecting, inputs)
		s.Untried, s.Infecting, s.Program.Kind = true, infecting, 0 // nothing in common with others
		return s
	}
	scores := []Score{untried("often", 0b1111, 30), untried("rarely", 0b1111, 1), untried("never", 0b1111, 0), untried("hidden", 0, 0)}
	if got := inOrder(scores, Winnow.Rank(scores, nil)); !slices.Equal(got, []string{"never", "rarely", "hidden", "often"}) {
		t.Error(got)
	}
	easy, hard := untried("easy", 0b11111111, 30), untried("hard", 0b1, 30)
	if easy.killable() >= hard.killable() {
		t.Errorf("thirty tests let %v of what all inputs show live, and %v of what one shows", easy.killable(), hard.killable())
	}
}

// Without a model trials and places decide, and a probability that no mutant has is no
// reason to put one last.
func TestWhatNoModelGaveIsLeftOut(t *testing.T) {
	scores := []Score{shown("a", 1, 0), shown("b", 2, 1)}
	if got := inOrder(scores, Winnow.Rank(scores, nil)); got[0] != "b" {
		t.Errorf("%v: an input shows b", got)
	}
	scores[0].Kill, scores[1].Kill = .9, .1
	if got := inOrder(scores, Winnow.Rank(scores, nil)); got[0] != "a" {
		t.Errorf("%v: the model knows better", got)
	}
	scores[0].Late, scores[1].Late = .01, .9
	if got := inOrder(scores, Winnow.Rank(scores, nil)); got[0] != "a" {
		t.Errorf("%v: no model knows of faults", got)
	}
	scores[0].Reveal, scores[1].Reveal = .5, .5
	if got := inOrder(scores, Winnow.Rank(scores, nil)); got[0] != "b" {
		t.Errorf("%v: a dies by any test", got)
	}
}

// That a statement is to be reached says any mutant of it.
func TestWhatEndsTheProgramComesBehindTheOthersOfItsStatement(t *testing.T) {
	ends, other, elsewhere := shown("a", 1, 7), shown("b", 1, 6), shown("c", 2, 1)
	ends.Replacer, ends.Kill, other.Kill, elsewhere.Kill = "TRAPSTMT", .99, .5, .3
	scores := []Score{ends, other, elsewhere}
	if got := inOrder(scores, Winnow.Rank(scores, nil)); !slices.Equal(got, []string{"b", "c", "a"}) {
		t.Errorf("%v", got)
	}
}

// scattered are mutants with scores by chance.
func scattered(rng *rand.Rand, n, statements int) []Score {
	var scores []Score
	for i := range n {
		s := shown(fmt.Sprintf("m%03d", i), rng.IntN(statements), rng.Uint64()&rng.Uint64()&7)
		s.Function, s.Replacer = fmt.Sprint("f", s.Statement/4), fmt.Sprint("r", rng.IntN(9))
		s.Kill, s.Late, s.Reveal, s.Survived = rng.Float64(), rng.Float64(), rng.Float64(), rng.IntN(3)
		if rng.IntN(3) == 0 {
			s.Program, s.Own = Trial{}, s.Program
		}
		scores = append(scores, s)
	}
	return scores
}

// slowMarginal looks at all pairs for each place, in the words of the rule.
func slowMarginal(r MarginalRule, scores []Score, most int) (out []int) {
	alike := func(a, b *Score) (statement, function, trial bool) {
		function = a.Function == b.Function
		x, xp := a.Told()
		y, yp := b.Told()
		return a.Statement == b.Statement, function, x.Kind != 0 && x.Kind == y.Kind && xp == yp && x.Entry == y.Entry && (xp || function)
	}
	for len(out) < min(most, len(scores)) {
		best, worth, fits := -1, 0.0, false
		for i := range scores {
			if slices.Contains(out, i) {
				continue
			}
			s := &scores[i]
			product, same := s.killable()*s.Late*s.Reveal, 0
			for _, k := range out {
				statement, function, trial := alike(&scores[k], s)
				if statement {
					product *= 1 - r.Statement
					same++
				}
				if function {
					product *= 1 - r.Function
				}
				if scores[k].Replacer == s.Replacer {
					product *= 1 - r.Kind
				}
				if trial {
					product *= 1 - r.Trial
				}
			}
			if fit := len(out) >= FirstScreen || same < r.PerStatement; best < 0 || fit && !fits || fit == fits && product > worth {
				best, worth, fits = i, product, fit
			}
		}
		out = append(out, best)
	}
	return out
}

func TestTheMarginalOrderIsThatOfAllPairs(t *testing.T) {
	rng := stream.New(2, "test")
	for range 20 {
		scores := scattered(rng, 60, 1+rng.IntN(30))
		want := slowMarginal(WinnowRule, scores, 60)
		if got := Winnow.Rank(scores, nil); !slices.Equal(got, want) {
			t.Fatalf("fast %v, slow %v", inOrder(scores, got), inOrder(scores, want))
		}
	}
}

// After the set, the mutants of a statement lose by each other as before.
func TestTheOthersAreSpreadOverStatements(t *testing.T) {
	rng := stream.New(3, "test")
	scores := scattered(rng, 3*mostPicked, 50)
	order := Winnow.Rank(scores, nil)
	if len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(scores) {
		t.Fatalf("%d mutants of %d", len(order), len(scores))
	}
	statements := map[int]bool{}
	for _, i := range order[mostPicked : mostPicked+50] {
		statements[scores[i].Statement] = true
	}
	if len(statements) < 25 {
		t.Errorf("fifty mutants of %d statements", len(statements))
	}
}

// BenchmarkWinnowMillion orders as many mutants as a large program has.
func BenchmarkWinnowMillion(b *testing.B) {
	rng := stream.New(1, "benchmark")
	scores := make([]Score, 1_000_000)
	for i := range scores {
		scores[i] = shown(fmt.Sprintf("%08x", rng.Uint32()), i/8, rng.Uint64()&rng.Uint64()&255)
		scores[i].Function, scores[i].Kill, scores[i].Late = fmt.Sprint(i/400), rng.Float64(), rng.Float64()
	}
	for b.Loop() {
		Winnow.Rank(scores, nil)
	}
}
