package predict

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func ids(scores []Score, order []int) string {
	var names []string
	for _, i := range order {
		names = append(names, scores[i].ID)
	}
	return strings.Join(names, " ")
}

func mustOrder(t *testing.T, s Strategy, scores []Score, seed uint64) []int {
	t.Helper()
	order, err := s.Order(scores, seed)
	if err != nil {
		t.Fatal(err)
	}
	return order
}

// example is five mutants whose three model-based orders were worked out by
// hand.
var example = []Score{
	{ID: "a", Kill: .9, Fault: .1},
	{ID: "b", Kill: .4, Fault: .9},
	{ID: "c", Kill: .6, Fault: .3},
	{ID: "d", Kill: .5, Fault: .2},
	{ID: "e", Kill: .2, Fault: .05},
}

func TestTheThreeModelStrategiesOrderTheWorkedExample(t *testing.T) {
	for name, want := range map[string]string{
		"farm":         "b c d a e",
		"predkillable": "a c d b e",
		"farm*":        "c d a b e",
	} {
		s, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(example, mustOrder(t, s, example, 1)); got != want {
			t.Errorf("%s orders %s, want %s", name, got, want)
		}
	}
}

func TestTiesAreBrokenByIDAndMissingScoresComeLast(t *testing.T) {
	scores := []Score{
		{ID: "z", Fault: .5, Kill: .7},
		{ID: "n", Fault: math.NaN(), Kill: math.NaN()},
		{ID: "b", Fault: .5, Kill: .7},
		{ID: "m", Fault: 0, Kill: 0},
	}
	for _, s := range []Strategy{FaRM, PredKillable, FaRMStar} {
		if got, want := ids(scores, mustOrder(t, s, scores, 1)), "b z m n"; got != want {
			t.Errorf("%s orders %s, want %s", s.Name, got, want)
		}
	}
}

// validate reports every way in which a list of strategies is unfit to be
// offered to users: a missing name, documentation or rule, and names that
// clash.
func validate(strategies []Strategy) error {
	var errs []error
	taken := map[string]string{}
	for i, s := range strategies {
		if s.Name == "" || s.Prepare == nil || strings.TrimSpace(s.Doc) == "" {
			errs = append(errs, fmt.Errorf("strategy %d (%q) lacks a name, a Doc or a Prepare", i, s.Name))
		}
		if s.NeedsModel > needsAll {
			errs = append(errs, fmt.Errorf("strategy %q needs an unknown model (%d)", s.Name, s.NeedsModel))
		}
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if name != strings.ToLower(name) || strings.ContainsAny(name, " \t\n,") {
				errs = append(errs, fmt.Errorf("strategy name %q must be lower case, without spaces or commas", name))
			}
			if other, clash := taken[name]; clash {
				errs = append(errs, fmt.Errorf("strategies %q and %q share the name %q", other, s.Name, name))
			}
			taken[name] = s.Name
		}
	}
	return errors.Join(errs...)
}

func TestAllStrategiesAreValidAndTheirNamesAreFound(t *testing.T) {
	if err := validate(All()); err != nil {
		t.Fatal(err)
	}
	for _, s := range All() {
		for _, name := range append([]string{s.Name, strings.ToUpper(s.Name)}, s.Aliases...) {
			found, err := Lookup(name)
			if err != nil || found.Name != s.Name {
				t.Errorf("Lookup(%q) = %q, %v; want %q", name, found.Name, err, s.Name)
			}
		}
	}
	if s, err := Lookup("farm-star"); err != nil || s.Name != "farm*" {
		t.Errorf("farm-star is %q, %v; want farm*", s.Name, err)
	}
}

func TestAnUnknownStrategyIsRefusedWithTheListOfValidNames(t *testing.T) {
	_, err := Lookup("best")
	if err == nil {
		t.Fatal("an unknown strategy was found")
	}
	for _, s := range All() {
		if !strings.Contains(err.Error(), s.Name) {
			t.Errorf("the error %q does not name %s", err, s.Name)
		}
	}
}

func TestValidateReportsEveryFault(t *testing.T) {
	prepare := func([]Score) Rule { return nil }
	for name, bad := range map[string][]Strategy{
		"no name":          {{Doc: "d", Prepare: prepare}},
		"no doc":           {{Name: "x", Doc: " ", Prepare: prepare}},
		"no rule":          {{Name: "x", Doc: "d"}},
		"capital":          {{Name: "X", Doc: "d", Prepare: prepare}},
		"comma":            {{Name: "x,y", Doc: "d", Prepare: prepare}},
		"unknown need":     {{Name: "x", Doc: "d", Prepare: prepare, NeedsModel: 16}},
		"same name":        {{Name: "x", Doc: "d", Prepare: prepare}, {Name: "x", Doc: "d", Prepare: prepare}},
		"alias taken":      {{Name: "x", Doc: "d", Prepare: prepare}, {Name: "y", Aliases: []string{"x"}, Doc: "d", Prepare: prepare}},
		"alias is own one": {{Name: "x", Aliases: []string{"x"}, Doc: "d", Prepare: prepare}},
	} {
		if validate(bad) == nil {
			t.Errorf("%s: found valid", name)
		}
	}
}

// randomScores makes mutants with unique ids, few distinct probabilities (so
// that there are ties), some of them missing.
func randomScores(rng *rand.Rand, n int) []Score {
	matchers := []string{"ADD", "LT", "AND", "STMT", "@", "V", "P"}
	replacers := []string{"SUB", "GE", "OR", "DELSTMT", "ABS", "NEG", "TRAPSTMT", "LEFTINC"}
	columns := []string{"complexity", "cfg_depth", "out_data", "reach_tests", "infect_tests"}
	scores := make([]Score, n)
	for i := range scores {
		scores[i] = Score{
			ID: fmt.Sprintf("%04x-%d", rng.IntN(1<<16), i), Selector: int32(i + 1),
			Fault: float64(rng.IntN(5)) / 4, Kill: float64(rng.IntN(5)) / 4,
			Statement: rng.IntN(6), File: string(rune('a' + rng.IntN(2))),
			Matcher: matchers[rng.IntN(len(matchers))], Replacer: replacers[rng.IntN(len(replacers))],
			Reveal: float64(rng.IntN(5)) / 4, Late: float64(rng.IntN(5)) / 4, Line: rng.IntN(9), Columns: columns,
		}
		for range columns {
			x := float64(rng.IntN(4))
			if rng.IntN(9) == 0 {
				x = math.NaN()
			}
			scores[i].Features = append(scores[i].Features, x)
		}
		if rng.IntN(8) == 0 {
			scores[i].Fault = math.NaN()
		}
		if rng.IntN(8) == 0 {
			scores[i].Kill = math.NaN()
		}
	}
	return scores
}

func TestEveryStrategyReturnsEachMutantOnceAndDependsOnlyOnTheSeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, s := range All() {
		for n := range 40 {
			scores := randomScores(rng, n)
			seed := rng.Uint64()
			order := s.Rank(scores, rand.New(rand.NewPCG(seed, 1)))
			sorted := slices.Sorted(slices.Values(order))
			for i := range n {
				if len(sorted) != n || sorted[i] != i {
					t.Fatalf("%s of %d mutants is not a permutation: %v", s.Name, n, order)
				}
			}

			// The same mutants in another order.
			mixed := slices.Clone(scores)
			rng.Shuffle(n, func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			again := s.Rank(mixed, rand.New(rand.NewPCG(seed, 1)))
			if a, b := ids(scores, order), ids(mixed, again); a != b {
				t.Fatalf("%s depends on the order of its input:\n%s\n%s", s.Name, a, b)
			}
		}
	}
}

func TestOnlyRandomizedStrategiesChangeWithTheSeed(t *testing.T) {
	scores := randomScores(rand.New(rand.NewPCG(1, 2)), 30)
	for _, s := range All() {
		if !s.Randomized {
			if !slices.Equal(s.Rank(scores, nil), mustOrder(t, s, scores, 1)) {
				t.Errorf("%s depends on the stream, yet does not say that it is randomized", s.Name)
			}
			continue
		}
		one, same, other := mustOrder(t, s, scores, 1), mustOrder(t, s, scores, 1), mustOrder(t, s, scores, 2)
		if !slices.Equal(one, same) {
			t.Errorf("%s: the same seed gave two orders", s.Name)
		}
		if slices.Equal(one, other) {
			t.Errorf("%s: two seeds gave one order", s.Name)
		}
	}
}

func TestRandomGivesEveryOrderAboutEquallyOften(t *testing.T) {
	scores := []Score{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	count := map[string]int{}
	const draws = 6000
	for seed := range uint64(draws) {
		count[ids(scores, mustOrder(t, Random, scores, seed))]++
	}
	// Six standard deviations of a binomial with p = 1/6.
	const tolerance = 180
	for order, n := range count {
		if n < draws/6-tolerance || n > draws/6+tolerance {
			t.Errorf("order %s came %d times of %d", order, n, draws)
		}
	}
	if len(count) != 6 {
		t.Errorf("%d orders of three mutants came, want 6", len(count))
	}
}

func TestSpreadVisitsEveryStatementOnceBeforeAnyASecondTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		scores := randomScores(rng, 1+rng.IntN(40))
		visits := map[string]int{}
		total := map[string]int{}
		at := func(s Score) string { return fmt.Sprint(s.File, s.Statement) }
		for _, s := range scores {
			total[at(s)]++
		}
		for _, i := range mustOrder(t, Spread, scores, rng.Uint64()) {
			here := at(scores[i])
			for other, seen := range visits {
				if seen < visits[here] && seen < total[other] {
					t.Fatalf("statement %s is visited again while %s waits", here, other)
				}
			}
			visits[here]++
			for other := range total {
				if _, known := visits[other]; !known {
					visits[other] = 0
				}
			}
		}
	}
}

func TestSpreadStartsAtASmallStatementAsOftenAsAtALargeOne(t *testing.T) {
	scores := []Score{{ID: "small", Statement: 1}}
	for i := range 9 {
		scores = append(scores, Score{ID: fmt.Sprint("large", i), Statement: 2})
	}
	small := 0
	const draws = 2000
	for seed := range uint64(draws) {
		if mustOrder(t, Spread, scores, seed)[0] == 0 {
			small++
		}
	}
	if small < draws/2-140 || small > draws/2+140 {
		t.Errorf("the statement with one mutant came first %d times of %d, want about half", small, draws)
	}
}

func TestSDLPutsStatementDeletionsFirst(t *testing.T) {
	scores := []Score{
		{ID: "1", Matcher: "ADD", Replacer: "SUB"}, {ID: "2", Matcher: "STMT", Replacer: "DELSTMT"},
		{ID: "3", Matcher: "STMT", Replacer: "TRAPSTMT"}, {ID: "4", Matcher: "ADD(@1,@2)", Replacer: "delstmt()"},
	}
	for seed := range uint64(20) {
		order := mustOrder(t, SDL, scores, seed)
		if got := slices.Sorted(slices.Values(order[:2])); !slices.Equal(got, []int{1, 3}) {
			t.Fatalf("the first two are %v, want the deletions 1 and 3", got)
		}
	}
}

func TestESelectiveTakesTheFiveGroupsOnly(t *testing.T) {
	for _, c := range []struct {
		matcher, replacer string
		want              bool
	}{
		{"ADD", "SUB", true}, {"ADD", "BITAND", true}, {"BITSHL(@1,@2)", "MOD(@2,@1)", true},
		{"AND", "OR", true}, {"LT", "GE", true}, {"EQ$@1$@2$", "NEQ$@1$@2$", true},
		{"@", "ABS", true}, {"ADD", "ABS", true}, {"@1", "NEG", true}, {"V2", "LEFTINC", true}, {"C", "BITNOT", true},
		{"LT", "ADD", false}, {"ADD", "LT", false}, {"ADD", "NEG", false}, {"STMT", "DELSTMT", false},
		{"ASSIGN", "ADD", false}, {"P", "PLEFTINC", false}, {"PEQ", "PNEQ", false}, {"LEFTINC", "LEFTDEC", false},
		{"", "", false},
	} {
		if got := IsSelective(&Score{Matcher: c.matcher, Replacer: c.replacer}); got != c.want {
			t.Errorf("%s -> %s is E-selective: %v, want %v", c.matcher, c.replacer, got, c.want)
		}
	}
}

func TestAModelStrategyRefusesMutantsWithoutScores(t *testing.T) {
	unscored := []Score{{ID: "a", Fault: math.NaN(), Kill: math.NaN()}}
	for _, s := range All() {
		_, err := s.Order(unscored, 1)
		if needs := s.NeedsModel != NeedsNone || s.NeedsFeatures; needs != errors.Is(err, ErrNoScores) {
			t.Errorf("%s on unscored mutants: error %v", s.Name, err)
		}
		if _, err := s.Order(nil, 1); err != nil {
			t.Errorf("%s on no mutants: %v", s.Name, err)
		}
	}
}
