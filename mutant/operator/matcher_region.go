package operator

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

// stretch returns the instructions of the block from one to another, or nil
// when the first does not come before the last.
func stretch(b *llir.Block, first, last llir.Instruction) []llir.Instruction {
	from, to := slices.Index(b.Insts, first), slices.Index(b.Insts, last)
	if from < 0 || to < from {
		return nil
	}
	return b.Insts[from : to+1 : to+1]
}

// region makes the match of a fragment of several instructions; result is the
// one whose value the fragment has. It is nil where another value of the run
// is used outside of it.
func (p *Place) region(first, last, result llir.Instruction, touched []llir.Instruction, operands ...operand) *match {
	run := stretch(p.Block, first, last)
	if run == nil {
		return nil
	}
	m := &match{run: run, touched: touched, operands: operands, slot: -1, signs: []bool{false}}
	for _, inst := range run {
		v, ok := inst.(value.Value)
		if !ok || !p.fn.users.outside(v, run) {
			continue
		}
		if inst != result {
			return nil
		}
		m.result = result
	}
	m.at = last
	return m
}

// stepMatchers find ++ and --, of variables and of pointers.
func stepMatchers() []Matcher {
	var out []Matcher
	for _, f := range forms {
		out = append(out,
			Matcher{f.name, func(p *Place) []*match { return p.stepMatch(f, false) }},
			Matcher{"P" + f.name, func(p *Place) []*match { return p.stepMatch(f, true) }},
			Matcher{"PDEREF_" + f.name, func(p *Place) []*match { return p.dereferencedStep(f) }},
			Matcher{"P" + f.name + "_DEREF", func(p *Place) []*match { return p.steppedDereference(f) }})
	}
	return out
}

// stepAt returns the ++ or -- that ends at the place's store, in a form.
func (p *Place) stepAt(f form, pointer bool) *step {
	store, ok := p.Inst.(*llir.InstStore)
	if !ok {
		return nil
	}
	s := p.fn.increments[store]
	if s == nil || s.by != f.by || s.pointer != pointer {
		return nil
	}
	// Where nobody uses the value, Mart takes it for both forms.
	if s.prefix != f.prefix && !(p.mart && !p.fn.isUsedStep(s)) {
		return nil
	}
	return s
}

// isUsedStep reports a ++ or -- whose value somebody uses.
func (fn *function) isUsedStep(s *step) bool {
	return len(fn.users[s.load]) > 1 || len(fn.users[s.sum.(value.Value)]) > 1
}

// value is the instruction that has the value of the whole.
func (s *step) value() llir.Instruction {
	if s.prefix {
		return s.sum
	}
	return s.load
}

func (p *Place) stepMatch(f form, pointer bool) []*match {
	s := p.stepAt(f, pointer)
	if s == nil {
		return nil
	}
	variable := p.Face.At(s.load.Src)
	m := p.region(s.load, s.store, s.value(), []llir.Instruction{s.load, s.sum, s.store}, operand{value: s.load, place: s.load.Src, text: variable, kept: variable})
	if m == nil {
		return nil
	}
	m.text = f.text(variable)
	m.postfix = !f.prefix
	m.at = s.sum
	m.signs = p.signs(s.sum)
	return []*match{m}
}

// dereferencedStep finds (*p)++ and the like.
func (p *Place) dereferencedStep(f form) []*match {
	s := p.stepAt(f, false)
	if s == nil {
		return nil
	}
	pointer, ok := s.load.Src.(*llir.InstLoad)
	if !ok {
		return nil
	}
	text := p.Face.Of(pointer)
	m := p.region(pointer, s.store, s.value(), []llir.Instruction{s.load, s.sum, s.store}, operand{value: pointer, place: pointer.Src, text: text, kept: text})
	if m == nil {
		return nil
	}
	m.text = f.text(face.Prefix("*", text))
	m.postfix = !f.prefix
	m.at = s.sum
	return []*match{m}
}

// steppedDereference finds *p++ and the like, where it is read.
func (p *Place) steppedDereference(f form) []*match {
	s := p.stepAt(f, true)
	if s == nil {
		return nil
	}
	users := p.fn.users[s.value().(value.Value)]
	read, ok := users[len(users)-1].(*llir.InstLoad)
	if !ok || read.Src != s.value().(value.Value) || !isSimple(read.Type()) {
		return nil
	}
	variable := p.Face.At(s.load.Src)
	m := p.region(s.load, read, read, []llir.Instruction{s.load, s.sum, s.store, read}, operand{value: s.load, place: s.load.Src, text: variable, kept: variable})
	if m == nil {
		return nil
	}
	m.text = face.Prefix("*", f.text(variable))
	return []*match{m}
}

// moveMatchers find p + i, a[i] and the like.
func moveMatchers() []Matcher {
	var out []Matcher
	for _, f := range []fragment{{"+", "ADD"}, {"-", "SUB"}} {
		out = append(out,
			Matcher{"P" + f.name, func(p *Place) []*match {
				gep, ok := p.Inst.(*llir.InstGetElementPtr)
				if !ok {
					return nil
				}
				base, index, ok := p.moved(gep, f.symbol)
				if !ok {
					return nil
				}
				m := p.at(base, index)
				m.without = func(t face.Text) face.Text { return p.Face.AfterIndex(gep, t) }
				p.writeElement(m, gep)
				return []*match{m}
			}},
			Matcher{"P" + f.name + "_DEREF", func(p *Place) []*match { return p.elementRead(f.symbol) }},
			Matcher{"PDEREF_" + f.name, func(p *Place) []*match { return p.readThenMoved(f) }})
	}
	return out
}

// moved returns the operands of an address computation that is p + i, or
// p - i: what clang computes with a negated index.
func (p *Place) moved(gep *llir.InstGetElementPtr, symbol string) (base, index operand, ok bool) {
	k := indexing(gep)
	if !p.mart {
		k = len(gep.Indices) - 1
	}
	if k < 0 || k != len(gep.Indices)-1 || !p.mart && (!isIndexed(gep) || p.fn.incrementOf[gep] != nil) {
		return base, index, false
	}
	if inst, ok := gep.Indices[k].(llir.Instruction); ok && !p.mart && p.fn.isArrayLength(inst) {
		return base, index, false
	}
	distance, text := gep.Indices[k], p.Face.Index(gep)
	negative := false
	if sub, ok := distance.(*llir.InstSub); ok && isNegation(sub) && strings.HasPrefix(sub.Name(), "idx.neg") {
		distance, text, negative = sub.Y, p.Face.Of(sub.Y), true
	}
	if p.mart {
		if c, ok := distance.(interface{ IsConstant() }); ok && c != nil {
			if isInt(distance, 0) {
				return base, index, false
			}
		}
	}
	if negative != (symbol == "-") {
		return base, index, false
	}
	index = p.operandFor(distance, text)
	if k == 0 {
		return p.operandFor(gep.Src, p.Face.Base(gep)), index, true
	}
	zero := number(types.I64, 0)
	decay := llir.NewGetElementPtr(gep.ElemType, gep.Src, zero, zero)
	base = p.operandFor(decay, p.Face.At(gep.Src))
	base.own = true
	return base, index, true
}

// writeElement renders the replacements of a[i], of which the IR computes the
// address.
func (p *Place) writeElement(m *match, gep *llir.InstGetElementPtr) {
	if !strings.HasPrefix(gep.Name(), "arrayidx") {
		return
	}
	last := len(gep.Indices)
	m.text, _ = p.Face.Indexed(gep, last, face.Text{})
	m.write = func(t face.Text) face.Text { return face.Prefix("*", t) }
}

// elementRead finds *(p + i) and a[i] where a number is read.
func (p *Place) elementRead(symbol string) []*match {
	load, ok := p.Inst.(*llir.InstLoad)
	if !ok || !isSimple(load.Type()) {
		return nil
	}
	gep, ok := load.Src.(*llir.InstGetElementPtr)
	if !ok || len(p.fn.users[gep]) != 1 || p.mart && len(gep.Indices) > 1 || !p.mart && p.isCompilerMade(load) {
		return nil
	}
	base, index, ok := p.moved(gep, symbol)
	if !ok {
		return nil
	}
	m := p.at(base, index)
	m.touched = []llir.Instruction{gep, load}
	m.without = func(t face.Text) face.Text { return p.Face.AfterIndex(gep, t) }
	return []*match{m}
}

// readThenMoved finds *p + i.
func (p *Place) readThenMoved(f fragment) []*match {
	if p.Inst == nil || face.Symbol(p.Inst) != f.symbol {
		return nil
	}
	x, y, ok := p.binaryOperands()
	if !ok {
		return nil
	}
	load, isLoad := x.(*llir.InstLoad)
	if !isLoad || isVariable(load.Src) || !isInteger(y.Type()) || len(p.fn.users[load]) != 1 || p.fn.isTemporary(load.Src) {
		return nil
	}
	if a, ok := p.Face.Assignment(p.Inst); ok && a.IsCompound {
		return nil // *p += i is a variable that changes
	}
	m := p.at(p.operandFor(load.Src, p.Face.Of(load.Src)), p.operandFor(y, p.Face.Operand(p.Inst, 1, y)))
	m.touched = []llir.Instruction{load, p.Inst}
	return []*match{m}
}

// assignMatcher finds stores of numbers.
var assignMatcher = Matcher{"ASSIGN", func(p *Place) []*match {
	store, ok := p.Inst.(*llir.InstStore)
	if !ok || !isSimple(store.Src.Type()) {
		return nil
	}
	if !p.mart && (p.fn.increments[store] != nil || p.fn.isTemporary(store.Dst) || p.isCompilerMade(store) || p.fn.isSpill(store)) {
		return nil
	}
	left, right := p.Face.At(store.Dst), p.Face.Assigned(store.Src)
	a, written := p.Face.Assignment(store)
	if written {
		if !p.mart && (a.IsCompound || a.IsChained || a.IsInner) {
			return nil
		}
		left, right = a.Left, a.Right
	}
	m := &match{run: []llir.Instruction{store}, touched: []llir.Instruction{store}, slot: -1,
		operands: []operand{{place: store.Dst, text: left, kept: left}, p.operandFor(store.Src, right)},
		text:     face.Assigned{Left: left, Op: "="}.With(right), signs: []bool{false, true}}
	if written {
		m.without, m.initial = a.Dropped, a.IsInitial
	}
	if !p.mart {
		m.signs = m.signs[:1]
	}
	return []*match{m}
}}

// isSpill reports the store of a parameter into its stack slot, and that of an
// array's length into clang's variable for it.
func (fn *function) isSpill(store *llir.InstStore) bool {
	_, isParam := store.Src.(*llir.Param)
	return isParam || strings.HasPrefix(fn.variables[store.Dst], "__vla_expr")
}
