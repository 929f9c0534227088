package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// match is one occurrence of a fragment.
type match struct {
	// run are the instructions that a mutant replaces, in block order without
	// gaps; result the one whose value the fragment has, nil where it has none
	// or nobody uses it.
	run    []llir.Instruction
	result llir.Instruction
	// touched are the instructions that make up the fragment.
	touched []llir.Instruction
	// operands are those of the pattern, in its order.
	operands []operand
	// signs are the ways to read the operands of the replacement: false as
	// signed numbers, true as unsigned ones. For numbers with a point true means
	// comparisons that hold when one is not a number.
	signs []bool

	text face.Text
	// write renders the fragment's replacement; nil takes it as it is.
	write func(face.Text) face.Text
	// at is the instruction where it is reported; nil for the last of the run.
	at llir.Instruction
	// compound is the assignment that also computes, x += y.
	compound *face.Assigned
	// without renders a text that does without the second operand, after the
	// effects of that one; nil for fragments that see to it by themselves.
	without func(face.Text) face.Text
	// repeats: what the compound assignment assigns to has effects.
	repeats bool
	// slot is, for a constant, the operand of the run's instruction that it
	// is, and -1 for the others.
	slot int
	mart bool // as Place.mart
	// initial: it is an initialisation.
	initial bool
	// postfix: it is written x++ or x--.
	postfix bool
	// tested: the value is a truth value that only conditions use.
	tested bool
	// custom makes the proposals of fragments that are no values: jumps,
	// switches, connectives, calls.
	custom func(r rule.Rule) []Proposal
}

// operand is one operand of a match.
type operand struct {
	// value computes it; nil for a variable that is not read.
	value value.Value
	// place is where a variable was read from; nil for other operands.
	place value.Value
	// own says that value is an instruction that is not in the program: the
	// decay of an array to a pointer.
	own bool
	// text renders it, kept as what is left of the fragment, entering with the
	// conversion with which it enters the operation.
	text, kept, entering face.Text
	// position is that of an operand of a binary operator, from 1.
	position int
}

// operandFor makes the operand of a value.
func (p *Place) operandFor(v value.Value, text face.Text) operand {
	return operand{value: v, place: p.placeOf(v), text: text, kept: text}
}

// load is where the value of an operand is read, before any conversion; nil
// where it is not.
func (o operand) load() *llir.InstLoad {
	for v := o.value; v != nil; {
		inst, ok := ir.Unwrap(v).(llir.Instruction)
		if !ok {
			return nil
		}
		if load, ok := inst.(*llir.InstLoad); ok {
			return load
		}
		v, _ = ir.ConvertedBy(inst)
	}
	return nil
}

// variable renders the place of an operand, to be assigned to: without the
// conversions of what was read there.
func (o operand) variable(p *Place) face.Text {
	load := o.load()
	switch {
	case load != nil && load != o.value:
		return p.Face.Of(load)
	case load != nil && o.text.Prec == csource.CastPrecedence:
		return p.Face.At(load.Src)
	}
	return o.text
}

// placeOf is where a variable was read from: V and P look through casts. What
// is written with a ++ or -- is no variable: *p++, x++. To Mart it is, where
// the place is known after the ++ as well.
func (p *Place) placeOf(v value.Value) value.Value {
	for {
		inst, ok := ir.Unwrap(v).(llir.Instruction)
		if !ok {
			return nil
		}
		if load, ok := inst.(*llir.InstLoad); ok {
			if p.fn.isStepped(load.Src) {
				return nil
			}
			if _, throughPointer := load.Src.(*llir.InstLoad); p.fn.isStepped(load) && (throughPointer || !p.mart) {
				return nil
			}
			return load.Src
		}
		from, ok := ir.ConvertedBy(inst)
		if !ok {
			return nil
		}
		v = from
	}
}

// isStepped reports the value of a ++ or --, old or new.
func (fn *function) isStepped(v value.Value) bool {
	inst, ok := v.(llir.Instruction)
	return ok && (fn.incrementOf[inst] != nil || fn.stepLoads[inst])
}

// elementOf is the type that a pointer points to.
func elementOf(pointer value.Value) types.Type {
	if t, ok := pointer.Type().(*types.PointerType); ok {
		return t.ElemType
	}
	return nil
}

func (o operand) typ() types.Type {
	if o.value == nil {
		return elementOf(o.place)
	}
	return o.value.Type()
}

// is reports whether the operand belongs to a class.
func (o operand) is(class rule.Class) bool {
	switch class {
	case rule.Constant:
		return isNumber(o.value)
	case rule.Variable:
		return o.place != nil && isSimple(elementOf(o.place))
	case rule.Address:
		return isPointer(o.typ())
	case rule.Pointer:
		return o.place != nil && isPointer(elementOf(o.place)) && isPointer(o.typ())
	}
	return true
}

func isNumber(v value.Value) bool {
	switch ir.Unwrap(v).(type) {
	case *constant.Int, *constant.Float:
		return true
	}
	return false
}

// isSimple reports integers of any width and floating-point numbers.
func isSimple(t types.Type) bool {
	switch t.(type) {
	case *types.IntType, *types.FloatType:
		return true
	}
	return false
}

// fits reports whether a match binds a pattern.
func (m *match) fits(p rule.Pattern) bool {
	if !p.CanMatch() {
		return false
	}
	for k, o := range p.Operands {
		if k >= len(m.operands) || !m.operands[k].is(o.Class) {
			return false
		}
	}
	return true
}
