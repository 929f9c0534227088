package operator

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// deletion deletes a statement.
func (p *Place) deletion(s *Statement) Proposal {
	root := s.root()
	out := Proposal{
		Matcher: "STMT", Replacer: "DELSTMT",
		Original: p.statementText(root), Replacement: face.Text{C: ";", Prec: face.Primary},
		Edit: mutant.Rewrite{Insts: s.Insts},
		at:   root,
	}
	if left, ok := p.Face.Remaining(root, s.Insts); ok {
		// && || and ?: part a statement by blocks; what the others do stays.
		out.Replacement = face.Text{C: left.C + ";", Prec: face.Primary}
	}
	if a, ok := p.Face.Assignment(root); ok && !a.IsCompound {
		// In a = b = 2 each variable gets its 2 by a statement of its own.
		switch {
		case a.IsInner:
			out.Original, out.Replacement = a.With(a.Right), a.Right
		case a.IsChained && s.stores() == 1:
			out.Replacement = face.Text{C: a.Right.C + ";", Prec: face.Primary}
		}
	}
	return out
}

// Statement is a maximal run of instructions of a block that registers link: a
// connected component of the block's def-use graph, components that interleave
// being one (dissertation, section 8.1). Allocas, debug and lifetime markers
// belong to no statement.
type Statement struct {
	Insts []llir.Instruction // consecutive
	// Term is the block's terminator when it uses a value of the statement.
	Term llir.Terminator
	// Ordinal numbers the statements of a module from 0.
	Ordinal int
	// deletable: it has an effect, and nothing outside uses its values.
	deletable bool
	// hasEffect: it writes or calls. isClosed: nothing outside uses its values.
	hasEffect, isClosed bool
}

// root is the instruction that stands for the statement: its last effect.
func (s *Statement) root() llir.Instruction {
	for i := len(s.Insts) - 1; i >= 0; i-- {
		if hasEffect(s.Insts[i]) {
			return s.Insts[i]
		}
	}
	return s.Insts[len(s.Insts)-1]
}

func (s *Statement) stores() int {
	n := 0
	for _, inst := range s.Insts {
		if stored(inst) != nil {
			n++
		}
	}
	return n
}

func hasEffect(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstStore, *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstVAArg:
		return true
	case *llir.InstCall:
		return !isMarker(i)
	}
	return false
}

// isMarker reports instructions that are no code of the program.
func isMarker(inst llir.Instruction) bool {
	if _, ok := inst.(*llir.InstAlloca); ok {
		return true
	}
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	if ir.IsDebug(inst) {
		return true
	}
	f, ok := call.Callee.(*llir.Func)
	return ok && intrinsicMarkers[f.Name()]
}

var intrinsicMarkers = map[string]bool{
	"llvm.stacksave": true, "llvm.stackrestore": true,
	"llvm.lifetime.start.p0i8": true, "llvm.lifetime.end.p0i8": true,
	"llvm.va_start": true, "llvm.va_end": true,
}

// fillsTemporary reports a statement that gives a stack slot of the compiler's
// its value: the result of a short-circuit or conditional, a returned value, a
// structure on its way into a function. To delete it alone would leave the
// slot uninitialised, which no C program does.
func (fn *function) fillsTemporary(s *Statement) bool {
	for _, inst := range s.Insts {
		if target := stored(inst); target != nil && fn.isTemporary(target) {
			return true
		}
	}
	return false
}

// stored is the pointer that an instruction writes through: a store, or the
// copying of a structure or array.
func stored(inst llir.Instruction) value.Value {
	switch i := inst.(type) {
	case *llir.InstStore:
		return i.Dst
	case *llir.InstCall:
		if face.IsBlockCopy(i) && len(i.Args) > 0 {
			return ir.Unwrap(i.Args[0])
		}
	}
	return nil
}

func (p *Place) statementText(root llir.Instruction) face.Text {
	text := "…"
	switch i := root.(type) {
	case *llir.InstStore:
		text = p.assignmentText(i)
	case *llir.InstCall:
		if written, ok := p.Face.Written(i); ok {
			text = written.C
		} else {
			text = p.callText(i)
		}
	case value.Value:
		text = p.Face.Of(i).C
	}
	return face.Text{C: text + ";", Prec: face.Primary}
}

// callText renders a call; the copying and filling of memory as far as it
// tells what the user may have written.
func (p *Place) callText(call *llir.InstCall) string {
	if !face.IsBlockCopy(call) || len(call.Args) < 3 {
		return p.Face.Of(call).C
	}
	if source := ir.Unwrap(call.Args[1]); isPointer(source.Type()) {
		return p.Face.At(call.Args[0]).In(face.Unary) + " = " + p.Face.At(source).C
	}
	return face.Call("memset", p.Face.Of(call.Args[0]), p.Face.Of(call.Args[1]), p.Face.Of(call.Args[2])).C
}

func (p *Place) assignmentText(store *llir.InstStore) string {
	if text, ok := p.Face.Written(store); ok {
		return text.C
	}
	if inc := p.fn.increments[store]; inc != nil {
		return inc.text(p.Face)
	}
	return p.Face.At(store.Dst).In(face.Unary) + " = " + p.Face.Assigned(store.Src).In(face.Assignment)
}

// contextOf is the text of a statement from the IR alone.
func (p *Place) contextOf(s *Statement) string {
	if len(s.Insts) > 0 {
		return p.statementText(s.root()).C
	}
	return ""
}

// statementsOf partitions a block's instructions.
func statementsOf(b *llir.Block, used usedOutside) []*Statement {
	first := map[llir.Instruction]int{}
	for i, inst := range b.Insts {
		first[inst] = i
	}
	// reach[i] is the furthest instruction that the one at i is linked with;
	// runs that overlap are merged, which also joins the components.
	reach := make([]int, len(b.Insts))
	for i := range reach {
		reach[i] = i
	}
	for i, inst := range b.Insts {
		if isMarker(inst) {
			continue
		}
		for _, slot := range operandsOf(inst) {
			d, ok := ir.Unwrap(*slot).(llir.Instruction)
			if k, here := first[d]; ok && here && !isMarker(d) {
				reach[k] = max(reach[k], i)
			}
		}
	}
	var out []*Statement
	for i := 0; i < len(b.Insts); {
		if isMarker(b.Insts[i]) {
			i++
			continue
		}
		end := reach[i]
		for k := i; k <= end; k++ {
			end = max(end, reach[k])
		}
		out = append(out, newStatement(b, slices.Clone(b.Insts[i:end+1]), used))
		i = end + 1
	}
	return out
}

func newStatement(b *llir.Block, insts []llir.Instruction, used usedOutside) *Statement {
	s := &Statement{Insts: insts}
	effect, escapes := false, false
	for _, inst := range insts {
		effect = effect || hasEffect(inst)
		if v, ok := inst.(value.Value); ok {
			escapes = escapes || used.outside(v, insts)
		}
		for _, slot := range b.Term.Operands() {
			if any(ir.Unwrap(*slot)) == any(inst) {
				s.Term = b.Term
			}
		}
	}
	s.hasEffect, s.isClosed = effect, !escapes && s.Term == nil
	s.deletable = effect && s.isClosed
	return s
}
