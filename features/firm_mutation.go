package features

import (
	"math"

	"github.com/winnow-mutants/winnow/mutant"
)

var firmMutation = Family{
	Name: "firm",
	Doc: "Whether what the mutant infects gets out of its function on the tests (firm mutation: Woodward and Halewood, \"From weak to strong, dead or alive?\", 1988): " +
		"the program is interpreted on a test's input, and from the first infection on with the mutant, until the function is left in which it happened; the two states are compared there. " +
		"No program is run, and what is printed is not looked at; of main the returned value is, which is the program's status: in evaluations labels rest on other tests. Missing where no test is known to infect the mutant, with what the interpreter does not know, " +
		"with arguments and files instead of an input, or beyond 16,384 instructions; and where the probe was recorded before this was noted.",
	Columns: []Column{
		{Name: "firm_tests", Unit: "tests", Source: "own", Beyond: Tests, Doc: "tests that are known to infect the mutant, up to the end of the function"},
		{Name: "firm_differs_tests", Unit: "tests", Source: "own", Beyond: Tests, Doc: "tests of these on which something differs when the function is left, or it is not left there"},
		{Name: "firm_differs_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "their share; the others mask the infection"},
		{Name: "firm_cells_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of these tests on which memory differs that outlives the function"},
		{Name: "firm_returned_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share on which it returns another value"},
		{Name: "firm_trapped_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share on which the mutant divides by zero or uses an address near null"},
		{Name: "firm_stays_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share on which the mutant is still in the function after twice the time, or only one of the two ends the program"},
		{Name: "firm_distance", Unit: "log2", Source: "own", Beyond: Tests, Doc: "distance of the two states: mean of log2(1 + memory cells that differ, the returned value included) over the tests on which both leave the function"},
		{Name: "firm_distance_most", Unit: "log2", Source: "own", Beyond: Tests, Doc: "the largest"},
		{Name: "firm_local_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of these tests on which nothing differs but the function's own variables"},
		{Name: "firm_local_distance", Unit: "log2", Source: "own", Beyond: Tests, Doc: "mean of log2(1 + variables of the function that differ) over the tests on which both leave the function"},
		{Name: "firm_rank_program", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the program's other mutants for which something differs on fewer tests, those with as many counted half"},
	},
	FromTests: (*observed).fillFirmMutation,
}

// fillFirmMutation writes the columns of the family into each mutant's row.
func (o *observed) fillFirmMutation(row func(m int) []float64) {
	differ := make([]float64, len(o.places))
	var known []int
	for m := range o.places {
		r := row(m)
		missing(r)
		var tests int
		if tests, differ[m] = fillAtExit(o.seen[m], r); tests > 0 {
			known = append(known, m)
		}
	}
	among := make([]float64, len(known))
	for i, m := range known {
		among[i] = differ[m]
	}
	for i, rank := range ranks(among) {
		r := row(known[i])
		r[len(r)-1] = rank
	}
}

func fillAtExit(seen []Observation, r []float64) (tests int, differ float64) {
	left, local := 0, 0
	var with [4]int // by column
	sum, most, locals := 0., 0., 0.
	for i := range seen {
		l := seen[i].AtExit
		if l == 0 {
			continue
		}
		tests++
		differ += float64(countIf(l.Differs()))
		for k, so := range []bool{l.Cells() > 0, l&mutant.LeavingReturned != 0, l&mutant.LeavingTrapped != 0, l&mutant.LeavingStays != 0} {
			with[k] += countIf(so)
		}
		if l&(mutant.LeavingTrapped|mutant.LeavingStays) == 0 {
			left++
			distance := math.Log2(1 + float64(l.Cells()+countIf(l&mutant.LeavingReturned != 0)))
			sum, most = sum+distance, max(most, distance)
			locals += math.Log2(1 + float64(l.Locals()))
			local += countIf(l.Locals() > 0 && !l.Differs())
		}
	}
	if tests == 0 {
		return 0, 0
	}
	r[0], r[1], r[2] = float64(tests), differ, differ/float64(tests)
	for k, n := range with {
		r[3+k] = share(n, tests)
	}
	if left > 0 {
		r[7], r[8], r[10] = sum/float64(left), most, locals/float64(left)
	}
	r[9] = share(local, tests)
	return tests, differ
}
