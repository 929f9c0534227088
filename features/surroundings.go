package features

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/block"
	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/ir"
)

var surroundings = Family{
	Name: "surroundings",
	Doc:  "What the statement around the mutant does, and where the mutated value goes and comes from within it.",
	Columns: []Column{
		{Name: "is_condition", Source: "own", Doc: "the mutated expression is the condition of a branch"},
		{Name: "is_loop_condition", Source: "own", Doc: "the mutated expression is the condition of a loop"},
		{Name: "reaches_condition", Source: "own", Doc: "within the statement the value reaches the condition of a branch"},
		{Name: "reaches_index", Source: "own", Doc: "within the statement the value reaches an index or a pointer computation"},
		{Name: "reaches_argument", Source: "own", Doc: "within the statement the value reaches an argument of a call"},
		{Name: "reaches_return", Source: "own", Doc: "within the statement the value reaches the function's result"},
		{Name: "reaches_store", Source: "own", Doc: "within the statement the value reaches an assignment"},
		{Name: "uses_parameter", Source: "own", Doc: "the mutated expression uses a parameter of the function"},
		{Name: "uses_global", Source: "own", Doc: "the mutated expression uses a global variable"},
		{Name: "statement_stores", Unit: "instructions", Source: "own", Doc: "stores to memory in the statement"},
		{Name: "statement_calls", Unit: "instructions", Source: "own", Doc: "calls in the statement"},
		{Name: "statement_outputs", Source: "own", Doc: "the statement calls a function of the C library that writes to a stream"},
		{Name: "statement_returns", Source: "own", Doc: "the statement returns, or sets the function's result"},
		{Name: "statement_size", Unit: "instructions", Source: "own", Doc: "instructions in the statement"},
		{Name: "site_size", Unit: "instructions", Source: "own", Doc: "instructions that the mutant replaces"},
	},
	Requires: []Requirement{relations, blockKinds, slots, itemSet},
	PerSite: func(s *site, row []float64) {
		f := s.fn
		if relations.of(f).isCondition(s.nodes) {
			row[0] = 1
			if blockKinds.of(f)[s.block] == block.LoopCondition {
				row[1] = 1
			}
		}
		f.markReached(s, row[2:7])
		f.markUsed(s, row[7:9])
		f.describeStatement(s, row[9:14])
		row[14] = float64(len(s.items))
	},
}

// markReached follows the value to all its users in the statement.
func (f *function) markReached(s *site, row []float64) {
	var todo []int
	for _, n := range s.nodes {
		todo = append(todo, f.forest.Nodes[n].Items...)
	}
	for _, i := range s.items {
		switch f.code.Items[i].Node().(type) {
		case *llir.InstStore, *llir.TermCondBr, *llir.TermSwitch, *llir.TermRet:
			f.markUse(i, row) // mutated as a whole, with its operands
		}
	}
	seen := itemSet.of(f)
	seen.reset()
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen.add(i) {
			continue
		}
		for _, u := range f.code.Users[i] {
			if f.run[u] == f.run[i] {
				f.markUse(u, row)
				todo = append(todo, u)
			}
		}
	}
}

func (f *function) markUse(user int, row []float64) {
	switch u := f.code.Items[user].Node().(type) {
	case *llir.TermCondBr, *llir.TermSwitch:
		row[0] = 1
	case *llir.InstGetElementPtr:
		row[1] = 1
	case *llir.InstCall:
		row[2] = 1
	case *llir.TermRet:
		row[3] = 1
	case *llir.InstStore:
		row[4] = 1
		if slots.of(f).returned[u.Dst] {
			row[3] = 1
		}
	}
}

// markUsed follows the operands back to parameters and globals.
func (f *function) markUsed(s *site, row []float64) {
	todo := slices.Clone(s.items)
	for _, n := range s.nodes {
		todo = append(todo, f.forest.Nodes[n].Items...)
	}
	seen, parameters := itemSet.of(f), slots.of(f).fromParameter
	seen.reset()
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if isSlot(f.code.Items[i].Node()) || !seen.add(i) {
			continue
		}
		for _, v := range f.code.Operands[i] {
			switch v := v.(type) {
			case *llir.Param:
				row[0] = 1
			case *llir.Global:
				if !v.Immutable {
					row[1] = 1
				}
			case *llir.InstAlloca:
				if parameters[v] {
					row[0] = 1
				}
			}
		}
		todo = append(todo, f.code.Uses[i]...)
	}
}

func (f *function) describeStatement(s *site, row []float64) {
	first := s.items[0]
	from, to := first, first
	for from > f.code.First[s.block] && f.run[from-1] == f.run[first] {
		from--
	}
	for to < f.code.First[s.block+1] && f.run[to] == f.run[first] {
		to++
	}
	for i := from; i < to; i++ {
		row[4]++
		switch inst := f.code.Items[i].Node().(type) {
		case *llir.InstStore:
			row[0]++
			if slots.of(f).returned[inst.Dst] {
				row[3] = 1
			}
		case *llir.InstCall:
			if !ir.IsDebug(inst) {
				row[1]++
				row[2] = max(row[2], isOutput(inst.Callee))
			}
		case *llir.TermRet:
			row[3] = 1
		}
	}
}

func isOutput(callee value.Value) float64 {
	if libc.Named(callee).Has(libc.Output) {
		return 1
	}
	return 0
}
