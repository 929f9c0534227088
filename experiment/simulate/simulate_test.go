package simulate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

func simulate(t *testing.T, subjects []subject.Subject, opts Options) *Simulation {
	t.Helper()
	sim, err := Run(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// slowWalk is the game by the book: sets of dead mutants and a scan of the
// kills for every test.
func slowWalk(s *subject.Subject, order []int, rng *rand.Rand) (selected, analysed, required int) {
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
		s := subjecttest.Random(rng, fmt.Sprint("x", i), rng.IntN(30), 1+rng.IntN(70))
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
func chance(s *subject.Subject, order []int, dead matrix.Bits, budget int) float64 {
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
		s := subjecttest.Random(rng, fmt.Sprint("x", i), 8, 6)
		budgets := []Budget{Share(predict.Percent(10)), Share(predict.Percent(25)), Share(predict.Percent(50)), Share(predict.Percent(100))}
		sim := simulate(t, []subject.Subject{s}, Options{
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

func TestTheCostsOfAWalkWithoutChance(t *testing.T) {
	// To reveal the fault the walk runs a on two tests, b and d on one each.
	budgets := []Budget{Share(predict.Percent(50)), Share(predict.Percent(75))}
	sim := simulate(t, []subject.Subject{subjecttest.Chain()}, Options{Strategies: []predict.Strategy{predict.FaRM}, Budgets: budgets})
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
	s := subjecttest.Chain()
	s.Reveals = matrix.NewBits(2)
	sim := simulate(t, []subject.Subject{s}, Options{})
	for k, name := range sim.Strategies {
		o := sim.Outcomes[k][0]
		if o.Ever != 0 || o.APFD != [costs]float64{} || !math.IsNaN(o.Spent[Analysed]) || slices.Max(o.Revealed) != 0 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestASubjectWithoutMutantsRevealsNothing(t *testing.T) {
	sim := simulate(t, []subject.Subject{{Program: "empty", Reveals: matrix.BitsOf(1, 0)}}, Options{})
	if o := sim.Outcomes[0][0]; o.Ever != 0 || o.Revealed[0] != 0 {
		t.Errorf("%+v", o)
	}
}

func TestASimulationDependsOnTheSeedOnly(t *testing.T) {
	subjects := subjecttest.Several(rand.New(rand.NewPCG(3, 1)), 12)
	opts := Options{Repetitions: 20, Seed: 5, Workers: 1}
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
	sim := simulate(t, subjecttest.Several(rand.New(rand.NewPCG(4, 1)), 40), Options{Seed: 1})
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
	subjects := subjecttest.Several(rand.New(rand.NewPCG(4, 2)), 40)
	killable := Budget{Name: "killable", Of: func(s *subject.Subject) int {
		return len(s.Kills) - len(slices.DeleteFunc(slices.Clone(s.Kills), func(k matrix.Bits) bool { return !k.Empty() }))
	}}
	sim := simulate(t, subjects, Options{Seed: 1, Strategies: []predict.Strategy{predict.Random}, Budgets: []Budget{Share(predict.Percent(10)), killable}})
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
	s := subjecttest.Random(rand.New(rand.NewPCG(4, 3)), "p", 60, 8)
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
	unscored := subjecttest.Chain()
	unscored.Mutants = []predict.Score{{ID: "a", Fault: math.NaN()}}
	unscored.Kills, unscored.Reached = unscored.Kills[:1], nil
	missing, ragged, features, wide, unknown := subjecttest.Chain(), subjecttest.Chain(), subjecttest.Chain(), subjecttest.Chain(), subjecttest.Chain()
	wide.Columns = []string{"x"}
	wide.Features = subjecttest.Pack([][]float64{{1, 2}, {1, 2}, {1, 2}, {1, 2}})
	unknown.Unknown = unknown.Kills[:2]
	missing.Kills = missing.Kills[:3]
	ragged.Kills[2] = matrix.NewBits(3)
	features.Features = subjecttest.Pack([][]float64{{1}})
	for name, c := range map[string]struct {
		subjects []subject.Subject
		want     error
	}{
		"no scores":          {[]subject.Subject{unscored}, predict.ErrNoScores},
		"a kill set missing": {[]subject.Subject{missing}, subject.ErrSubject},
		"another pool":       {[]subject.Subject{ragged}, subject.ErrSubject},
		"features missing":   {[]subject.Subject{features}, subject.ErrSubject},
		"too many features":  {[]subject.Subject{wide}, subject.ErrSubject},
		"unknown sets":       {[]subject.Subject{unknown}, subject.ErrSubject},
		"same name":          {[]subject.Subject{subjecttest.Chain(), subjecttest.Chain()}, subject.ErrSubject},
	} {
		if _, err := Run(t.Context(), c.subjects, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Run(t.Context(), nil, Options{}); err == nil {
		t.Error("a study of nothing")
	}
	if _, err := Run(t.Context(), []subject.Subject{subjecttest.Chain()}, Options{Repetitions: -1}); err == nil {
		t.Error("a negative number of repetitions")
	}
}

// BenchmarkSimulate is a study of the size of FaRM's sample in this project:
// 100 faults of 500 mutants and 25 tests, 100 repetitions, all strategies.
func BenchmarkSimulate(b *testing.B) {
	rng := stream.New(1, "benchmark")
	var subjects []subject.Subject
	for i := range 100 {
		subjects = append(subjects, subjecttest.Random(rng, fmt.Sprint("s", i), 500, 25))
	}
	for b.Loop() {
		if _, err := Run(b.Context(), subjects, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSimulationsOfTheSameSubjectsAreJoinedBeforeTheCeilings(t *testing.T) {
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(8, 8)), 3)
	run := func(seed uint64, strategies ...predict.Strategy) *Simulation {
		sim, err := Run(t.Context(), subjects, Options{Strategies: strategies, Repetitions: 2, Seed: seed})
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
