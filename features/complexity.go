package features

var complexity = Family{
	Name: "complexity",
	Doc:  "How much there is to mutate in the statement.",
	Columns: []Column{
		{Name: "complexity", Unit: "mutants", Source: "FaRM 1", Doc: "mutants on the mutant's statement"},
	},
	PerSite: func(s *site, row []float64) { row[0] = float64(s.statement.mutants) },
}
