package features

import (
	"math"

	"github.com/winnow-mutants/winnow/mutant"
)

// Dynamic is what runs of the original program on tests tell of the mutants, by
// mutant id. It comes from one run of a test under a build that notes what the
// mutants would have done; nothing in it comes from a mutant's own run, so it
// holds no kills. A mutant that a map lacks has missing values. Observe makes it.
type Dynamic struct {
	// Tests is how many tests were run.
	Tests int
	// Reached is how many tests execute the mutant's site, Infected after how
	// many of these the mutant's value would have differed.
	Reached, Infected map[string]int
	// Executions is how often all tests together execute the site, Infections
	// how often the mutant's value would have differed.
	Executions, Infections map[string]int64
	// relations are the columns of the families after this one, which compare a mutant
	// with the others, or need each test; see Observe.
	relations map[string][]float64
}

var dynamic = Family{
	Name:    "dynamic",
	Doc:     "What a run of the original program on the tests tells: no mutant is run. Only in tables that ask for it.",
	Dynamic: true,
	Columns: []Column{
		{Name: "reach_tests", Unit: "tests", Source: "own", Layout: true, Doc: "tests that execute the mutant's site"},
		{Name: "reach_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the tests that execute the mutant's site"},
		{Name: "infect_tests", Unit: "tests", Source: "own", Layout: true, Doc: "tests on which the mutant's value would differ at its site"},
		{Name: "infect_tests_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the tests on which the mutant's value would differ at its site"},
		{Name: "infect_reach_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the tests that execute the site on which the mutant's value would differ; missing when none executes it"},
		{Name: "executions", Unit: "log2", Source: "own", Layout: true, Doc: "how often the tests execute the site, as log2(1 + x)"},
		{Name: "infections", Unit: "log2", Source: "own", Layout: true, Doc: "how often the mutant's value would differ, as log2(1 + x)"},
		{Name: "infection_rate", Unit: "share", Source: "own", Layout: true, Doc: "share of the site's executions in which the mutant's value would differ; missing when there are none"},
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) { s.p.in.dynamic.count(m.ID, row) },
}

// Fill computes the dynamic columns of a mutant, in the order of
// Columns("dynamic"): for tables whose static columns were computed before.
func (d *Dynamic) Fill(id string, row []float64) {
	n := len(dynamic.Columns)
	d.count(id, row[:n])
	d.relate(id, 0, row[n:])
}

// relate copies the columns that compare mutants, from a place among them.
func (d *Dynamic) relate(id string, from int, row []float64) {
	known, ok := d.relations[id]
	for k := range row {
		row[k] = math.NaN()
		if ok {
			row[k] = known[from+k]
		}
	}
}

func (d *Dynamic) count(id string, row []float64) {
	reach, reached := lookup(d.Reached, id)
	infect, infected := lookup(d.Infected, id)
	executions, _ := lookup(d.Executions, id)
	infections, _ := lookup(d.Infections, id)
	tests := float64(d.Tests)
	row[0], row[1] = reach, reach/tests
	row[2], row[3] = infect, infect/tests
	row[4] = math.NaN()
	if reached && infected && reach > 0 {
		row[4] = infect / reach
	}
	row[5], row[6] = math.Log2(1+executions), math.Log2(1+infections)
	row[7] = math.NaN()
	if executions > 0 {
		row[7] = infections / executions
	}
}

func lookup[N int | int64](values map[string]N, id string) (float64, bool) {
	if x, ok := values[id]; ok {
		return float64(x), true
	}
	return math.NaN(), false
}
