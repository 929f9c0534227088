package features

import (
	"math"

	"github.com/winnow-mutants/winnow/matrix"
)

var weak = Family{
	Name: "weak",
	Doc: "How easily the mutant is infected beside the other mutants of its site, statement and program (weak mutation), from a run of the original program on the tests: " +
		"no mutant is run. A test infects a mutant when the mutant's value would differ. All are missing where that is not known of all mutants.",
	Columns: []Column{
		{Name: "site_infecting_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the site's mutants that some test infects; missing when none executes the site"},
		{Name: "statement_infecting_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the statement's mutants; missing when no test executes the statement"},
		{Name: "infect_rank_site", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the site's other mutants that fewer tests infect, those with as many counted half; missing for a mutant that is alone"},
		{Name: "infect_rank_statement", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the statement's other mutants"},
		{Name: "infect_rank_program", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the program's other mutants"},
		{Name: "infections_rank_site", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the site's other mutants that are infected less often, those as often counted half"},
		{Name: "infections_rank_statement", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the statement's other mutants"},
		{Name: "infections_relative_site", Unit: "share", Source: "own", Beyond: Tests, Doc: "the mutant's infections by those of the site's most infected mutant; missing when none is infected"},
		{Name: "infections_relative_statement", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same by the statement's most infected mutant, each as log2(1 + x)"},
		{Name: "infect_entropy", Unit: "bits", Source: "own", Beyond: Tests, Doc: "entropy of whether a test that executes the site infects the mutant; missing when none executes it"},
		{Name: "infect_same_statement_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the statement's other mutants that exactly the same tests infect"},
		{Name: "infect_same_program_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the program's other mutants"},
		{Name: "weakly_subsumes_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the statement's other infected mutants that all tests infect which infect this one, and more; missing when no test infects it, or no other"},
		{Name: "weakly_subsumed_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the statement's other infected mutants whose infecting tests all infect this one, and more infect it; missing alike"},
		{Name: "infect_breadth", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the program's mutants that a test which infects this one infects, on average; missing when none does"},
	},
	FromTests: (*observed).fillWeak,
}

// fillWeak writes the columns of the family into each mutant's row.
func (o *observed) fillWeak(row func(m int) []float64) {
	bySite, byStatement := map[int][]int{}, map[int][]int{}
	all := make([]int, len(o.places))
	for m := range o.places {
		all[m] = m
		bySite[o.siteOf[m]] = append(bySite[o.siteOf[m]], m)
		byStatement[o.places[m].Statement] = append(byStatement[o.places[m].Statement], m)
	}
	site := o.compareGroups(bySite)
	statement := o.compareGroups(byStatement)
	program := o.compareGroups(map[int][]int{0: all})
	subsumes, subsumed := o.subsumption(byStatement)
	breadth := o.infectBreadths()
	for m := range o.places {
		r, reach := row(m), float64(o.sites[o.siteOf[m]].tests.Count())
		r[0], r[1] = site.infected[m], statement.infected[m]
		r[2], r[3], r[4] = site.rank[m], statement.rank[m], program.rank[m]
		r[5], r[6] = site.oftenRank[m], statement.oftenRank[m]
		r[7] = quotient(float64(o.infections[m]), site.most[m])
		r[8] = quotient(often(o.infections[m]), math.Log2(1+statement.most[m]))
		r[9] = binaryEntropy(quotient(float64(o.infecting[m].Count()), reach))
		r[10], r[11] = statement.same[m], program.same[m]
		r[12], r[13] = subsumes[m], subsumed[m]
		r[14] = math.NaN()
		if n := o.infecting[m].Count(); n > 0 {
			r[14] = 0
			for test := range o.infecting[m].All() {
				r[14] += breadth[test] / float64(n)
			}
		}
	}
}

// comparedMutants says how a mutant stands in its group, by mutant.
type comparedMutants struct{ infected, rank, oftenRank, most, same []float64 }

func (o *observed) compareGroups(groups map[int][]int) *comparedMutants {
	n := len(o.places)
	out := &comparedMutants{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for _, group := range groups {
		var tests, times []float64
		most, infected, executed := 0., 0., false
		alike := map[string]int{}
		for _, m := range group {
			count := o.infecting[m].Count()
			tests, times = append(tests, float64(count)), append(times, float64(o.infections[m]))
			most = max(most, float64(o.infections[m]))
			executed = executed || !o.sites[o.siteOf[m]].tests.Empty()
			if count > 0 {
				infected++
			}
			alike[o.infecting[m].Key()]++
		}
		share := math.NaN()
		if executed {
			share = infected / float64(len(group))
		}
		tests, times = ranks(tests), ranks(times)
		for i, m := range group {
			out.infected[m], out.most[m] = share, most
			out.rank[m], out.oftenRank[m] = tests[i], times[i]
			out.same[m] = quotient(float64(alike[o.infecting[m].Key()]-1), float64(len(group)-1))
		}
	}
	return out
}

// subsumption compares the infecting tests of the mutants of each statement. It
// looks at each pair of different sets, of which a statement has few.
func (o *observed) subsumption(statements map[int][]int) (subsumes, subsumed []float64) {
	subsumes, subsumed = make([]float64, len(o.places)), make([]float64, len(o.places))
	for _, group := range statements {
		type alike struct {
			tests   matrix.Bits
			mutants []int
		}
		var sets []*alike
		byKey := map[string]*alike{}
		infected := 0
		for _, m := range group {
			subsumes[m], subsumed[m] = math.NaN(), math.NaN()
			if o.infecting[m].Empty() {
				continue
			}
			infected++
			key := o.infecting[m].Key()
			if byKey[key] == nil {
				byKey[key] = &alike{tests: o.infecting[m]}
				sets = append(sets, byKey[key])
			}
			byKey[key].mutants = append(byKey[key].mutants, m)
		}
		for _, a := range sets {
			more, fewer := 0, 0
			for _, b := range sets {
				switch {
				case a == b:
				case a.tests.IsSubset(b.tests):
					more += len(b.mutants)
				case b.tests.IsSubset(a.tests):
					fewer += len(b.mutants)
				}
			}
			for _, m := range a.mutants {
				subsumes[m] = quotient(float64(more), float64(infected-1))
				subsumed[m] = quotient(float64(fewer), float64(infected-1))
			}
		}
	}
	return subsumes, subsumed
}

// infectBreadths is, by test, the share of the mutants that it infects.
func (o *observed) infectBreadths() []float64 {
	out := make([]float64, o.tests)
	for m := range o.places {
		for test := range o.infecting[m].All() {
			out[test]++
		}
	}
	for test := range out {
		out[test] /= float64(len(o.places))
	}
	return out
}
