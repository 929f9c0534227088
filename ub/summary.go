package ub

import (
	"sync"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// summaries say what the functions of a module do whenever they are called, each found when it
// is first asked for. A function that calls itself, over others too, does nothing for sure.
type summaries struct {
	lowered *op.Module
	mu      sync.Mutex
	of      map[*llir.Func]*summary
}

// summary is what a function does on every call.
type summary struct {
	// uses are the parameters that it reads or writes memory through.
	uses map[int]bool
	// returns: it comes back.
	returns bool
	// block is the operand of its call that it returns a new block of memory of, as malloc
	// does; -1 for none.
	block int
}

var nothing = &summary{block: -1}

// ask is the summary of what a call calls; that of nothing where it is not known.
func (s *summaries) ask(o *op.Op) *summary {
	if s == nil || o.Code != op.Call || o.Callee == nil || len(o.Callee.Blocks) == 0 || o.Callee.Sig.Variadic {
		return nothing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(o.Callee)
}

func (s *summaries) find(f *llir.Func) *summary {
	if known, ok := s.of[f]; ok {
		return known
	}
	s.of[f] = nothing // while it is looked at
	s.of[f] = s.summarise(f)
	return s.of[f]
}

// longest bounds the operations of functions that are summarised.
const longest = 4000

func (s *summaries) summarise(f *llir.Func) *summary {
	ops := s.lowered.Function(f)
	if len(ops.Ops) > longest {
		return nothing
	}
	v := summariser{s: s, ops: ops, graph: cfg.New(f), out: &summary{uses: map[int]bool{}, block: -1}}
	v.flow = dataflow.Of(ops.Code, v.graph)
	v.straight()
	v.out.returns = v.comesBack()
	v.out.block = v.allocated()
	return v.out
}

// summariser looks at one function.
type summariser struct {
	s     *summaries
	ops   *op.Function
	graph *cfg.Graph
	flow  *dataflow.Flow
	out   *summary
}

// straight finds the parameters that are used before control can go two ways.
func (v *summariser) straight() {
	seen := map[int]bool{}
	for b := 0; !seen[b]; b = v.graph.Succs[b][0] {
		seen[b] = true
		for i := v.ops.Code.First[b]; i < v.ops.Code.First[b+1]; i++ {
			o := &v.ops.Ops[i]
			switch o.Code {
			case op.Load, op.Store:
				v.use(o.Args[0])
			case op.Call:
				inner := v.callee(o)
				for k := range inner.uses {
					if k+1 < len(o.Args) {
						v.use(o.Args[k+1])
					}
				}
				if !v.returnsFrom(o, inner) {
					return
				}
			}
		}
		if len(v.graph.Succs[b]) != 1 {
			return
		}
	}
}

// callee is the summary of a function that this one calls.
func (v *summariser) callee(o *op.Op) *summary {
	if o.Callee == nil || len(o.Callee.Blocks) == 0 || o.Callee.Sig.Variadic {
		return nothing
	}
	return v.s.find(o.Callee)
}

func (v *summariser) returnsFrom(o *op.Op, inner *summary) bool {
	return inner.returns || o.Library != nil && !o.Library.Has(libc.Ends) && o.Library.Arguments != ""
}

// use notes that memory is used through an address, if that is of a parameter.
func (v *summariser) use(a op.Operand) {
	for a.Kind == op.Item {
		o := &v.ops.Ops[a.X]
		switch {
		case o.Code == op.BitCast, o.Code == op.Address:
			a = o.Args[0]
			continue
		case o.Code == op.Load:
			if k := v.parameterIn(int(a.X)); k >= 0 {
				v.out.uses[k] = true
			}
		}
		return
	}
	if a.Kind == op.Param {
		v.out.uses[int(a.X)] = true
	}
}

// parameterIn is the parameter that an item loads from the slot which it was put in at the start
// and nothing wrote since; -1 for none.
func (v *summariser) parameterIn(load int) int {
	sources := v.flow.Sources(load).Items()
	if len(sources) != 1 {
		return -1
	}
	o := &v.ops.Ops[sources[0]]
	if p := v.ops.PlaceOf(v.ops.Ops[load].Args[0], nil); o.Code != op.Store || !p.Whole() || v.flow.Exposed(p.Object) || o.Args[1].Kind != op.Param {
		return -1
	}
	return int(o.Args[1].X)
}

// comesBack reports a function without loops that calls nothing that may not return.
func (v *summariser) comesBack() bool {
	for b, place := range order(v.graph) {
		for _, next := range v.graph.Succs[b] {
			if place >= 0 && order(v.graph)[next] <= place {
				return false
			}
		}
	}
	for i := range v.ops.Ops {
		o := &v.ops.Ops[i]
		if o.Code == op.Unreachable || o.Code == op.Call && !v.returnsFrom(o, v.callee(o)) {
			return false
		}
	}
	return true
}

// order are the places of blocks in reverse postorder; -1 of those that control does not come to.
func order(g *cfg.Graph) []int {
	out := make([]int, g.Len())
	for b := range out {
		out[b] = -1
	}
	for k, b := range g.ReversePostorder() {
		out[b] = k
	}
	return out
}

// allocated is the parameter whose bytes a function allocates that always returns a new block, or
// null: each way out returns the one call's result.
func (v *summariser) allocated() int {
	size := -1
	for i := range v.ops.Ops {
		o := &v.ops.Ops[i]
		if o.Code != op.Return || len(o.Args) == 0 {
			continue
		}
		k := v.blockOf(o.Args[0], 0)
		if k < 0 || size >= 0 && k != size {
			return -1
		}
		size = k
	}
	return size
}

// blockOf is the parameter that says how large the block is which an operand is the start of;
// -1 for others.
func (v *summariser) blockOf(a op.Operand, depth int) int {
	for a.Kind == op.Item && depth < 8 {
		o := &v.ops.Ops[a.X]
		depth++
		switch o.Code {
		case op.BitCast:
			a = o.Args[0]
		case op.Load:
			sources := v.flow.Sources(int(a.X)).Items()
			p := v.ops.PlaceOf(o.Args[0], nil)
			if len(sources) != 1 || !p.Whole() || v.flow.Exposed(p.Object) || v.ops.Ops[sources[0]].Code != op.Store {
				return -1
			}
			a = v.ops.Ops[sources[0]].Args[1]
		case op.Call:
			if called(o) != "malloc" || len(o.Args) != 2 || o.Args[1].Kind != op.Item {
				return -1
			}
			return v.parameterIn(int(o.Args[1].X))
		default:
			return -1
		}
	}
	return -1
}

// dereferences reports a call that uses memory through its argument k, from 0, whenever it is
// made: of the C library, where that reads or writes through it and takes no null, or of a
// function of the program.
func (s *summaries) dereferences(o *op.Op, k int) bool {
	return s.ask(o).uses[k] || o.Library != nil && o.Library.Arguments != "" && takesText(o, k)
}

// takesText reports an argument of the C library's functions on texts, which have to point to
// one (C11 7.1.4p1).
func takesText(o *op.Op, k int) bool {
	switch o.Library.Name {
	case "strlen", "strcmp", "strcpy", "strcat", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "atoi", "atol", "atoll", "atof":
		return o.Args[k+1].Type.Class == op.Pointer
	}
	return false
}
