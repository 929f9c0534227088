package schemata

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
)

// keepDefined makes a mutant that leaves out a store to a local variable keep
// what the variable held. Where that was nothing yet, the optimiser takes it for
// undefined, and the mutant finds in it what a register happens to hold: the
// address of the counter of work, for one, through which it then never ran out.
// A frozen value is arbitrary but always the same, and a mutant whose variable
// held something is as before.
func keepDefined(replaced, code []llir.Instruction, prefix string) []llir.Instruction {
	stays := map[*llir.InstAlloca]bool{}
	for _, inst := range code {
		if slot := localOf(inst); slot != nil {
			stays[slot] = true
		}
	}
	var out []llir.Instruction
	for _, inst := range replaced {
		slot := localOf(inst)
		if slot == nil || stays[slot] {
			continue
		}
		stays[slot] = true
		old := llir.NewLoad(inst.(*llir.InstStore).Src.Type(), slot)
		old.SetName(fmt.Sprintf("%s.old.%d", prefix, len(out)))
		frozen := llir.NewInstFreeze(old)
		frozen.SetName(fmt.Sprintf("%s.frozen.%d", prefix, len(out)))
		out = append(out, old, frozen, llir.NewStore(frozen, slot))
	}
	return append(out, code...)
}

// localOf returns the local variable that an instruction assigns, or nil.
func localOf(inst llir.Instruction) *llir.InstAlloca {
	store, ok := inst.(*llir.InstStore)
	if !ok || store.Volatile {
		return nil
	}
	slot, _ := store.Dst.(*llir.InstAlloca)
	if slot == nil || slot.NElems != nil || !slot.ElemType.Equal(store.Src.Type()) {
		return nil
	}
	return slot
}
