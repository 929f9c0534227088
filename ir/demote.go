package ir

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"
)

// NameLocals gives every unnamed parameter, block and result of the function a
// name, so that instructions can be inserted without renumbering. Names are
// made fresh: they never meet one of the function's own.
func NameLocals(f *llir.Func) {
	used := map[string]bool{}
	var unnamed []interface{ SetName(string) }
	visit := func(v any) {
		n, ok := v.(interface {
			IsUnnamed() bool
			Name() string
			SetName(string)
		})
		if !ok {
			return
		}
		if n.IsUnnamed() {
			unnamed = append(unnamed, n)
		} else {
			used[n.Name()] = true
		}
	}
	for _, p := range f.Params {
		visit(p)
	}
	for _, b := range f.Blocks {
		visit(b)
		for _, inst := range b.Insts {
			visit(inst)
		}
	}
	next := 0
	for _, n := range unnamed {
		for used[fmt.Sprintf("r.%d", next)] {
			next++
		}
		n.SetName(fmt.Sprintf("r.%d", next))
		next++
	}
}

// DemotePhis replaces every phi of the function by a stack slot: a store at
// the end of each incoming block, before its terminator, and a load where the
// phi stood. Afterwards blocks can be split and edges added without mending
// phis (dissertation, section 8.1: preprocessing). It reports how many phis it
// replaced.
//
// At -O0 clang makes phis only for &&, || and ?:. In optimised input phis of
// one block may read each other; they are loaded together before any new
// store, so the parallel assignment that phis mean is kept. Calls of
// llvm.dbg.value, which name phis in places that no operand list shows, go.
func DemotePhis(f *llir.Func) int {
	d := demotion{uses: UsesOf(f), stores: map[*llir.Block][]llir.Instruction{}}
	for _, b := range f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, isDebugValue)
		for i, inst := range b.Insts {
			if phi, ok := inst.(*llir.InstPhi); ok {
				b.Insts[i] = d.demote(phi)
			}
		}
	}
	for _, b := range f.Blocks {
		b.Insts = append(b.Insts, d.stores[b]...)
	}
	entry := f.Blocks[0]
	entry.Insts = append(d.slots, entry.Insts...)
	return len(d.slots)
}

func isDebugValue(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*llir.Func)
	return ok && f.Name() == "llvm.dbg.value"
}

type demotion struct {
	uses   Uses
	slots  []llir.Instruction
	stores map[*llir.Block][]llir.Instruction // by incoming block
}

func (d *demotion) demote(phi *llir.InstPhi) *llir.InstLoad {
	slot := llir.NewAlloca(phi.Type())
	slot.SetName(fmt.Sprintf("phi.slot.%d", len(d.slots)))
	d.slots = append(d.slots, slot)
	done := map[*llir.Block]bool{}
	for _, incoming := range phi.Incs {
		pred, ok := incoming.Pred.(*llir.Block)
		if !ok || done[pred] {
			continue // a switch may reach a block by several cases, with one value
		}
		done[pred] = true
		store := llir.NewStore(incoming.X, slot)
		d.stores[pred] = append(d.stores[pred], store)
		d.uses.AddUser(store)
	}
	load := llir.NewLoad(phi.Type(), slot)
	load.SetName(fmt.Sprintf("phi.value.%d", len(d.slots)-1))
	load.Metadata = phi.Metadata
	d.uses.Replace(phi, load)
	return load
}

// Uses maps each value of a function to the operand slots that hold it.
type Uses map[value.Value][]*value.Value

// UsesOf collects the uses of a function's values.
func UsesOf(f *llir.Func) Uses {
	uses := Uses{}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			uses.AddUser(inst)
		}
		uses.AddUser(b.Term)
	}
	return uses
}

// AddUser records the operands of an instruction or terminator.
func (u Uses) AddUser(user any) {
	operands, ok := user.(value.User)
	if !ok {
		return
	}
	for _, slot := range operands.Operands() {
		if arg, ok := (*slot).(*llir.Arg); ok {
			slot = &arg.Value
		}
		u[*slot] = append(u[*slot], slot)
	}
}

// Replace makes every recorded use of old a use of new.
func (u Uses) Replace(old, new value.Value) {
	for _, slot := range u[old] {
		*slot = new
	}
	u[new] = append(u[new], u[old]...)
	delete(u, old)
}
