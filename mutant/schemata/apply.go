package schemata

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// Apply makes one mutant of a module without a selector, in place: the slow
// twin of Build, and what a per-mutant optimisation reads.
func Apply(m *ir.Module, one *mutant.Mutant) error {
	f, block := one.Site.Func, one.Site.Block
	ir.NameLocals(f)
	code := &mutant.Code{Prefix: fmt.Sprintf("m%d", one.Selector)}
	switch edit := one.Edit.(type) {
	case mutant.Redirect:
		term := edit.Emit(code)
		block.Insts = append(block.Insts, withTraps(m.LLVM, code.Insts, code.Prefix)...)
		block.Term = term
	case mutant.Rewrite:
		at := indexOf(block, edit.Insts[0])
		if at < 0 {
			return fmt.Errorf("mutant %s: its instruction is not in block %s", one.ID, block.Ident())
		}
		var result value.Value
		if edit.Emit != nil {
			result = edit.Emit(code)
		}
		tail := append([]llir.Instruction(nil), block.Insts[at+len(edit.Insts):]...)
		insts, result := withNull(m.LLVM, withTraps(m.LLVM, code.Insts, code.Prefix), result, code.Prefix)
		block.Insts = append(append(block.Insts[:at:at], insts...), tail...)
		replaced, isValue := edit.Replaced().(value.Value)
		if isValue && result != nil {
			substitute(f, map[value.Value]value.Value{replaced: result})
		}
	}
	return nil
}

func indexOf(b *llir.Block, inst llir.Instruction) int {
	for i, other := range b.Insts {
		if other == inst {
			return i
		}
	}
	return -1
}

// ApplyText is the text of the module with one mutant made. It leaves the module
// as it was, but for the names of values and what the mutant declares.
func ApplyText(m *ir.Module, one *mutant.Mutant) (string, error) {
	undo, globals := rememberFunction(one.Site.Func), m.LLVM.Globals
	defer func() {
		undo()
		m.LLVM.Globals = globals
	}()
	if err := Apply(m, one); err != nil {
		return "", err
	}
	return m.String(), nil
}

// rememberFunction returns what puts a function's code back as it is now, after
// schemata.Apply.
func rememberFunction(f *llir.Func) (undo func()) {
	type block struct {
		insts []llir.Instruction
		term  llir.Terminator
	}
	blocks := make([]block, len(f.Blocks))
	slots := map[*value.Value]value.Value{}
	remember := func(user value.User) {
		for _, slot := range user.Operands() {
			if arg, ok := (*slot).(*llir.Arg); ok {
				slots[&arg.Value] = arg.Value
			}
			slots[slot] = *slot
		}
	}
	for i, b := range f.Blocks {
		blocks[i] = block{b.Insts, b.Term}
		for _, inst := range b.Insts {
			remember(inst)
		}
		remember(b.Term)
	}
	return func() {
		for i, b := range f.Blocks {
			b.Insts, b.Term = blocks[i].insts, blocks[i].term
		}
		for slot, v := range slots {
			*slot = v
		}
	}
}
