package operator

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// splitsTail reports an edit of a call that must be the last thing that its
// function does (`__attribute__((musttail)) return f(x);`), or of the return after
// it. Nothing may stand between the two, so that such a call cannot be one of
// several alternatives. Its arguments may.
func splitsTail(edit mutant.Edit, b *llir.Block) bool {
	switch edit := edit.(type) {
	case mutant.Rewrite:
		return slices.ContainsFunc(edit.Insts, isMustTail)
	case mutant.Redirect:
		return slices.ContainsFunc(b.Insts, isMustTail)
	}
	return false
}

func isMustTail(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	return ok && !ir.IsDebug(inst) && call.Tail == enum.TailMustTail
}
