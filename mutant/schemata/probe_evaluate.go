package schemata

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// evaluation holds a mutant's code against the original's, stretch by stretch.
//
// The effects of the two are paired in order. As long as all that went into
// earlier effects was the same, memory is the same, and so is what a repeated
// call or load returns: the original's value stands for the mutant's. Once
// something was not the same the mutant is infected, and what is compared
// afterwards does not matter.
type evaluation struct {
	p *prober
	o *original
	// selector is the mutant's.
	selector int32
	prefix   string
	// always says that the mutant is infected whenever its site is reached.
	always bool
	// stretch is the one being filled.
	stretch int
	code    [][]llir.Instruction // by stretch
	differs []value.Value        // by stretch; nil: nothing to compare
	changes [][]changed          // by stretch; of builds with counts
	// ways says that what is compared are the numbers of blocks.
	ways bool
	// stands maps a value of the mutant to the original's in its place.
	stands map[value.Value]value.Value
	// home is the stretch in which a value of the mutant is computed; crosses
	// says that one is used in a later stretch.
	home    map[value.Value]int
	crosses bool
	// loads counts the mutant's loads of the stretch.
	loads int
	// repeats are the original's instructions that the mutant executes too.
	repeats map[llir.Instruction]bool
	names   int
}

func (p *prober) evaluate(m *mutant.Mutant, o *original, term llir.Terminator) *evaluation {
	n := len(o.effects) + 1
	e := &evaluation{p: p, o: o, selector: m.Selector, prefix: fmt.Sprintf("winnow.m%d", m.Selector), code: make([][]llir.Instruction, n),
		differs: make([]value.Value, n), changes: make([][]changed, n), stands: map[value.Value]value.Value{}, home: map[value.Value]int{},
		repeats: map[llir.Instruction]bool{}}
	code := &mutant.Code{Prefix: e.prefix}
	switch edit := m.Edit.(type) {
	case mutant.Rewrite:
		var result value.Value
		if edit.Emit != nil {
			result = edit.Emit(code)
		}
		e.always = !e.instructions(code.Insts) || !e.rest() || !e.result(edit.Replaced(), result)
	case mutant.Redirect:
		ours := edit.Emit(code)
		e.always = !e.instructions(code.Insts) || !e.rest() || !e.target(term, ours)
	default:
		e.always = true
	}
	return e
}

// emit appends to the stretch.
func (e *evaluation) emit(inst llir.Instruction) value.Value {
	v := inst.(value.Value)
	if named, ok := inst.(value.Named); ok && named.Name() == "" {
		e.names++
		named.SetName(fmt.Sprintf("%s.p%d", e.prefix, e.names))
	}
	for _, slot := range inst.Operands() {
		if home, ok := e.home[ir.Unwrap(*slot)]; ok && home < e.stretch {
			e.crosses = true
		}
	}
	e.home[v] = e.stretch
	e.code[e.stretch] = append(e.code[e.stretch], inst)
	return v
}

// infectedIf adds a condition.
func (e *evaluation) infectedIf(condition value.Value) {
	if before := e.differs[e.stretch]; before != nil {
		condition = e.emit(llir.NewOr(before, condition))
	}
	e.differs[e.stretch] = condition
}

// compare adds the condition that two values differ; false when their type
// cannot be compared. Floating-point numbers differ when their bits do, which
// tells 0 from -0, and when one is NaN, whose sign depends on how a compiler
// orders the operands.
func (e *evaluation) compare(a, b value.Value) bool {
	a, b = ir.Unwrap(a), ir.Unwrap(b)
	if sameValue(a, b) {
		return true
	}
	if !a.Type().Equal(b.Type()) {
		return false
	}
	switch t := a.Type().(type) {
	case *types.IntType, *types.PointerType:
		e.infectedIf(e.emit(llir.NewICmp(enum.IPredNE, a, b)))
	case *types.FloatType:
		bits, ok := map[types.FloatKind]*types.IntType{types.FloatKindHalf: types.I16, types.FloatKindFloat: types.I32,
			types.FloatKindDouble: types.I64, types.FloatKindX86_FP80: types.NewInt(80), types.FloatKindFP128: types.I128}[t.Kind]
		if !ok {
			return false
		}
		x, y := e.emit(llir.NewBitCast(a, bits)), e.emit(llir.NewBitCast(b, bits))
		e.infectedIf(e.emit(llir.NewICmp(enum.IPredNE, x, y)))
		e.infectedIf(e.emit(llir.NewFCmp(enum.FPredUNO, a, b)))
	default:
		return false
	}
	if e.p.probe.opts.Counts {
		e.changes[e.stretch] = append(e.changes[e.stretch], changed{e.selector, e.ways, a, b})
	}
	return true
}

// instructions walks through the mutant's code; false when it does something
// that cannot be evaluated beside the original.
func (e *evaluation) instructions(insts []llir.Instruction) bool {
	for _, inst := range insts {
		if ir.IsDebug(inst) {
			continue
		}
		substituteOperands(inst, e.stands)
		load, isLoad := inst.(*llir.InstLoad)
		ok := false
		switch {
		case hasEffect(inst):
			ok = e.effect(inst)
		case isLoad:
			ok = e.load(load)
		case e.repeated(inst):
			ok = true
		default:
			ok = e.total(inst)
		}
		if !ok {
			return false
		}
	}
	return true
}

// repeated lets the original's value stand for an instruction that the original
// executes as well in the same stretch.
func (e *evaluation) repeated(inst llir.Instruction) bool {
	stretch := 0
	for _, other := range e.o.insts {
		if stretch == e.stretch && sameOperation(other, inst) {
			e.stands[inst.(value.Value)] = other.(value.Value)
			e.repeats[other] = true
			return true
		}
		if hasEffect(other) {
			stretch++
		}
	}
	return false
}

// load reads what is known to be readable; another address is compared with the
// one that the original reads and not read.
func (e *evaluation) load(load *llir.InstLoad) bool {
	at := e.loads
	e.loads++
	if e.repeated(load) {
		return true
	}
	if isReadable(load.Src, load.ElemType) {
		e.readVariable(load)
		return true
	}
	theirs := e.o.loads[e.stretch]
	if at >= len(theirs) || !theirs[at].ElemType.Equal(load.ElemType) || !e.compare(theirs[at].Src, load.Src) {
		return false
	}
	e.stands[load] = theirs[at]
	return true
}

// readVariable reads a variable that the original does not read here. Where a
// local one has no value yet, what the mutant would read is anybody's guess.
func (e *evaluation) readVariable(load *llir.InstLoad) {
	e.emit(load)
	slot, ok := load.Src.(*llir.InstAlloca)
	if !ok || e.p.assigned[slot] {
		return
	}
	flag := e.emit(llir.NewLoad(types.I1, e.p.flagOf(slot)))
	e.infectedIf(e.emit(llir.NewXor(flag, constant.True)))
	e.stands[load] = e.emit(llir.NewInstFreeze(load))
}

// effect pairs an effect of the mutant with the original's next one.
func (e *evaluation) effect(inst llir.Instruction) bool {
	if len(e.o.effects) == 0 {
		store, ok := inst.(*llir.InstStore)
		return ok && e.leavesMemory(store)
	}
	if e.stretch == len(e.o.effects) {
		return false
	}
	theirs := e.o.effects[e.stretch]
	if !e.sameEffect(theirs, inst) {
		return false
	}
	e.repeats[theirs] = true
	e.stretch++
	e.loads = 0
	if v, ok := inst.(value.Value); ok {
		e.stands[v] = theirs.(value.Value)
	}
	return true
}

func (e *evaluation) sameEffect(theirs, ours llir.Instruction) bool {
	switch t := theirs.(type) {
	case *llir.InstStore:
		o, ok := ours.(*llir.InstStore)
		return ok && !t.Atomic && !o.Atomic && t.Volatile == o.Volatile && e.compare(t.Dst, o.Dst) && e.compare(t.Src, o.Src)
	case *llir.InstLoad:
		o, ok := ours.(*llir.InstLoad)
		return ok && !t.Atomic && !o.Atomic && t.ElemType.Equal(o.ElemType) && e.compare(t.Src, o.Src)
	case *llir.InstCall:
		o, ok := ours.(*llir.InstCall)
		if !ok || !sameValue(t.Callee, o.Callee) || len(t.Args) != len(o.Args) || len(t.OperandBundles)+len(o.OperandBundles) > 0 {
			return false
		}
		for k := range t.Args {
			if !e.compare(t.Args[k], o.Args[k]) {
				return false
			}
		}
		return true
	}
	return false
}

// rest deals with the original's effects that the mutant does not have: stores
// into variables, all of them or none, are missed when they change something.
func (e *evaluation) rest() bool {
	if e.stretch == len(e.o.effects) {
		return true
	}
	if e.stretch > 0 {
		return false
	}
	for k, inst := range e.o.effects {
		e.stretch = k
		store, ok := inst.(*llir.InstStore)
		if !ok || !e.leavesMemory(store) {
			return false
		}
	}
	e.stretch = len(e.o.effects)
	return true
}

// leavesMemory adds the condition that a store changes memory; false when that
// cannot be seen. A local variable without a value always changes.
func (e *evaluation) leavesMemory(store *llir.InstStore) bool {
	if store.Volatile || store.Atomic || !isReadable(store.Dst, store.Src.Type()) {
		return false
	}
	old := llir.NewLoad(store.Src.Type(), store.Dst)
	e.readVariable(old)
	var before value.Value = old
	if frozen, ok := e.stands[old]; ok {
		before = frozen
	}
	return e.compare(before, store.Src)
}

// result compares what is used outside of the site. Nothing is where the mutant
// has no result (mutant.Rewrite).
func (e *evaluation) result(replaced llir.Instruction, ours value.Value) bool {
	theirs, ok := replaced.(value.Value)
	if !ok || ours == nil {
		return true
	}
	if stands, ok := e.stands[ours]; ok {
		ours = stands
	}
	return e.compare(theirs, ours)
}
