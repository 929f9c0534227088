package features

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/mutant"
)

var relative = Family{
	Name: "relative",
	Doc:  "Where the mutant lies among the others of its line, function and module.",
	Columns: []Column{
		{Name: "line_rank", Unit: "lines", Source: "own", Layout: true, Doc: "lines with mutants before the mutant's in the function"},
		{Name: "line_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the function's lines with mutants that come before the mutant's"},
		{Name: "line_mutants", Unit: "mutants", Source: "own", Layout: true, Doc: "mutants on the mutant's line"},
		{Name: "line_mutants_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the function's mutants that are on the mutant's line"},
		{Name: "line_same_operator_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the line's mutants made by the same operator"},
		{Name: "function_rank", Unit: "functions", Source: "own", Layout: true, Doc: "functions with mutants before the mutant's in the module"},
		{Name: "function_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the module's functions with mutants that come before the mutant's"},
		{Name: "function_mutants_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the module's mutants that are in the mutant's function"},
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
	PerSite: func(s *site, row []float64) {
		f := s.fn
		row[5] = float64(f.rank)
		row[6] = share(f.rank, len(s.p.functions))
		row[7] = share(f.mutants, len(s.p.mutants))
		row[8] = float64(s.statement.rank)
		row[9] = share(s.statement.rank, len(f.statements))
		row[10] = share(s.statement.mutants, f.mutants)
		row[12] = float64(f.size)
		row[13] = float64(f.graph.Len())
		row[14] = float64(len(f.loops.Loops))
		row[15] = float64(f.mutants)
		row[16] = float64(len(f.code.Func.Params))
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		f := s.fn
		row[11] = share(f.operator[m.Operator], f.mutants)
		if m.Line <= 0 {
			for k := range row[:5] {
				row[k] = math.NaN()
			}
			return
		}
		rank, _ := slices.BinarySearch(f.lines, m.Line)
		on := s.p.lines[place{m.File, m.Line, m.Site.Func}]
		row[0] = float64(rank)
		row[1] = share(rank, len(f.lines))
		row[2] = float64(on.mutants)
		row[3] = share(on.mutants, f.mutants)
		row[4] = share(on.operator[m.Operator], on.mutants)
	},
}

func share(part, whole int) float64 { return float64(part) / float64(whole) }
