package tce

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// pieces are the blocks of a function, those of more than so many instructions in
// pieces that go on with each other: all rounds of a hash may be one block of thousands,
// which would be in the clone of each of its mutants. The pieces of a block are new
// blocks, that share its instructions and its end; first is the one that has its name.
func pieces(f *llir.Func, mutants []mutant.Mutant, most int) (blocks []*llir.Block, first map[*llir.Block]*llir.Block) {
	var changed map[llir.Instruction][][]llir.Instruction
	first = map[*llir.Block]*llir.Block{}
	for k, b := range f.Blocks {
		if len(b.Insts) <= most {
			blocks = append(blocks, b)
			continue
		}
		if changed == nil {
			changed = changedTogether(mutants)
		}
		piece, start := &llir.Block{LocalIdent: b.LocalIdent}, 0
		first[b] = piece
		end := func(at int) {
			next := llir.NewBlock(fmt.Sprintf("winnow.%s.%d", b.Name(), at))
			piece.Insts, piece.Term = b.Insts[start:at], llir.NewBr(next)
			blocks = append(blocks, piece)
			piece, start = next, at
		}
		last := 0
		for _, at := range append(seams(b, k == 0, changed), len(b.Insts)) {
			if at-start > most && last > start {
				end(last)
			}
			last = at
		}
		piece.Insts, piece.Term = b.Insts[start:], b.Term
		blocks = append(blocks, piece)
	}
	return blocks, first
}

// changedTogether are, by instruction, those that a mutant replaces together with it.
func changedTogether(mutants []mutant.Mutant) map[llir.Instruction][][]llir.Instruction {
	out := map[llir.Instruction][][]llir.Instruction{}
	for i := range mutants {
		edit, ok := mutants[i].Edit.(mutant.Rewrite)
		if !ok || len(edit.Insts) == 1 {
			continue
		}
		for _, inst := range edit.Insts {
			out[inst] = append(out[inst], edit.Insts)
		}
	}
	return out
}

// seams are the places where a block can be cut, by the index of the instruction behind: no
// register is used on both sides, which in unoptimised code is so between two
// statements, and no mutant replaces instructions on both.
func seams(b *llir.Block, entry bool, changed map[llir.Instruction][][]llir.Instruction) []int {
	index := map[llir.Instruction]int{}
	lastUse := map[value.Value]int{}
	for i, inst := range b.Insts {
		index[inst] = i
		for _, operand := range inst.(value.User).Operands() {
			lastUse[ir.Unwrap(*operand)] = i
		}
	}
	for _, operand := range b.Term.Operands() {
		lastUse[ir.Unwrap(*operand)] = len(b.Insts)
	}
	var out []int
	reach := 0 // how far what begins before the place goes
	for i, inst := range b.Insts {
		if i > reach {
			out = append(out, i)
		}
		if v, ok := inst.(value.Value); ok && !(entry && slotOfEntry(inst) != nil) {
			reach = max(reach, lastUse[v])
		}
		for _, together := range changed[inst] {
			for _, other := range together {
				reach = max(reach, index[other])
			}
		}
		reach = max(reach, i)
	}
	return out
}
