package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

// Matcher finds the occurrences of a fragment.
type Matcher struct {
	// Name is the fragment's in the language.
	Name string
	// Find returns what matches at a place.
	Find func(*Place) []*match
}

// at makes the match of a value that one instruction computes.
func (p *Place) at(operands ...operand) *match {
	m := &match{run: []llir.Instruction{p.Inst}, touched: []llir.Instruction{p.Inst}, operands: operands, slot: -1}
	if v, ok := p.Inst.(value.Value); ok && !v.Type().Equal(types.Void) {
		m.result = p.Inst
		m.text = p.Face.Of(v)
		m.tested = isTruth(v.Type()) && p.fn.isOnlyTested(v)
	}
	m.signs = p.signs(p.Inst)
	return m
}

// signs tells how a replacement reads its operands: as the instruction does.
// Mart makes both variants where the instruction does not say.
func (p *Place) signs(inst llir.Instruction) []bool {
	if p.mart {
		switch i := inst.(type) {
		case *llir.InstFCmp:
			return []bool{strings.HasPrefix(i.Pred.String(), "u")}
		case *llir.InstICmp:
			if i.Pred == enum.IPredEQ || i.Pred == enum.IPredNE {
				return []bool{false, true}
			}
			return []bool{p.isUnsigned(inst)}
		case *llir.InstSDiv, *llir.InstUDiv, *llir.InstSRem, *llir.InstURem, *llir.InstAShr, *llir.InstLShr:
			return []bool{p.isUnsigned(inst)}
		}
		return []bool{false, true}
	}
	if v, ok := inst.(value.Value); ok && isFloat(v.Type()) {
		return []bool{false}
	}
	if _, ok := inst.(*llir.InstFCmp); ok {
		return []bool{false}
	}
	return []bool{p.isUnsigned(inst)}
}

// isOnlyTested reports a truth value that nothing makes a number of.
func (fn *function) isOnlyTested(v value.Value) bool {
	for _, user := range fn.users[v] {
		switch u := user.(type) {
		case *llir.TermCondBr:
		case *llir.InstSelect:
			if u.Cond != v {
				return false
			}
		case *llir.InstXor:
			if !isLogicalNot(u) || !fn.isOnlyTested(u) {
				return false
			}
		case *llir.InstStore:
			if slot, ok := u.Dst.(*llir.InstAlloca); !ok || !isPhiSlot(slot) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// binaryMatcher finds an arithmetic or bitwise operator.
func binaryMatcher(f fragment, onlyCompound bool) Matcher {
	name := f.name
	if onlyCompound {
		name += "ASSIGN"
	}
	return Matcher{name, func(p *Place) []*match {
		if p.Inst == nil || face.Symbol(p.Inst) != f.symbol {
			return nil
		}
		x, y, ok := p.binaryOperands()
		if !ok {
			return nil
		}
		m := p.at(p.operandAt(0, x), p.operandAt(1, y))
		m.operands[0].kept, m.operands[1].kept = p.Face.Kept(p.Inst, 0, x), p.Face.Kept(p.Inst, 1, y)
		a, ok := p.Face.Assignment(p.Inst)
		if ok && a.IsCompound {
			m.compound = &a
			m.text = a.With(a.Right)
			m.operands[0].text, m.operands[1].text = a.Left, a.Right
			m.operands[0].entering = p.Face.Entering(p.Inst, 0, x, a.Left)
			m.operands[1].entering = p.Face.Entering(p.Inst, 1, y, a.Right)
			m.operands[0].kept, m.operands[1].kept = a.OnlyLeft(), a.Right
			m.repeats = a.RepeatsEffects()
		}
		if onlyCompound && m.compound == nil {
			return nil
		}
		return []*match{m}
	}}
}

// operandAt makes operand k of a binary operator.
func (p *Place) operandAt(k int, v value.Value) operand {
	o := p.operandFor(v, p.Face.Operand(p.Inst, k, v))
	o.entering, o.position = p.Face.Entering(p.Inst, k, v, o.text), k+1
	return o
}

// binaryOperands are those of a binary instruction that is written as such, or
// of any that Mart takes for one.
func (p *Place) binaryOperands() (x, y value.Value, ok bool) {
	if !p.mart {
		return p.writtenBinary()
	}
	x, y, ok = face.Operands(p.Inst)
	return x, y, ok && isSimple(x.Type())
}

func relationalMatcher(f fragment) Matcher {
	return Matcher{f.name, func(p *Place) []*match { return p.compared(f.symbol, isSimple) }}
}

func pointerRelationalMatcher(f fragment) Matcher {
	return Matcher{"P" + f.name, func(p *Place) []*match { return p.compared(f.symbol, isPointer) }}
}

// compared finds a comparison of two values of a type.
func (p *Place) compared(symbol string, of func(types.Type) bool) []*match {
	var x, y value.Value
	var predicate string
	switch i := p.Inst.(type) {
	case *llir.InstICmp:
		x, y, predicate = i.X, i.Y, i.Pred.String()
	case *llir.InstFCmp:
		x, y, predicate = i.X, i.Y, i.Pred.String()
	default:
		return nil
	}
	if face.ComparisonSymbol(predicate) != symbol || !of(x.Type()) {
		return nil
	}
	if !p.mart && (isTruthTest(p.Inst.(value.Named)) || isTruth(x.Type()) || p.isCompilerMade(p.Inst)) {
		return nil
	}
	left, right := p.operandAt(0, x), p.operandAt(1, y)
	left.kept, right.kept = p.Face.KeptOf(p.Inst, 0, x), p.Face.KeptOf(p.Inst, 1, y)
	return []*match{p.at(left, right)}
}

var negationMatchers = []Matcher{
	{"NEG", func(p *Place) []*match {
		switch i := p.Inst.(type) {
		case *llir.InstSub:
			if isNegation(i) && (p.mart || !p.isCompilerMade(i)) {
				return []*match{p.at(p.operandFor(i.Y, p.Face.Of(i.Y)))}
			}
		case *llir.InstFNeg:
			if p.mart || !p.isCompilerMade(i) {
				return []*match{p.at(p.operandFor(i.X, p.Face.Of(i.X)))}
			}
		}
		return nil
	}},
	{"BITNOT", func(p *Place) []*match {
		if i, ok := p.Inst.(*llir.InstXor); ok && isComplement(i) && isScalar(i.X.Type()) {
			return []*match{p.at(p.operandFor(i.X, p.Face.Of(i.X)))}
		}
		return nil
	}},
	{"NOT", func(p *Place) []*match {
		if i, ok := p.Inst.(*llir.InstXor); ok && isLogicalNot(i) {
			return []*match{p.at(p.operandFor(i.X, p.Face.Of(i.X)))}
		}
		return nil
	}},
	{"COND", func(p *Place) []*match {
		switch i := p.Inst.(type) {
		case *llir.InstICmp, *llir.InstFCmp, *llir.InstTrunc: // the last of a _Bool
			if v := i.(value.Value); isTruthTest(i.(value.Named)) && !p.fn.isOnlyNegated(v) {
				return []*match{p.at(p.operandFor(v, p.Face.Of(v)))}
			}
		}
		return nil
	}},
}

// atomMatchers find operands by their class.
var atomMatchers = []Matcher{
	{"@", func(p *Place) []*match { return p.expression() }},
	{"V", func(p *Place) []*match {
		load, v := p.loaded()
		if load == nil || !isSimple(v.Type()) {
			return nil
		}
		return []*match{p.at(p.operandFor(v, p.Face.Of(v)))}
	}},
	{"P", func(p *Place) []*match {
		load, ok := p.Inst.(*llir.InstLoad)
		if !ok || !isPointer(load.Type()) || !isSized(elementOf(load)) || !p.mart && p.isPartOfUpdate(load) {
			return nil
		}
		return []*match{p.at(p.operandFor(load, p.Face.Of(load)))}
	}},
	{"A", func(p *Place) []*match {
		v, ok := p.Inst.(value.Value)
		if !ok || !isPointer(v.Type()) || isMarker(p.Inst) || !p.mart && !p.isWrittenAddress() {
			return nil
		}
		if p.mart && !isSized(elementOf(v)) {
			return nil
		}
		return []*match{p.at(p.operandFor(v, p.Face.Of(v)))}
	}},
	{"C", func(p *Place) []*match { return p.constantMatches() }},
}

// expression finds values of numbers. Mart takes every instruction for one.
func (p *Place) expression() []*match {
	v, ok := p.Inst.(value.Value)
	if !ok || !isSimple(v.Type()) {
		return nil
	}
	if !p.mart {
		load, _ := p.loaded()
		call, isCall := p.Inst.(*llir.InstCall)
		_, _, isBinary := p.writtenBinary()
		used := isCall && len(p.fn.users[v]) > 0 && !isIntrinsic(call) && !p.fn.isStructure(v)
		if isTruth(v.Type()) || load == nil && !isBinary && !used {
			return nil
		}
	}
	m := p.at(p.operandFor(v, p.Face.Of(v)))
	if a, ok := p.Face.Assignment(p.Inst); ok && a.IsCompound {
		m.compound = &a
		m.text = a.With(a.Right)
		m.operands[0].text = a.Compounded()
	}
	return []*match{m}
}

// loaded finds a variable that is read, and its value: a narrow integer counts
// where C makes an int of it. Mart looks at the load alone.
func (p *Place) loaded() (*llir.InstLoad, value.Value) {
	switch i := p.Inst.(type) {
	case *llir.InstLoad:
		if p.mart {
			return i, i
		}
		if !isScalar(i.Type()) || p.isPartOfUpdate(i) || p.fn.isTruthOrPromoted(i) {
			return nil, nil
		}
		return i, i
	case *llir.InstSExt:
		if load := p.promotedLoad(i.From); load != nil {
			return load, i
		}
	case *llir.InstZExt:
		if load := p.promotedLoad(i.From); load != nil {
			return load, i
		}
	}
	return nil, nil
}

func (p *Place) promotedLoad(from value.Value) *llir.InstLoad {
	if p.mart {
		return nil
	}
	return p.promoted(from)
}

// isWrittenAddress reports the addresses that an expression of their own
// stands for: variables, calls and p + i.
func (p *Place) isWrittenAddress() bool {
	switch i := p.Inst.(type) {
	case *llir.InstLoad:
		return !p.isPartOfUpdate(i)
	case *llir.InstCall:
		return !isIntrinsic(i) && len(p.fn.users[i]) > 0 && !p.isCompilerMade(i)
	case *llir.InstGetElementPtr:
		return strings.HasPrefix(i.Name(), "add.ptr") && p.fn.incrementOf[i] == nil
	}
	return false
}

// constantMatches finds the constants among the operands of an instruction or
// of a return.
func (p *Place) constantMatches() []*match {
	if ret, ok := p.Term.(*llir.TermRet); ok && ret.X != nil && isNumber(ret.X) {
		return []*match{{operands: []operand{p.operandFor(ret.X, p.Face.Of(ret.X))}, slot: 0}}
	}
	if p.Inst == nil {
		return nil
	}
	var out []*match
	for k, c := range p.numbersAt() {
		if c == nil {
			continue
		}
		m := &match{run: []llir.Instruction{p.Inst}, touched: []llir.Instruction{p.Inst}, slot: k, signs: []bool{false},
			operands: []operand{p.operandFor(c, p.Face.Of(c))}}
		if v, ok := p.Inst.(value.Value); ok && !v.Type().Equal(types.Void) {
			m.result = p.Inst
		}
		out = append(out, m)
	}
	return out
}

func (p *Place) numbersAt() []constant.Constant {
	if !p.mart {
		return p.writtenNumbers()
	}
	operands := operandsOf(p.Inst)
	out := make([]constant.Constant, len(operands))
	switch i := p.Inst.(type) {
	case *llir.InstCall, *llir.InstAlloca:
	case *llir.InstGetElementPtr:
		if k := indexing(i); k >= 0 && isNumber(i.Indices[k]) {
			out[k+1] = i.Indices[k].(constant.Constant)
		}
	default:
		for k, slot := range operands {
			if isNumber(*slot) {
				out[k] = asConstant(*slot)
			}
		}
	}
	return out
}

func asConstant(v value.Value) constant.Constant { c, _ := v.(constant.Constant); return c }

// indexing is the index of an address computation that stands for an element
// of an array, as opposed to the choice of a member; -1 for none.
func indexing(gep *llir.InstGetElementPtr) int {
	_, loaded := gep.Src.(*llir.InstLoad)
	_, isArray := gep.ElemType.(*types.ArrayType)
	switch {
	case len(gep.Indices) == 0:
		return -1
	case isPointer(gep.ElemType) || loaded:
		return 0
	case !isArray:
		return -1
	case len(gep.Indices) > 1:
		return 1
	}
	return 0
}
