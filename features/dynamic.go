package features

var dynamic = Family{
	Name: "dynamic",
	Doc:  "What a run of the original program on the tests tells: no mutant is run. Only in tables that ask for it.",
	Columns: []Column{
		{Name: "reach_tests", Unit: "tests", Source: "own", Beyond: Tests, Doc: "tests that execute the mutant's site"},
		{Name: "reach_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute the mutant's site"},
		{Name: "infect_tests", Unit: "tests", Source: "own", Beyond: Tests, Doc: "tests on which the mutant's value would differ at its site"},
		{Name: "infect_tests_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests on which the mutant's value would differ at its site"},
		{Name: "infect_reach_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute the site on which the mutant's value would differ; missing when none executes it"},
		{Name: "executions", Unit: "log2", Source: "own", Beyond: Tests, Doc: "how often the tests execute the site, as log2(1 + x)"},
		{Name: "infections", Unit: "log2", Source: "own", Beyond: Tests, Doc: "how often the mutant's value would differ, as log2(1 + x)"},
		{Name: "infection_rate", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the site's executions in which the mutant's value would differ; missing when there are none"},
	},
	FromTests: func(o *observed, row func(m int) []float64) {
		tests := float64(o.tests)
		for m := range o.places {
			r, s := row(m), o.sites[o.siteOf[m]]
			reach, infect := float64(s.tests.Count()), float64(o.infecting[m].Count())
			r[0], r[1] = reach, quotient(reach, tests)
			r[2], r[3], r[4] = infect, quotient(infect, tests), quotient(infect, reach)
			r[5], r[6] = often(s.executions), often(o.infections[m])
			r[7] = quotient(float64(o.infections[m]), float64(s.executions))
		}
	},
}
