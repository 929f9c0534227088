package operator

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// deletedJump goes on with what follows in the text. Where the source does not
// tell, Mart goes on with the next block.
func (p *Place) deletedJump(branch *llir.TermBr) []Proposal {
	if p.mart {
		next := p.nextBlock()
		if next == nil || any(next) == any(branch.Target) || !p.fn.flow.mayAdd(p.Block, next) {
			return nil
		}
		return []Proposal{{
			Matcher: "RETURN_BREAK_CONTINUE", Replacer: "DELSTMT", irOnly: true,
			Original: p.jumpText(), Replacement: face.Text{C: ";", Prec: face.Primary},
			Edit: mutant.Redirect{Term: branch, Emit: func(*mutant.Code) llir.Terminator { return llir.NewBr(next) }},
		}}
	}
	found, ok := p.Face.JumpOf(branch)
	if !ok {
		return nil
	}
	next := p.fn.blockAt(found.Precedes)
	if next == nil || any(next) == any(branch.Target) || !p.fn.flow.mayAdd(p.Block, next) || readsPhi(next) {
		return nil
	}
	return []Proposal{{
		Matcher: "RETURN_BREAK_CONTINUE", Replacer: "DELSTMT",
		Original: found.Text, Replacement: face.Text{C: ";", Prec: face.Primary},
		Edit: mutant.Redirect{Term: branch, Emit: func(*mutant.Code) llir.Terminator { return llir.NewBr(next) }},
	}}
}

// blockAt returns the block that begins with code at a place; nil where that
// code starts inside a block. clang lays blocks out in the order of the text.
func (fn *function) blockAt(belongs func(ir.Position) bool) *llir.Block {
	for _, b := range fn.f.Blocks {
		for i, inst := range append(append([]llir.Instruction(nil), b.Insts...), nil) {
			var at ir.Position
			switch {
			case inst == nil:
				at = ir.PositionOf(b.Term)
			case i < len(b.Insts) && !ir.IsDebug(inst):
				at = ir.PositionOf(inst)
			}
			if !at.Known() {
				continue
			}
			if belongs(at) {
				if isFirst(b, inst) {
					return b
				}
				return nil
			}
		}
	}
	return nil
}

// isFirst reports whether no code of the user's comes before an instruction
// (nil: the terminator) in its block.
func isFirst(b *llir.Block, inst llir.Instruction) bool {
	for _, other := range b.Insts {
		if other == inst {
			return true
		}
		if !ir.IsDebug(other) && ir.PositionOf(other).Known() {
			return false
		}
	}
	return true
}

// readsPhi reports a block where an expression is continued.
func readsPhi(b *llir.Block) bool {
	for _, inst := range b.Insts {
		if load, ok := inst.(*llir.InstLoad); ok {
			if slot, ok := load.Src.(*llir.InstAlloca); ok && isPhiSlot(slot) {
				return true
			}
		}
	}
	return false
}
