package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

// form is one of the four ways to write ++ and --.
type form struct {
	name   string
	prefix bool
	by     int64
}

var forms = []form{{"LEFTINC", true, 1}, {"LEFTDEC", true, -1}, {"RIGHTINC", false, 1}, {"RIGHTDEC", false, -1}}

func (f form) symbol() string {
	if f.by < 0 {
		return "--"
	}
	return "++"
}

func (f form) text(x face.Text) face.Text {
	if f.prefix {
		return face.Text{C: f.symbol() + x.In(face.Unary), Prec: face.Unary}
	}
	return face.Text{C: x.In(face.Postfix) + f.symbol(), Prec: face.Postfix}
}

// step changes the variable at a place, whose value is given and which an operand
// names, and returns what the expression is worth.
func (f form) step(e *emitter, o operand, old value.Value, place value.Value) value.Value {
	elem := elementOf(place)
	narrow := old
	if load := o.load(); load != nil && !e.mart {
		narrow = e.value(load) // (long)d of a double d
	}
	narrow = e.convert(narrow, elem)
	var sum value.Value
	switch t := elem.(type) {
	case *types.PointerType:
		sum = e.add(llir.NewGetElementPtr(t.ElemType, narrow, number(types.I64, f.by)))
	case *types.FloatType:
		sum = e.add(llir.NewFAdd(narrow, number(t, f.by)))
	default:
		sum = e.add(llir.NewAdd(narrow, number(t, f.by)))
	}
	e.Insts = append(e.Insts, llir.NewStore(sum, place))
	if f.prefix {
		return e.reread(o, sum, old.Type())
	}
	return old
}

// stepReplacers are ++ and -- of variables, of pointers, before and after a
// dereference.
func stepReplacers() []Replacer {
	var out []Replacer
	for _, f := range forms {
		out = append(out,
			Replacer{
				Name: f.name, Result: ofVariable, IsSigned: never, Effect: true, Accepts: canAssign,
				Text: func(p *Place, args []operand) face.Text { return f.text(args[0].variable(p)) },
				Emit: func(e *emitter, args []operand) value.Value {
					return f.step(e, args[0], e.read(args[0]), e.value(args[0].place))
				},
			},
			Replacer{
				Name: "P" + f.name, Result: ofVariable, IsSigned: never, Effect: true, Accepts: canMove,
				Text: func(p *Place, args []operand) face.Text { return f.text(args[0].variable(p)) },
				Emit: func(e *emitter, args []operand) value.Value {
					return f.step(e, args[0], e.read(args[0]), e.value(args[0].place))
				},
			},
			Replacer{
				Name: "P" + f.name + "_DEREF", Result: ofVariable, IsSigned: never, Effect: true, Accepts: canMoveAndRead,
				Text: func(p *Place, args []operand) face.Text { return face.Prefix("*", f.text(args[0].variable(p))) },
				Emit: func(e *emitter, args []operand) value.Value {
					return e.load(f.step(e, args[0], e.read(args[0]), e.value(args[0].place)))
				},
			},
			Replacer{
				Name: "PDEREF_" + f.name, Result: ofVariable, IsSigned: never, Effect: true, Accepts: canWrite,
				Text: func(_ *Place, args []operand) face.Text { return f.text(face.Prefix("*", args[0].text)) },
				Emit: func(e *emitter, args []operand) value.Value {
					pointer := e.read(args[0])
					return f.step(e, operand{}, e.load(pointer), pointer)
				},
			})
	}
	return out
}

func (e *emitter) load(pointer value.Value) value.Value {
	return e.add(llir.NewLoad(elementOf(pointer), pointer))
}

// canMove reports a pointer variable to things of known size.
func canMove(p *Place, args []operand) bool {
	return canAssign(p, args[:1]) && isPointer(elementOf(args[0].place)) && isSized(elementOf(elementPointer(args[0])))
}

// elementPointer is a value of the variable's type.
func elementPointer(o operand) value.Value {
	return &llir.Param{Typ: elementOf(o.place)}
}

func canMoveAndRead(p *Place, args []operand) bool { return canMove(p, args) && canRead(p, args) }

// canRead reports an address of a number.
func canRead(_ *Place, args []operand) bool {
	t, ok := args[0].typ().(*types.PointerType)
	if !ok {
		return false
	}
	i, isInteger := t.ElemType.(*types.IntType)
	return isInteger && i.BitSize > 1
}

// canWrite reports an address of a number that a program may change.
func canWrite(p *Place, args []operand) bool {
	return canRead(p, args) && (p.mart || !isConstantMemory(args[0].value) && !p.Face.IsConst(args[0].value))
}

func isSized(t types.Type) bool {
	switch t := t.(type) {
	case *types.StructType:
		return !t.Opaque
	case *types.FuncType:
		return false
	}
	return true
}

// moveReplacers are p + i and p - i, alone and with a dereference before or
// after.
func moveReplacers() []Replacer {
	var out []Replacer
	for _, f := range []struct{ name, symbol string }{{"ADD", "+"}, {"SUB", "-"}} {
		out = append(out,
			Replacer{
				Name: "P" + f.name, IsSigned: never, Accepts: canAdd,
				Text: func(_ *Place, args []operand) face.Text { return face.Binary(args[0].text, f.symbol, args[1].text) },
				Emit: func(e *emitter, args []operand) value.Value { return e.move(args, f.symbol) },
			},
			Replacer{
				Name: "P" + f.name + "_DEREF", IsSigned: never, Accepts: canAddAndRead,
				Text: func(_ *Place, args []operand) face.Text {
					return face.Prefix("*", face.Binary(args[0].text, f.symbol, args[1].text))
				},
				Emit: func(e *emitter, args []operand) value.Value { return e.load(e.move(args, f.symbol)) },
			},
			Replacer{
				Name: "PDEREF_" + f.name, IsSigned: never, Accepts: canAddAndRead,
				Text: func(_ *Place, args []operand) face.Text {
					return face.Binary(face.Prefix("*", args[0].text), f.symbol, args[1].text)
				},
				Emit: func(e *emitter, args []operand) value.Value {
					x := e.load(e.read(args[0]))
					return e.add(newBinary(f.symbol, x, e.convert(e.read(args[1]), x.Type()), false))
				},
			})
	}
	return out
}

func canAdd(_ *Place, args []operand) bool {
	t, ok := args[0].typ().(*types.PointerType)
	return ok && isSized(t.ElemType) && isInteger(args[1].typ())
}

func canAddAndRead(p *Place, args []operand) bool { return canAdd(p, args) && canRead(p, args) }

func (e *emitter) move(args []operand, symbol string) value.Value {
	base, index := e.read(args[0]), e.convert(e.read(args[1]), types.I64)
	if symbol == "-" {
		index = negate(e.Code, index)
	}
	return e.add(llir.NewGetElementPtr(elementOf(base), base, index))
}
