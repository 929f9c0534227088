package features

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

var spectrum = Family{
	Name: "spectrum",
	Doc: "How the tests that execute the mutant's site stand among those of the other sites that have mutants, from a run of the original program on the tests. " +
		"All are missing where that is not known of all mutants.",
	Columns: []Column{
		{Name: "statement_tests_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute a site of the mutant's statement"},
		{Name: "line_tests_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute a site on the mutant's line; missing where the line is not known"},
		{Name: "line_tests_rank", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the program's other lines with mutants that fewer tests execute, lines with as many counted half"},
		{Name: "function_tests_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute a site of the mutant's function"},
		{Name: "executions_relative", Unit: "share", Source: "own", Beyond: Tests, Doc: "log2(1 + x) of the site's executions, by that of the program's most executed site; missing when none is executed"},
		{Name: "statement_executions_relative", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the most executed site of the mutant's statement"},
		{Name: "line_executions_relative", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the most executed site on the mutant's line"},
		{Name: "function_executions_relative", Unit: "share", Source: "own", Beyond: Tests, Doc: "the site's executions by those of its function's most executed site, each as log2(1 + x); missing when none is executed"},
		{Name: "executions_per_test", Unit: "log2", Source: "own", Beyond: Tests, Doc: "mean executions of the site in a test that executes it, as log2(1 + x); missing when none does"},
		{Name: "executions_entropy", Unit: "share", Source: "own", Beyond: Tests, Doc: "how evenly the executions are spread over the tests that execute the site: their entropy by its greatest value; missing for fewer than two tests"},
		{Name: "reach_entropy", Unit: "bits", Source: "own", Beyond: Tests, Doc: "entropy of whether a test executes the site: 1 for half of the tests, 0 for none or all"},
		{Name: "same_tests_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the program's other sites that exactly the same tests execute; missing for a site that is alone"},
		{Name: "same_tests_function_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the function's other sites"},
		{Name: "reach_rank_function", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the function's other sites that fewer tests execute, sites with as many counted half"},
		{Name: "reach_rank_program", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the program's other sites"},
		{Name: "executions_rank_function", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the function's other sites that are executed less often, sites as often counted half"},
		{Name: "executions_rank_program", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the program's other sites"},
		{Name: "test_breadth", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the program's sites that a test which executes this one executes, on average; missing when none does"},
		{Name: "test_breadth_least", Unit: "share", Source: "own", Beyond: Tests, Doc: "the least such share"},
	},
	FromTests: (*observed).fillSpectrum,
}

// gathered is what the sites of a statement, line or function have in common.
type gathered struct {
	tests      matrix.Bits
	executions int64 // the most of a site
	sites      []int
}

// gather joins the sites that have a mutant in each group. A site may be on two
// lines; of returns the group of a mutant.
func gather[K comparable](o *observed, of func(p *Place) K) map[K]*gathered {
	out := map[K]*gathered{}
	for k, s := range o.sites {
		for _, m := range s.mutants {
			key := of(&o.places[m])
			g := out[key]
			if g == nil {
				g = &gathered{tests: matrix.NewBits(o.tests)}
				out[key] = g
			}
			if n := len(g.sites); n > 0 && g.sites[n-1] == k {
				continue
			}
			g.sites = append(g.sites, k)
			g.tests.Or(s.tests)
			g.executions = max(g.executions, s.executions)
		}
	}
	return out
}

type fileLine struct {
	file, function string
	line           int
}

type fileFunction struct{ file, function string }

func lineOf(p *Place) fileLine         { return fileLine{p.File, p.Function, p.Line} }
func functionOf(p *Place) fileFunction { return fileFunction{p.File, p.Function} }

// fillSpectrum writes the columns of the family into each mutant's row.
func (o *observed) fillSpectrum(row func(m int) []float64) {
	statements := gather(o, func(p *Place) int { return p.Statement })
	lines := gather(o, lineOf)
	functions := gather(o, functionOf)
	program := &gathered{}
	for k, s := range o.sites {
		program.sites = append(program.sites, k)
		program.executions = max(program.executions, s.executions)
	}
	inProgram := o.compareSites(program)
	inFunction := map[fileFunction]*comparedSites{}
	for at, g := range functions {
		inFunction[at] = o.compareSites(g)
	}
	lineRanks := rankLines(lines)
	breadth := o.breadths()
	tests := float64(o.tests)
	for k, s := range o.sites {
		most, least := o.breadthOf(s, breadth)
		for _, m := range s.mutants {
			p, r := &o.places[m], row(m)
			statement, line, function := statements[p.Statement], lines[lineOf(p)], functions[functionOf(p)]
			r[0] = quotient(float64(statement.tests.Count()), tests)
			r[1], r[2], r[6] = math.NaN(), math.NaN(), math.NaN()
			if p.Line > 0 {
				r[1] = quotient(float64(line.tests.Count()), tests)
				r[2] = lineRanks[lineOf(p)]
				r[6] = quotient(often(line.executions), often(program.executions))
			}
			r[3] = quotient(float64(function.tests.Count()), tests)
			r[4] = quotient(often(s.executions), often(program.executions))
			r[5] = quotient(often(statement.executions), often(program.executions))
			r[7] = quotient(often(s.executions), often(function.executions))
			reach := float64(s.tests.Count())
			r[8] = math.Log2(1 + quotient(float64(s.executions), reach))
			r[9] = s.evenness()
			r[10] = binaryEntropy(quotient(reach, tests))
			near := inFunction[functionOf(p)]
			r[11], r[12] = inProgram.same[k], near.same[k]
			r[13], r[14] = near.reach[k], inProgram.reach[k]
			r[15], r[16] = near.executions[k], inProgram.executions[k]
			r[17], r[18] = most, least
		}
	}
}

// rankLines ranks the known lines by the tests that execute them.
func rankLines(lines map[fileLine]*gathered) map[fileLine]float64 {
	var known []fileLine
	var tests []float64
	for at, g := range lines {
		if at.line > 0 {
			known = append(known, at)
			tests = append(tests, float64(g.tests.Count()))
		}
	}
	out := map[fileLine]float64{}
	for i, r := range ranks(tests) {
		out[known[i]] = r
	}
	return out
}

// comparedSites says how a site stands in a group of sites, by site.
type comparedSites struct{ same, reach, executions map[int]float64 }

func (o *observed) compareSites(g *gathered) *comparedSites {
	out := &comparedSites{map[int]float64{}, map[int]float64{}, map[int]float64{}}
	alike := map[string]int{}
	var reach, executions []float64
	for _, k := range g.sites {
		alike[o.sites[k].tests.Key()]++
		reach = append(reach, float64(o.sites[k].tests.Count()))
		executions = append(executions, float64(o.sites[k].executions))
	}
	reach, executions = ranks(reach), ranks(executions)
	for i, k := range g.sites {
		out.same[k] = quotient(float64(alike[o.sites[k].tests.Key()]-1), float64(len(g.sites)-1))
		out.reach[k], out.executions[k] = reach[i], executions[i]
	}
	return out
}

// evenness is the entropy of a test drawn by the site's executions, by that of
// as many tests with one execution each.
func (s *observedSite) evenness() float64 {
	if len(s.perTest) < 2 || s.executions == 0 {
		return math.NaN()
	}
	counts := make([]int64, 0, len(s.perTest))
	for _, n := range s.perTest {
		counts = append(counts, n)
	}
	slices.Sort(counts) // sums of floating-point numbers depend on their order
	h := 0.
	for _, n := range counts {
		if p := float64(n) / float64(s.executions); p > 0 {
			h -= p * math.Log2(p)
		}
	}
	return h / math.Log2(float64(len(counts)))
}

// breadths is, by test, the share of the sites that it executes.
func (o *observed) breadths() []float64 {
	out := make([]float64, o.tests)
	for _, s := range o.sites {
		for test := range s.tests.All() {
			out[test]++
		}
	}
	for test := range out {
		out[test] /= float64(len(o.sites))
	}
	return out
}

// breadthOf is the mean and the least breadth of the tests that execute a site.
func (o *observed) breadthOf(s *observedSite, breadths []float64) (mean, least float64) {
	if s.tests.Empty() {
		return math.NaN(), math.NaN()
	}
	least = math.Inf(1)
	for test := range s.tests.All() {
		mean += breadths[test]
		least = min(least, breadths[test])
	}
	return mean / float64(s.tests.Count()), least
}
