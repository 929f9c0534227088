package schemata

import (
	"maps"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// What a local variable holds before it is assigned depends on the build, and
// to an optimiser it is whatever suits. So the probing build looks at such a
// variable only where it has a value: known beforehand (assignments) or noted in
// a flag beside the variable while the program runs. A variable whose address is
// handed to a call, or taken in any other way, counts as assigned there. Arrays
// and structures are never looked at.

// isReadable reports an address that holds a scalar of a type for certain.
func isReadable(address value.Value, t types.Type) bool {
	switch t.(type) {
	case *types.IntType, *types.FloatType, *types.PointerType:
	default:
		return false
	}
	switch a := address.(type) {
	case *llir.InstAlloca:
		return a.NElems == nil && a.ElemType.Equal(t)
	case *llir.Global:
		return a.ContentType.Equal(t) && a.Linkage != enum.LinkageExternWeak
	}
	return false
}

// assigns returns the local variables to which an instruction may give a value.
func assigns(inst llir.Instruction) []*llir.InstAlloca {
	var out []*llir.InstAlloca
	if isMarker(inst) {
		return nil
	}
	if _, ok := inst.(*llir.InstLoad); ok {
		return nil
	}
	for _, slot := range inst.Operands() {
		if a, ok := ir.Unwrap(*slot).(*llir.InstAlloca); ok && isReadable(a, a.ElemType) {
			out = append(out, a)
		}
	}
	return out
}

type slots map[*llir.InstAlloca]bool

// assignments returns the variables that have a value at the start of each block
// on all ways to it; blocks that are not reached have no entry.
func assignments(f *llir.Func) map[*llir.Block]slots {
	at := map[*llir.Block]slots{f.Blocks[0]: {}}
	for todo := []*llir.Block{f.Blocks[0]}; len(todo) > 0; {
		b := todo[0]
		todo = todo[1:]
		out := maps.Clone(at[b])
		for _, inst := range b.Insts {
			for _, a := range assigns(inst) {
				out[a] = true
			}
		}
		for _, next := range b.Term.Succs() {
			before, seen := at[next]
			if !seen {
				at[next] = maps.Clone(out)
				todo = append(todo, next)
				continue
			}
			n := len(before)
			maps.DeleteFunc(before, func(a *llir.InstAlloca, _ bool) bool { return !out[a] })
			if len(before) != n {
				todo = append(todo, next)
			}
		}
	}
	return at
}

// flagOf is the flag beside a variable, which is set when it gets a value.
func (p *prober) flagOf(slot *llir.InstAlloca) *llir.InstAlloca {
	flag := p.flags[slot]
	if flag == nil {
		flag = llir.NewAlloca(types.I1)
		flag.SetName("winnow.assigned." + slot.Name())
		p.flags[slot] = flag
		p.flagOrder = append(p.flagOrder, flag)
	}
	return flag
}
