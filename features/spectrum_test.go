package features_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/features"
)

// observedProgram are mutants and what tests did at them, for looking columns up.
type observedProgram struct {
	t       *testing.T
	places  []features.Place
	tests   int
	seen    []features.Observation
	dynamic *features.Dynamic
	columns []string
}

func observe(t *testing.T, places []features.Place, tests int, seen []features.Observation) *observedProgram {
	return &observedProgram{t, places, tests, seen, features.Observe(places, tests, seen), columns(t, "dynamic")}
}

func (p *observedProgram) row(m int) []float64 {
	row := make([]float64, len(p.columns))
	p.dynamic.Fill(p.places[m].ID, row)
	return row
}

func (p *observedProgram) value(m int, column string) float64 {
	p.t.Helper()
	at := slices.Index(p.columns, column)
	if at < 0 {
		p.t.Fatalf("no column %s", column)
	}
	return p.row(m)[at]
}

// Four tests. Statement 0 has the sites 0 (mutants a, b), which all tests execute,
// and 1 (c), which tests 0 and 1 execute; statement 1, on a line of its own, the
// site 2 (d), for test 0 alone; the other function the site 3 (e), for none.
func fourTests(t *testing.T) *observedProgram {
	return observe(t, []features.Place{
		{ID: "a", Site: 0, Statement: 0, Function: "f", Line: 3}, {ID: "b", Site: 0, Statement: 0, Function: "f", Line: 3},
		{ID: "c", Site: 1, Statement: 0, Function: "f", Line: 3}, {ID: "d", Site: 2, Statement: 1, Function: "f", Line: 4},
		{ID: "e", Site: 3, Statement: 2, Function: "g", Line: 9},
	}, 4, []features.Observation{
		{Mutant: 0, Test: 0, Executions: 12, Infections: 6}, {Mutant: 0, Test: 1, Executions: 1, Infections: 0}, {Mutant: 0, Test: 2, Executions: 1, Infections: 0}, {Mutant: 0, Test: 3, Executions: 1, Infections: 1},
		{Mutant: 1, Test: 0, Executions: 12, Infections: 1}, {Mutant: 1, Test: 1, Executions: 1, Infections: 0}, {Mutant: 1, Test: 2, Executions: 1, Infections: 0}, {Mutant: 1, Test: 3, Executions: 1, Infections: 0},
		{Mutant: 2, Test: 0, Executions: 3, Infections: 3}, {Mutant: 2, Test: 1, Executions: 3, Infections: 3},
		{Mutant: 3, Test: 0, Executions: 1, Infections: 0},
	})
}

func TestTheTestsOfASiteAreComparedWithThoseOfOthers(t *testing.T) {
	p := fourTests(t)
	for _, want := range []struct {
		mutant int
		column string
		value  float64
	}{
		{2, "reach_share", .5}, {2, "statement_tests_share", 1}, {3, "statement_tests_share", .25}, {4, "statement_tests_share", 0},
		{2, "line_tests_share", 1}, {3, "line_tests_share", .25}, {0, "line_tests_rank", 1}, {3, "line_tests_rank", .5},
		{3, "function_tests_share", 1}, {4, "function_tests_share", 0},
		{0, "executions_relative", 1}, {3, "executions_relative", 1. / 4}, {4, "executions_relative", 0},
		{2, "statement_executions_relative", 1}, {3, "line_executions_relative", 1. / 4}, {3, "function_executions_relative", 1. / 4},
		{0, "executions_per_test", math.Log2(1 + 15./4)}, {2, "executions_entropy", 1}, {0, "reach_entropy", 0}, {2, "reach_entropy", 1},
		{0, "same_tests_share", 0}, {3, "reach_rank_function", 0}, {2, "reach_rank_function", .5}, {0, "reach_rank_function", 1},
		{4, "reach_rank_program", 0}, {0, "reach_rank_program", 1}, {2, "executions_rank_program", 2. / 3},
		{3, "test_breadth", .75}, {2, "test_breadth", (.75 + .5) / 2}, {2, "test_breadth_least", .5}, {0, "test_breadth_least", .25},
		{0, "site_infecting_share", 1}, {3, "site_infecting_share", 0}, {2, "statement_infecting_share", 1},
		{0, "infect_rank_site", 1}, {1, "infect_rank_site", 0}, {0, "infect_rank_statement", .75}, {4, "infect_rank_program", 1. / 8},
		{0, "infections_rank_site", 1}, {0, "infections_relative_site", 1}, {1, "infections_relative_site", 1. / 7}, {1, "infections_relative_statement", 1. / 3},
		{0, "infect_entropy", 1}, {2, "infect_entropy", 0},
		{0, "infect_same_statement_share", 0}, {3, "infect_same_program_share", .25},
		{1, "weakly_subsumes_share", 1}, {1, "weakly_subsumed_share", 0}, {0, "weakly_subsumed_share", .5}, {0, "weakly_subsumes_share", 0},
		{1, "infect_breadth", .6}, {2, "infect_breadth", (.6 + .2) / 2},
	} {
		if got := p.value(want.mutant, want.column); math.Abs(got-want.value) > 1e-12 {
			t.Errorf("%s of %s is %v, want %v", want.column, p.places[want.mutant].ID, got, want.value)
		}
	}
	for _, missing := range []struct {
		mutant int
		column string
	}{
		{4, "executions_per_test"}, {3, "executions_entropy"}, {4, "test_breadth"}, {4, "function_executions_relative"}, {4, "reach_rank_function"},
		{4, "site_infecting_share"}, {3, "infect_rank_site"}, {3, "infections_relative_site"}, {4, "infect_entropy"}, {3, "weakly_subsumes_share"}, {3, "infect_breadth"},
	} {
		if got := p.value(missing.mutant, missing.column); got == got {
			t.Errorf("%s of %s is %v, where there is nothing to compare", missing.column, p.places[missing.mutant].ID, got)
		}
	}
}

// drawn makes a program of random places and runs.
func drawn(t *testing.T, rng *rand.Rand) *observedProgram {
	var places []features.Place
	tests, site := 1+rng.IntN(6), 0
	var seen []features.Observation
	for statement := range 1 + rng.IntN(5) {
		for range 1 + rng.IntN(3) {
			executions := make([]int64, tests)
			for k := range executions {
				executions[k] = max(0, rng.Int64N(9)-4)
			}
			for range 1 + rng.IntN(4) {
				m := len(places)
				places = append(places, features.Place{ID: fmt.Sprint("m", m), Site: site, Statement: statement, Function: fmt.Sprint("f", statement/2), Line: statement / 2})
				for test, n := range executions {
					if n > 0 {
						seen = append(seen, features.Observation{Mutant: m, Test: test, Executions: n, Infections: max(0, rng.Int64N(2*n+1)-n)})
					}
				}
			}
			site++
		}
	}
	return observe(t, places, tests, seen)
}

// slow computes some columns from their definitions.
func (p *observedProgram) slow(m int) map[string]float64 {
	reach := func(k, test int) (n int64) {
		for _, s := range p.seen {
			if p.places[s.Mutant].Site == p.places[k].Site && s.Test == test {
				n = s.Executions
			}
		}
		return n
	}
	infects := func(k, test int) (n int64) {
		for _, s := range p.seen {
			if s.Mutant == k && s.Test == test {
				n = s.Infections
			}
		}
		return n
	}
	out := map[string]float64{}
	sameTests, sites, statementTests := 0., map[int]bool{p.places[m].Site: true}, map[int]bool{}
	sameInfect, below, others, superset, infected := 0., 0., 0., 0., 0.
	count := func(k int) (n float64) {
		for test := range p.tests {
			if infects(k, test) > 0 {
				n++
			}
		}
		return n
	}
	for k := range p.places {
		equal, equalInfect, covers := true, true, true
		for test := range p.tests {
			equal = equal && (reach(k, test) > 0) == (reach(m, test) > 0)
			equalInfect = equalInfect && (infects(k, test) > 0) == (infects(m, test) > 0)
			covers = covers && (infects(m, test) == 0 || infects(k, test) > 0)
			if p.places[k].Statement == p.places[m].Statement && reach(k, test) > 0 {
				statementTests[test] = true
			}
		}
		if !sites[p.places[k].Site] {
			sites[p.places[k].Site] = true
			if equal {
				sameTests++
			}
		}
		if k != m && p.places[k].Statement == p.places[m].Statement {
			others++
			if equalInfect {
				sameInfect++
			}
			if count(k) > 0 {
				infected++
				if covers && !equalInfect {
					superset++
				}
			}
			switch a, b := count(k), count(m); {
			case a < b:
				below++
			case a == b:
				below += .5
			}
		}
	}
	out["same_tests_share"] = sameTests / float64(len(sites)-1)
	out["statement_tests_share"] = float64(len(statementTests)) / float64(p.tests)
	out["infect_same_statement_share"] = sameInfect / others
	out["infect_rank_statement"] = below / others
	out["weakly_subsumes_share"] = math.NaN()
	if count(m) > 0 {
		out["weakly_subsumes_share"] = superset / infected
	}
	return out
}

func alike(a, b float64) bool { return math.Abs(a-b) < 1e-12 || a != a && b != b }

func TestComparisonsOfTestsAreThoseOfTheirDefinitions(t *testing.T) {
	for seed := range uint64(60) {
		p := drawn(t, rand.New(rand.NewPCG(seed, 1)))
		for m := range p.places {
			for column, want := range p.slow(m) {
				if got := p.value(m, column); !alike(got, want) {
					t.Fatalf("seed %d: %s of mutant %d is %v, want %v", seed, column, m, got, want)
				}
			}
		}
	}
}

func TestTheOrderOfTestsAndRunsChangesNoDynamicFeature(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		p := drawn(t, rng)
		order, seen := rng.Perm(p.tests), slices.Clone(p.seen)
		for k := range seen {
			seen[k].Test = order[seen[k].Test]
		}
		rng.Shuffle(len(seen), func(i, k int) { seen[i], seen[k] = seen[k], seen[i] })
		other := observe(t, p.places, p.tests, seen)
		for m := range p.places {
			if a, b := p.row(m), other.row(m); !slices.EqualFunc(a, b, alike) {
				t.Fatalf("seed %d, mutant %d:\n%v\n%v", seed, m, a, b)
			}
		}
	}
}
