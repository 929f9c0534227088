package evaluate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// randomSubject makes a subject with scores that know a little of the truth.
func randomSubject(rng *rand.Rand, name string, mutants, tests int) Subject {
	s := Subject{Program: name, Problem: "p" + name[:1], Fault: "f", Reveals: matrix.NewBits(tests)}
	for test := range tests {
		if rng.IntN(8) == 0 {
			s.Reveals.Set(test)
		}
	}
	for m := range mutants {
		kill := matrix.NewBits(tests)
		if rng.IntN(6) > 0 {
			for range 1 + rng.IntN(4) {
				kill.Set(rng.IntN(tests))
			}
		}
		s.Kills = append(s.Kills, kill)
		s.Mutants = append(s.Mutants, predict.Score{
			ID: fmt.Sprintf("%016x-%s-%d", rng.Uint64(), name, m), Selector: int32(m + 1), Statement: m / 4,
			Fault: rng.Float64(), Kill: rng.Float64(), Matcher: "ADD", Replacer: "SUB",
		})
	}
	return s
}

func randomSubjects(rng *rand.Rand, n int) []Subject {
	var out []Subject
	for i := range n {
		out = append(out, randomSubject(rng, fmt.Sprintf("%c%d", 'a'+i%4, i), 5+rng.IntN(30), 4+rng.IntN(20)))
	}
	return out
}

func simulate(t *testing.T, subjects []Subject, opts SimulateOptions) *Simulation {
	t.Helper()
	sim, err := Simulate(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// slowWalk is the game by the book: sets of dead mutants and a scan of the
// kills for every test.
func slowWalk(s *Subject, order []int, rng *rand.Rand) (selected, analysed, required int) {
	dead := map[int]bool{}
	for rank, m := range order {
		if dead[m] {
			continue
		}
		analysed++
		var killing []int
		for test := range s.Tests() {
			if s.Kills[m].Get(test) {
				killing = append(killing, test)
			}
		}
		if len(killing) == 0 {
			continue
		}
		test := killing[rng.IntN(len(killing))]
		required++
		if s.Reveals.Get(test) {
			return rank + 1, analysed, required
		}
		for other := range s.Mutants {
			if s.Kills[other].Get(test) {
				dead[other] = true
			}
		}
	}
	return 0, 0, 0
}

func TestTheWalkEqualsItsSlowTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 200 {
		s := randomSubject(rng, fmt.Sprint("x", i), rng.IntN(30), 1+rng.IntN(70))
		b := newBoard(&s)
		for range 5 {
			order, seed := rng.Perm(len(s.Mutants)), rng.Uint64()
			got := b.walk(order, rand.New(rand.NewPCG(seed, 1)))
			selected, analysed, required := slowWalk(&s, order, rand.New(rand.NewPCG(seed, 1)))
			if want := (spent{selected, analysed, required}); got != want {
				t.Fatalf("walk of %d mutants: %v, slow twin %v", len(s.Mutants), got, want)
			}
		}
	}
}

// chance returns the exact probability that a walk reveals the fault with no
// more than budget analyses: the mean over all picks of tests.
func chance(s *Subject, order []int, dead matrix.Bits, budget int) float64 {
	for i, m := range order {
		if dead.Get(m) {
			continue
		}
		if budget == 0 {
			return 0
		}
		if s.Kills[m].Empty() {
			budget--
			continue
		}
		sum := 0.0
		for test := range s.Kills[m].All() {
			if s.Reveals.Get(test) {
				sum++
				continue
			}
			next := dead.Clone()
			for other, kill := range s.Kills {
				if kill.Get(test) {
					next.Set(other)
				}
			}
			sum += chance(s, order[i+1:], next, budget-1)
		}
		return sum / float64(s.Kills[m].Count())
	}
	return 0
}

func TestTheShareOfRevealingRepetitionsApproachesTheExactProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range 10 {
		s := randomSubject(rng, fmt.Sprint("x", i), 8, 6)
		budgets := []Budget{Share(predict.Percent(10)), Share(predict.Percent(25)), Share(predict.Percent(50)), Share(predict.Percent(100))}
		sim := simulate(t, []Subject{s}, SimulateOptions{
			Strategies: []predict.Strategy{predict.FaRM}, Repetitions: 2000, Budgets: budgets, Seed: uint64(i),
		})
		order := predict.FaRM.Rank(s.Mutants, nil)
		for b, budget := range budgets {
			want := chance(&s, order, matrix.NewBits(8), budget.Of(&s))
			// More than four standard errors of 2,000 draws.
			if got := sim.Outcomes[0][0].Revealed[b]; math.Abs(got-want) > 0.05 {
				t.Errorf("subject %d at %v: revealed in %v, exact probability %v", i, budget.Name, got, want)
			}
		}
	}
}

// chain is a subject on which nothing is left to chance: mutants a, b, c, d;
// nothing kills b, test 0 kills a and c, test 1 kills d and reveals the fault.
func chain() Subject {
	return Subject{
		Program: "chain", Fault: "f", Reveals: matrix.BitsOf(2, 1),
		Mutants: []predict.Score{{ID: "a", Fault: .9}, {ID: "b", Fault: .8}, {ID: "c", Fault: .7}, {ID: "d", Fault: .6}},
		Kills:   []matrix.Bits{matrix.BitsOf(2, 0), matrix.BitsOf(2), matrix.BitsOf(2, 0), matrix.BitsOf(2, 1)},
		// a runs on both tests, b and d on one, c on none: killed and not
		// reached is impossible, but the walk need not know.
		Reached: []matrix.Bits{matrix.BitsOf(2, 0, 1), matrix.BitsOf(2, 0), matrix.BitsOf(2), matrix.BitsOf(2, 1)},
	}
}

func TestTheCostsOfAWalkWithoutChance(t *testing.T) {
	// To reveal the fault the walk runs a on two tests, b and d on one each.
	budgets := []Budget{Share(predict.Percent(50)), Share(predict.Percent(75))}
	sim := simulate(t, []Subject{chain()}, SimulateOptions{Strategies: []predict.Strategy{predict.FaRM}, Budgets: budgets})
	want := [][]Outcome{
		// a is killed by test 0, b is found equivalent, c is dead already, d
		// reveals: 4 selected, 3 analysed, 2 tests.
		{{
			Revealed: []float64{0, 1}, Ever: 1, Runs: 4,
			APFD:  [costs]float64{1 - 4.0/4 + 1.0/8, 1 - 3.0/4 + 1.0/8, 1 - 2.0/2 + 1.0/4},
			Spent: [costs]float64{4, 3, 2},
		}},
		// The oracle starts with d, the only one whose killing tests reveal.
		{{
			Revealed: []float64{1, 1}, Ever: 1, Runs: 1,
			APFD:  [costs]float64{1 - 1.0/4 + 1.0/8, 1 - 1.0/4 + 1.0/8, 1 - 1.0/2 + 1.0/4},
			Spent: [costs]float64{1, 1, 1},
		}},
	}
	withoutChance := [][]Outcome{sim.Outcomes[0], sim.Outcomes[2]} // the killable oracle draws
	if diff := cmp.Diff(want, withoutChance, cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(sim.Strategies, []string{"farm", KillableOracleName, OracleName}) || sim.Repetitions != 100 {
		t.Errorf("strategies %v, %d repetitions", sim.Strategies, sim.Repetitions)
	}
}

func TestAFaultThatNoMutantLeadsToIsNeverRevealed(t *testing.T) {
	s := chain()
	s.Reveals = matrix.NewBits(2)
	sim := simulate(t, []Subject{s}, SimulateOptions{})
	for k, name := range sim.Strategies {
		o := sim.Outcomes[k][0]
		if o.Ever != 0 || o.APFD != [costs]float64{} || !math.IsNaN(o.Spent[Analysed]) || slices.Max(o.Revealed) != 0 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestASubjectWithoutMutantsRevealsNothing(t *testing.T) {
	sim := simulate(t, []Subject{{Program: "empty", Reveals: matrix.BitsOf(1, 0)}}, SimulateOptions{})
	if o := sim.Outcomes[0][0]; o.Ever != 0 || o.Revealed[0] != 0 {
		t.Errorf("%+v", o)
	}
}

func TestASimulationDependsOnTheSeedOnly(t *testing.T) {
	subjects := randomSubjects(rand.New(rand.NewPCG(3, 1)), 12)
	opts := SimulateOptions{Repetitions: 20, Seed: 5, Workers: 1}
	one := simulate(t, subjects, opts)

	opts.Workers = 5
	if diff := cmp.Diff(one, simulate(t, subjects, opts), cmp.AllowUnexported(predict.Top{}), cmpopts.EquateNaNs()); diff != "" {
		t.Error("5 workers differ from 1:", diff)
	}

	// The other way round, subjects and mutants.
	reversed := slices.Clone(subjects)
	slices.Reverse(reversed)
	for i := range reversed {
		reversed[i].Mutants, reversed[i].Kills = slices.Clone(reversed[i].Mutants), slices.Clone(reversed[i].Kills)
		slices.Reverse(reversed[i].Mutants)
		slices.Reverse(reversed[i].Kills)
	}
	other := simulate(t, reversed, opts)
	for k := range other.Outcomes {
		slices.Reverse(other.Outcomes[k])
	}
	if diff := cmp.Diff(one.Outcomes, other.Outcomes, cmpopts.EquateNaNs()); diff != "" {
		t.Error("the order of subjects and mutants matters:", diff)
	}

	opts.Seed++
	if cmp.Equal(one.Outcomes, simulate(t, subjects, opts).Outcomes, cmpopts.EquateNaNs()) {
		t.Error("two seeds gave the same outcomes")
	}
}

func TestTheOracleIsAheadOfChanceAndLargerBudgetsRevealMore(t *testing.T) {
	sim := simulate(t, randomSubjects(rand.New(rand.NewPCG(4, 1)), 40), SimulateOptions{Seed: 1})
	random, oracle := slices.Index(sim.Strategies, "random"), slices.Index(sim.Strategies, OracleName)
	mean := func(k, budget int) (sum float64) {
		for _, o := range sim.Outcomes[k] {
			sum += o.Revealed[budget] / float64(len(sim.Outcomes[k]))
		}
		return sum
	}
	for k := range sim.Strategies {
		for _, o := range sim.Outcomes[k] {
			if !slices.IsSorted(o.Revealed) || o.Revealed[len(o.Revealed)-1] > o.Ever {
				t.Fatalf("%s: %+v", sim.Strategies[k], o)
			}
		}
	}
	for b, budget := range sim.Budgets {
		if mean(oracle, b) <= mean(random, b) {
			t.Errorf("at %v the oracle reveals %v, chance %v", budget, mean(oracle, b), mean(random, b))
		}
	}
}

// Who passes over survivors alone never analyses one before the fault is found,
// which is ahead of chance, and is behind who knows what reveals it.
func TestTheKillableOracleAnalysesNoSurvivorBeforeTheOthers(t *testing.T) {
	subjects := randomSubjects(rand.New(rand.NewPCG(4, 2)), 40)
	killable := Budget{Name: "killable", Of: func(s *Subject) int {
		return len(s.Kills) - len(slices.DeleteFunc(slices.Clone(s.Kills), func(k matrix.Bits) bool { return !k.Empty() }))
	}}
	sim := simulate(t, subjects, SimulateOptions{Seed: 1, Strategies: []predict.Strategy{predict.Random}, Budgets: []Budget{Share(predict.Percent(10)), killable}})
	mean := map[string]float64{}
	for k, name := range sim.Strategies {
		for i, o := range sim.Outcomes[k] {
			mean[name] += o.Revealed[0] / float64(len(subjects))
			if IsCeiling(name) && o.Revealed[1] != o.Ever {
				t.Errorf("%s, %s: %v found the fault in as many mutants as there are killable ones, %v at all", name, sim.Subjects[i], o.Revealed[1], o.Ever)
			}
		}
	}
	if !(mean["random"] < mean[KillableOracleName] && mean[KillableOracleName] < mean[OracleName]) {
		t.Errorf("found the fault at 10 %%: %v", mean)
	}
}

func TestTheKillableOracleDrawsAnewAndNamesEachMutantOnce(t *testing.T) {
	s := randomSubject(rand.New(rand.NewPCG(4, 3)), "p", 60, 8)
	rule := killableFirst(&s)
	first, second := rule(rand.New(rand.NewPCG(1, 1))), rule(rand.New(rand.NewPCG(1, 2)))
	if slices.Equal(first, second) {
		t.Error("two draws gave one order")
	}
	for _, order := range [][]int{first, second} {
		survivors := false
		for _, m := range order {
			if s.Kills[m].Empty() {
				survivors = true
			} else if survivors {
				t.Fatalf("a survivor comes before a mutant that is killed: %v", order)
			}
		}
		if sorted := slices.Sorted(slices.Values(order)); len(slices.Compact(sorted)) != len(s.Mutants) {
			t.Errorf("%d mutants, %v", len(s.Mutants), order)
		}
	}
	if !slices.Equal(first, rule(rand.New(rand.NewPCG(1, 1)))) {
		t.Error("one stream gave two orders")
	}
}

// A strategy's name has no blank, so nobody can ask for the killable oracle.
func TestNoStrategyIsTakenForACeiling(t *testing.T) {
	for _, s := range predict.All() {
		if IsCeiling(s.Name) {
			t.Errorf("strategy %s has the name of a ceiling", s.Name)
		}
	}
	if !IsCeiling(OracleName) || !IsCeiling(KillableOracleName) {
		t.Error("the oracles are no ceilings")
	}
}

func TestSubjectsThatCannotBeStudiedAreRefused(t *testing.T) {
	unscored := chain()
	unscored.Mutants = []predict.Score{{ID: "a", Fault: math.NaN()}}
	unscored.Kills, unscored.Reached = unscored.Kills[:1], nil
	missing, ragged, features, wide, unknown := chain(), chain(), chain(), chain(), chain()
	wide.Columns = []string{"x"}
	wide.Features = packed([][]float64{{1, 2}, {1, 2}, {1, 2}, {1, 2}})
	unknown.Unknown = unknown.Kills[:2]
	missing.Kills = missing.Kills[:3]
	ragged.Kills[2] = matrix.NewBits(3)
	features.Features = packed([][]float64{{1}})
	for name, c := range map[string]struct {
		subjects []Subject
		want     error
	}{
		"no scores":          {[]Subject{unscored}, predict.ErrNoScores},
		"a kill set missing": {[]Subject{missing}, ErrSubject},
		"another pool":       {[]Subject{ragged}, ErrSubject},
		"features missing":   {[]Subject{features}, ErrSubject},
		"too many features":  {[]Subject{wide}, ErrSubject},
		"unknown sets":       {[]Subject{unknown}, ErrSubject},
		"same name":          {[]Subject{chain(), chain()}, ErrSubject},
	} {
		if _, err := Simulate(t.Context(), c.subjects, SimulateOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Simulate(t.Context(), nil, SimulateOptions{}); err == nil {
		t.Error("a study of nothing")
	}
	if _, err := Simulate(t.Context(), []Subject{chain()}, SimulateOptions{Repetitions: -1}); err == nil {
		t.Error("a negative number of repetitions")
	}
}

func TestAfterExistingTestsTheirMutantsAndVerdictsAreGone(t *testing.T) {
	s := chain()
	s.Columns, s.Features = []string{"x"}, packed([][]float64{{1}, {2}, {3}, {4}})
	s.Unknown = []matrix.Bits{matrix.NewBits(2), matrix.BitsOf(2, 1), matrix.NewBits(2), matrix.NewBits(2)}
	left, err := s.After(matrix.BitsOf(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(left.Mutants) != 2 || left.Mutants[0].ID != "b" || left.Mutants[1].ID != "d" || left.Features.Value(0, 0) != 2 || left.Features.Value(1, 0) != 4 {
		t.Errorf("mutants %+v with features %v are left, want b and d", left.Mutants, left.Features)
	}
	if left.Tests() != 1 || !left.Reveals.Get(0) || !left.Kills[0].Empty() || !left.Kills[1].Get(0) || !left.Unknown[0].Get(0) || left.Validate() != nil {
		t.Errorf("verdicts %v, %v, %v", left.Kills, left.Unknown, left.Reveals)
	}
	if len(s.Mutants) != 4 || s.Tests() != 2 {
		t.Error("the subject itself changed")
	}
	if _, err := s.After(matrix.NewBits(3)); !errors.Is(err, ErrSubject) {
		t.Errorf("a set for another pool: error %v", err)
	}
}

func TestWithoutExistingTestsAllMutantsAreLeft(t *testing.T) {
	s := chain()
	left, err := s.Without(matrix.BitsOf(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(left.Mutants) != len(s.Mutants) || left.Tests() != 1 {
		t.Fatalf("%d mutants of %d, %d tests", len(left.Mutants), len(s.Mutants), left.Tests())
	}
	for m := range s.Kills {
		if left.Kills[m].Get(0) != s.Kills[m].Get(1) {
			t.Errorf("%s: killed %v by the test that is left, was %v", s.Mutants[m].ID, left.Kills[m].Get(0), s.Kills[m].Get(1))
		}
	}
	if left.Reveals.Get(0) != s.Reveals.Get(1) || s.Tests() != 2 {
		t.Error("the other test reveals what it did not, or the subject changed")
	}
}

// BenchmarkSimulate is a study of the size of FaRM's sample in this project:
// 100 faults of 500 mutants and 25 tests, 100 repetitions, all strategies.
func BenchmarkSimulate(b *testing.B) {
	rng := stream.New(1, "benchmark")
	var subjects []Subject
	for i := range 100 {
		subjects = append(subjects, randomSubject(rng, fmt.Sprint("s", i), 500, 25))
	}
	for b.Loop() {
		if _, err := Simulate(b.Context(), subjects, SimulateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSimulationsOfTheSameSubjectsAreJoinedBeforeTheCeilings(t *testing.T) {
	subjects := learnable(rand.New(rand.NewPCG(8, 8)), 3)
	run := func(seed uint64, strategies ...predict.Strategy) *Simulation {
		sim, err := Simulate(t.Context(), subjects, SimulateOptions{Strategies: strategies, Repetitions: 2, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return sim
	}
	both, err := run(1, predict.Random).With(run(1, predict.Spread))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run(1, predict.Random, predict.Spread), both, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-at once +joined)\n%s", diff)
	}
	if _, err := run(1, predict.Random).With(run(2, predict.Spread)); err == nil {
		t.Error("simulations of two seeds were joined")
	}
}
