package ir

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// GiveFirstValues has variables of a function hold zero at first that may be read before anything is stored in them, and
// returns how many. C leaves open what they hold (C11 6.3.2.1p2), and an optimiser has the reader find what a register happens to
// hold: in a program with mutants that was the number of the mutant that runs, so that each of them printed something else where
// a function ended without a return. A variable whose address goes elsewhere lies in memory, and stays as it is.
func GiveFirstValues(f *llir.Func) int {
	if len(f.Blocks) == 0 {
		return 0
	}
	entry, found := f.Blocks[0], accessesOf(f)
	var insts []llir.Instruction
	count := 0
	for _, inst := range entry.Insts {
		insts = append(insts, inst)
		slot, is := inst.(*llir.InstAlloca)
		if is && slot.NElems == nil && isScalar(slot.ElemType) && !found.elsewhere[slot] && found.readsFirst(entry, slot) {
			insts = append(insts, llir.NewStore(constant.NewZeroInitializer(slot.ElemType), slot))
			count++
		}
	}
	entry.Insts = insts
	return count
}

func isScalar(t types.Type) bool {
	return types.IsInt(t) || types.IsFloat(t) || types.IsPointer(t)
}

// accesses are what a function does with its variables.
type accesses struct {
	// first says of each block whether the first that it does with a variable is to read it.
	first map[*llir.Block]map[value.Value]bool
	// elsewhere are those that it does anything else with than to load and store them.
	elsewhere map[value.Value]bool
}

func accessesOf(f *llir.Func) *accesses {
	out := &accesses{map[*llir.Block]map[value.Value]bool{}, map[value.Value]bool{}}
	for _, b := range f.Blocks {
		first := map[value.Value]bool{}
		out.first[b] = first
		note := func(slot value.Value, reads bool) {
			if _, is := slot.(*llir.InstAlloca); !is {
				return
			}
			if _, seen := first[slot]; !seen {
				first[slot] = reads
			}
		}
		for _, inst := range b.Insts {
			switch inst := inst.(type) {
			case *llir.InstLoad:
				note(inst.Src, true)
				out.elsewhere[inst.Src] = out.elsewhere[inst.Src] || inst.Volatile
			case *llir.InstStore:
				note(inst.Dst, false)
				out.elsewhere[inst.Dst] = out.elsewhere[inst.Dst] || inst.Volatile
				out.elsewhere[inst.Src] = true
			default:
				out.usedBy(inst)
			}
		}
		out.usedBy(b.Term)
	}
	return out
}

func (a *accesses) usedBy(user any) {
	uses := Uses{}
	uses.AddUser(user)
	for v := range uses {
		a.elsewhere[v] = true
	}
}

// readsFirst says that a way from a block leads to a read of a variable without a store before it.
func (a *accesses) readsFirst(from *llir.Block, slot value.Value) bool {
	seen := map[*llir.Block]bool{from: true}
	for next := []*llir.Block{from}; len(next) > 0; {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		if reads, accessed := a.first[b][slot]; accessed {
			if reads {
				return true
			}
			continue
		}
		for _, to := range b.Term.Succs() {
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	return false
}
