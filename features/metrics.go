package features

import (
	"math"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

var metrics = Family{
	Name: "metrics",
	Doc:  "Measures of the function's complexity, as defect prediction uses them. Those of C text are missing where there is no C source.",
	Columns: []Column{
		{Name: "cyclomatic", Unit: "paths", Source: "own", Doc: "McCabe's cyclomatic complexity of the function: edges - blocks + 2"},
		{Name: "fan_out", Unit: "functions", Source: "own", Doc: "different functions that the function calls"},
		{Name: "fan_in", Unit: "calls", Source: "own", Layout: true, Doc: "calls of the function in the module"},
		{Name: "call_sites", Unit: "calls", Source: "own", Doc: "calls in the function"},
		{Name: "recursive", Source: "own", Doc: "the function calls itself"},
		{Name: "globals_used", Unit: "variables", Source: "own", Doc: "different global variables that the function names"},
		{Name: "stack_slots", Unit: "variables", Source: "own", Doc: "stack slots of the function"},
		{Name: "halstead_length", Unit: "log2 tokens", Source: "own", Doc: "Halstead's length of the function's expressions, as log2(1 + N)"},
		{Name: "halstead_vocabulary", Unit: "log2 tokens", Source: "own", Doc: "Halstead's vocabulary, as log2(1 + n)"},
		{Name: "halstead_volume", Unit: "log2 bits", Source: "own", Doc: "Halstead's volume N log2 n, as log2(1 + V)"},
		{Name: "halstead_difficulty", Source: "own", Unit: "ratio", Doc: "Halstead's difficulty: half the different operators times the operands per different operand"},
	},
	PerSite: func(s *site, row []float64) {
		copy(row, s.fn.measured(s.p))
		for k := range 4 {
			row[7+k] = math.NaN()
		}
		if h := s.sourceFunction(); h != nil {
			copy(row[7:], h.halstead[:])
		}
	},
}

// measured are the first columns, which IR tells.
func (f *function) measured(p *program) []float64 {
	if f.metrics != nil {
		return f.metrics
	}
	edges := 0
	for b := range f.graph.Len() {
		edges += len(f.graph.Succs[b])
	}
	callees, globals := map[value.Value]bool{}, map[value.Value]bool{}
	row := make([]float64, 7)
	row[0] = float64(edges - f.graph.Len() + 2)
	for i, item := range f.code.Items {
		switch inst := item.Inst.(type) {
		case *llir.InstCall:
			if !ir.IsDebug(inst) {
				row[3]++
				callees[inst.Callee] = true
				row[4] = max(row[4], boolean(inst.Callee == value.Value(f.code.Func)))
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
	row[1], row[2], row[5] = float64(len(callees)), float64(p.calls[f.code.Func]), float64(len(globals))
	f.metrics = row
	return row
}

// countCalls counts the direct calls of each function of a module.
func countCalls(m *llir.Module) map[*llir.Func]int {
	out := map[*llir.Func]int{}
	for _, f := range m.Funcs {
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
}

// sourceFunction is what is kept of a function's C text.
type sourceFunction struct {
	halstead [4]float64
	shape    [6]float64 // the last columns of family syntax
}

func (s *site) sourceFunction() *sourceFunction {
	_, st := s.sourceOf()
	if st == nil || st.Function == nil {
		return nil
	}
	f, ok := s.p.described[st.Function]
	if !ok {
		f = describeFunction(st.Function)
		s.p.described[st.Function] = f
	}
	return f
}

func describeFunction(function *csource.Function) *sourceFunction {
	f := &sourceFunction{}
	operators, operands := map[string]int{}, map[string]int{}
	function.Body.Walk(func(st *csource.Stmt) bool {
		f.shape[0]++
		f.shape[2] += boolean(st.Kind.IsLoop())
		f.shape[3] += boolean(st.Kind == csource.If)
		f.shape[4] += boolean(st.Kind == csource.Return)
		f.shape[5] = max(f.shape[5], float64(st.Depth))
		if st.Kind != csource.ExprStmt && st.Kind != csource.Block {
			operators[st.Kind.String()]++
		}
		for _, e := range st.Exprs {
			e.Walk(func(x *csource.Expr) bool {
				f.shape[1]++
				switch {
				case x.Kind == csource.Identifier:
					operands[x.Name]++
				case x.Kind.IsLiteral():
					operands[x.Text()]++
				case x.Op != "":
					operators[x.Op]++
				default:
					operators[x.Kind.String()]++
				}
				return true
			})
		}
		return true
	})
	total := func(counts map[string]int) (n float64) {
		for _, c := range counts {
			n += float64(c)
		}
		return n
	}
	length, vocabulary := total(operators)+total(operands), float64(len(operators)+len(operands))
	f.halstead = [4]float64{math.Log2(1 + length), math.Log2(1 + vocabulary), 0, 0}
	if vocabulary > 0 {
		f.halstead[2] = math.Log2(1 + length*math.Log2(vocabulary))
	}
	if len(operands) > 0 {
		f.halstead[3] = float64(len(operators)) / 2 * total(operands) / float64(len(operands))
	}
	return f
}
