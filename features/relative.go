package features

import "slices"

var relative = Family{
	Name: "relative",
	Doc:  "Where the mutant lies among the others of its line, function and module.",
	Columns: []Column{
		{Name: "line_rank", Unit: "lines", Source: "own", Beyond: Lines, Doc: "lines with mutants before the mutant's in the function"},
		{Name: "line_share", Unit: "share", Source: "own", Beyond: Lines, Doc: "share of the function's lines with mutants that come before the mutant's"},
		{Name: "line_mutants", Unit: "mutants", Source: "own", Beyond: Lines, Doc: "mutants on the mutant's line"},
		{Name: "line_mutants_share", Unit: "share", Source: "own", Beyond: Lines, Doc: "share of the function's mutants that are on the mutant's line"},
		{Name: "line_same_operator_share", Unit: "share", Source: "own", Beyond: Lines, Doc: "share of the line's mutants made by the same operator"},
		{Name: "function_rank", Unit: "functions", Source: "own", Beyond: Order | Others, Doc: "functions with mutants before the mutant's in the module"},
		{Name: "function_share", Unit: "share", Source: "own", Beyond: Order | Others, Doc: "share of the module's functions with mutants that come before the mutant's"},
		{Name: "function_mutants_share", Unit: "share", Source: "own", Beyond: Others, Doc: "share of the module's mutants that are in the mutant's function"},
		{Name: "statement_rank", Unit: "statements", Source: "own", Doc: "statements with mutants before the mutant's in the function"},
		{Name: "statement_share", Unit: "share", Source: "own", Doc: "share of the function's statements with mutants that come before the mutant's"},
		{Name: "statement_mutants_share", Unit: "share", Source: "own", Doc: "share of the function's mutants that are on the mutant's statement"},
		{Name: "function_same_operator_share", Unit: "share", Source: "own", Doc: "share of the function's mutants made by the same operator"},
		{Name: "function_instructions", Unit: "instructions", Source: "own", Doc: "size of the function"},
		{Name: "function_blocks", Unit: "blocks", Source: "own", Doc: "blocks of the function"},
		{Name: "function_loops", Unit: "loops", Source: "own", Doc: "loops of the function"},
		{Name: "function_mutants", Unit: "mutants", Source: "own", Doc: "mutants of the function"},
		{Name: "function_parameters", Unit: "parameters", Source: "own", Doc: "parameters of the function"},
	},
	Requires: []Requirement{loopNest},
	PerSite: func(s *site, row []float64) {
		f, p := s.fn, s.owner()
		row[5] = float64(f.rank)
		row[6] = share(f.rank, len(p.functions))
		row[7] = share(len(f.mutants), len(p.mutants))
		row[8] = float64(s.statement.rank)
		row[9] = share(s.statement.rank, len(f.statements))
		row[10] = share(s.statement.mutants, len(f.mutants))
		row[12] = float64(f.size)
		row[13] = float64(graph.of(f).Len())
		row[14] = float64(len(loopNest.of(f).Loops))
		row[15] = float64(len(f.mutants))
		row[16] = float64(len(f.code.Func.Params))
	},
	PerMutant: func(m *mutation, row []float64) {
		f := m.site.fn
		row[11] = share(f.operator[m.Operator], len(f.mutants))
		if m.Line <= 0 {
			missing(row[:5])
			return
		}
		rank, _ := slices.BinarySearch(f.lines, m.Line)
		on := f.onLine[place{m.File, m.Line}]
		row[0] = float64(rank)
		row[1] = share(rank, len(f.lines))
		row[2] = float64(on.mutants)
		row[3] = share(on.mutants, len(f.mutants))
		row[4] = share(on.operator[m.Operator], on.mutants)
	},
}
