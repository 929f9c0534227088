package features

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

var metrics = Family{
	Name: "metrics",
	Doc:  "Measures of the function's complexity, as defect prediction uses them. Those of C text are missing where there is no C source.",
	Columns: []Column{
		{Name: "cyclomatic", Unit: "paths", Source: "own", Doc: "McCabe's cyclomatic complexity of the function: edges - blocks + 2"},
		{Name: "fan_out", Unit: "functions", Source: "own", Doc: "different functions that the function calls"},
		{Name: "fan_in", Unit: "calls", Source: "own", Beyond: Calls, Doc: "calls of the function in the module"},
		{Name: "call_sites", Unit: "calls", Source: "own", Doc: "calls in the function"},
		{Name: "recursive", Source: "own", Doc: "the function calls itself"},
		{Name: "globals_used", Unit: "variables", Source: "own", Doc: "different global variables that the function names"},
		{Name: "stack_slots", Unit: "variables", Source: "own", Doc: "stack slots of the function"},
		{Name: "halstead_length", Unit: "log2 tokens", Source: "own", Doc: "Halstead's length of the function's expressions, as log2(1 + N)"},
		{Name: "halstead_vocabulary", Unit: "log2 tokens", Source: "own", Doc: "Halstead's vocabulary, as log2(1 + n)"},
		{Name: "halstead_volume", Unit: "log2 bits", Source: "own", Doc: "Halstead's volume N log2 n, as log2(1 + V)"},
		{Name: "halstead_difficulty", Source: "own", Unit: "ratio", Doc: "Halstead's difficulty: half the different operators times the operands per different operand"},
	},
	Requires: []Requirement{codeMeasures, sourceFunction},
	PerSite: func(s *site, row []float64) {
		copy(row, codeMeasures.of(s.fn))
		missing(row[7:])
		if h := sourceFunction.of(s); h != nil {
			copy(row[7:], h.halstead[:])
		}
	},
}

// codeMeasures are the first columns, which IR tells.
var codeMeasures = &analysis[*function, []float64]{
	name: "measures of the code", requires: []Requirement{graph, callCounts},
	find: func(f *function) []float64 {
		g, edges := graph.of(f), 0
		for b := range g.Len() {
			edges += len(g.Succs[b])
		}
		callees, globals := map[value.Value]bool{}, map[value.Value]bool{}
		row := make([]float64, 7)
		row[0] = float64(edges - g.Len() + 2)
		for i, item := range f.code.Items {
			switch inst := item.Inst.(type) {
			case *llir.InstCall:
				if !ir.IsDebug(inst) {
					row[3]++
					callees[inst.Callee] = true
					row[4] = max(row[4], truth(inst.Callee == value.Value(f.code.Func)))
				}
			case *llir.InstAlloca:
				row[6]++
			}
			for _, v := range f.code.Operands[i] {
				if g, ok := v.(*llir.Global); ok && !g.Immutable {
					globals[g] = true
				}
			}
		}
		row[1], row[2], row[5] = float64(len(callees)), float64(callCounts.of(f.p)[f.code.Func]), float64(len(globals))
		return row
	},
}

// callCounts are the direct calls of each function of a module.
var callCounts = &analysis[*program, map[*llir.Func]int]{
	name: "calls of each function",
	find: func(p *program) map[*llir.Func]int {
		out := map[*llir.Func]int{}
		for _, f := range p.module.LLVM.Funcs {
			for _, b := range f.Blocks {
				for _, inst := range b.Insts {
					if call, ok := inst.(*llir.InstCall); ok {
						if callee, ok := call.Callee.(*llir.Func); ok {
							out[callee]++
						}
					}
				}
			}
		}
		return out
	},
}
