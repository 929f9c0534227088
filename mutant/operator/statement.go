package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// statement deletes statements. It is the operator that finds code no test
// depends on, and the cheapest useful set by itself (SDL).
var statement = Operator{
	Name: "statement",
	Doc:  "deletes a statement: `n = 0;` becomes `;`",
	Match: func(p *Place) []Proposal {
		s := p.Statement
		if s == nil || !s.deletable {
			return nil
		}
		root := s.root()
		if p.fn.isJoinOrReturn(root) {
			return nil
		}
		return []Proposal{{
			Matcher: "STMT", Replacer: "DELSTMT",
			Original: p.statementText(root), Replacement: face.Text{C: ";", Prec: face.Primary},
			Edit:     mutant.Rewrite{Insts: s.Insts},
			Position: ir.PositionOf(root),
		}}
	},
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

func hasEffect(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstStore, *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstVAArg:
		return true
	case *llir.InstCall:
		return !ir.IsDebug(i)
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

// isJoinOrReturn reports the store of a short-circuit's or conditional's
// result, and that of a returned value: to delete the latter alone would make
// the function return an uninitialised value.
func (fn *function) isJoinOrReturn(inst llir.Instruction) bool {
	store, ok := inst.(*llir.InstStore)
	if !ok {
		return false
	}
	slot, ok := store.Dst.(*llir.InstAlloca)
	return ok && (isPhiSlot(slot) || fn.isReturnSlot(slot))
}

// isReturnSlot reports the slot that clang keeps a function's result in; a
// variable of the user's with that name has a declaration.
func (fn *function) isReturnSlot(slot *llir.InstAlloca) bool {
	_, declared := fn.variables[slot]
	return slot.Name() == "retval" && !declared
}

func (p *Place) statementText(root llir.Instruction) face.Text {
	switch i := root.(type) {
	case *llir.InstStore:
		return face.Text{C: p.assignmentText(i) + ";", Prec: face.Primary}
	case value.Value:
		return face.Text{C: p.Face.Of(i).C + ";", Prec: face.Primary}
	}
	return face.Text{C: "…;", Prec: face.Primary}
}

func (p *Place) assignmentText(store *llir.InstStore) string {
	if text, ok := p.Face.Written(store); ok {
		return text.C
	}
	if inc := p.fn.increments[store]; inc != nil {
		return inc.text(p.Face)
	}
	return p.Face.At(store.Dst).In(face.Unary) + " = " + p.Face.Of(store.Src).In(face.Assignment)
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
		out = append(out, newStatement(b, b.Insts[i:end+1], used))
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
	s.deletable = effect && !escapes && s.Term == nil
	return s
}

func operandsOf(inst any) []*value.Value {
	if user, ok := inst.(value.User); ok {
		return user.Operands()
	}
	return nil
}

// usedOutside answers whether a value is used by an instruction that is not in
// a run.
type usedOutside map[value.Value][]any

func usersOf(f *llir.Func) usedOutside {
	users := usedOutside{}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			for _, slot := range operandsOf(inst) {
				v := ir.Unwrap(*slot)
				users[v] = append(users[v], inst)
			}
		}
		for _, slot := range b.Term.Operands() {
			v := ir.Unwrap(*slot)
			users[v] = append(users[v], b.Term)
		}
	}
	return users
}

func (u usedOutside) outside(v value.Value, run []llir.Instruction) bool {
	for _, user := range u[v] {
		inside := false
		for _, inst := range run {
			if user == any(inst) {
				inside = true
				break
			}
		}
		if !inside {
			return true
		}
	}
	return false
}
