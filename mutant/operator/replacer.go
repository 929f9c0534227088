package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant/face"
)

// Replacer is a fragment that can take the place of one with a value.
type Replacer struct {
	// Name is the fragment's in the language.
	Name string
	// Effect: it changes a variable.
	Effect bool
	// Result tells the C type of what it computes.
	Result resultType
	// IsSigned reports whether the sign of numbers decides what it computes.
	IsSigned func(isFloat bool) bool
	// Accepts reports whether it can be made of such operands; nil accepts all.
	Accepts func(p *Place, args []operand) bool
	// Text renders it.
	Text func(p *Place, args []operand) face.Text
	// Emit computes it. The caller converts the result.
	Emit func(e *emitter, args []operand) value.Value
}

// resultType is the C type of a replacement.
type resultType uint8

const (
	ofBoth      resultType = iota // the common type of the operands
	ofFirst                       // that of the first operand
	ofMagnitude                   // int, or that of the first operand where it is no int
	ofTruth                       // int
	ofVariable                    // that of the variable that is changed
)

func never(bool) bool  { return false }
func always(bool) bool { return true }

func onlyIntegers(isFloat bool) bool { return !isFloat }
func onlyFloats(isFloat bool) bool   { return isFloat }

func areIntegers(_ *Place, args []operand) bool {
	for _, a := range args {
		if !isInteger(a.typ()) {
			return false
		}
	}
	return true
}

func areNumbers(_ *Place, args []operand) bool {
	for _, a := range args {
		if !isSimple(a.typ()) {
			return false
		}
	}
	return true
}

// binary makes the replacer of an arithmetic or bitwise operator.
func binary(name, symbol string, isSigned func(bool) bool, accepts func(*Place, []operand) bool) Replacer {
	result := ofBoth
	if symbol == "<<" || symbol == ">>" {
		result = ofFirst
	}
	return Replacer{
		Name: name, Result: result, IsSigned: isSigned, Accepts: accepts,
		Text: func(_ *Place, args []operand) face.Text { return face.Binary(args[0].text, symbol, args[1].text) },
		Emit: func(e *emitter, args []operand) value.Value {
			x := e.read(args[0])
			y := e.convert(e.read(args[1]), x.Type())
			if symbol == "%" && isFloat(x.Type()) {
				return e.add(llir.NewFRem(x, y))
			}
			return e.add(newBinary(symbol, x, y, e.unsigned))
		},
	}
}

// hasRemainder leaves out the remainder of floating-point numbers, which is no
// operator of C; Mart has it.
func hasRemainder(p *Place, args []operand) bool {
	return areNumbers(p, args) && (p.mart || areIntegers(p, args))
}

var scalarReplacers = []Replacer{
	binary("ADD", "+", never, areNumbers), binary("SUB", "-", never, areNumbers), binary("MUL", "*", never, areNumbers),
	binary("DIV", "/", onlyIntegers, areNumbers), binary("MOD", "%", onlyIntegers, hasRemainder),
	binary("BITAND", "&", never, areIntegers), binary("BITOR", "|", never, areIntegers), binary("BITXOR", "^", never, areIntegers),
	binary("BITSHL", "<<", never, areIntegers), binary("BITSHR", ">>", always, areIntegers),
	comparison("EQ", "==", onlyFloats), comparison("NEQ", "!=", onlyFloats), comparison("LT", "<", always),
	comparison("GT", ">", always), comparison("LE", "<=", always), comparison("GE", ">=", always),
}

func comparison(name, symbol string, isSigned func(bool) bool) Replacer {
	return Replacer{
		Name: name, Result: ofTruth, IsSigned: isSigned, Accepts: areNumbers,
		Text: func(_ *Place, args []operand) face.Text { return face.Binary(args[0].text, symbol, args[1].text) },
		Emit: func(e *emitter, args []operand) value.Value {
			x := e.read(args[0])
			y := e.convert(e.read(args[1]), x.Type())
			if e.mart && isFloat(x.Type()) {
				return e.add(llir.NewFCmp(martPredicate(name, e.unsigned), x, y))
			}
			return newComparison(e.Code, name, x, y, e.unsigned)
		},
	}
}

// martPredicate is the comparison of floating-point numbers in one of Mart's
// two variants: false, or true, when one is not a number. C has the first, but
// for !=.
func martPredicate(name string, unordered bool) enum.FPred {
	ordered := map[string]enum.FPred{"EQ": enum.FPredOEQ, "NEQ": enum.FPredONE, "LT": enum.FPredOLT, "GT": enum.FPredOGT, "LE": enum.FPredOLE, "GE": enum.FPredOGE}
	if !unordered {
		return ordered[name]
	}
	return map[string]enum.FPred{"EQ": enum.FPredUEQ, "NEQ": enum.FPredUNE, "LT": enum.FPredULT, "GT": enum.FPredUGT, "LE": enum.FPredULE, "GE": enum.FPredUGE}[name]
}

// pointerReplacers compare pointers, as unsigned numbers.
func pointerReplacers() []Replacer {
	var out []Replacer
	for _, f := range relationalFragments {
		out = append(out, Replacer{
			Name: "P" + f.name, IsSigned: never,
			Accepts: func(_ *Place, args []operand) bool { return isPointer(args[0].typ()) && isPointer(args[1].typ()) },
			Text:    func(_ *Place, args []operand) face.Text { return face.Binary(args[0].text, f.symbol, args[1].text) },
			Emit: func(e *emitter, args []operand) value.Value {
				x := e.read(args[0])
				return newComparison(e.Code, f.name, x, e.convert(e.read(args[1]), x.Type()), true)
			},
		})
	}
	return out
}

// unary makes the replacer of an operator with one operand.
func unary(name, symbol string, accepts func(*Place, []operand) bool, emit func(e *emitter, x value.Value) value.Value) Replacer {
	return Replacer{
		Name: name, Result: ofFirst, IsSigned: never, Accepts: accepts,
		Text: func(_ *Place, args []operand) face.Text { return face.Prefix(symbol, args[0].text) },
		Emit: func(e *emitter, args []operand) value.Value { return emit(e, e.read(args[0])) },
	}
}

var unaryReplacers = []Replacer{
	unary("NEG", "-", areNumbers, func(e *emitter, x value.Value) value.Value { return negate(e.Code, x) }),
	unary("BITNOT", "~", areIntegers, func(e *emitter, x value.Value) value.Value { return e.add(llir.NewXor(x, number(x.Type(), -1))) }),
	unary("NOT", "!", nil, func(e *emitter, x value.Value) value.Value {
		return e.add(llir.NewXor(e.convert(x, types.I1), constant.True))
	}),
	neighbour("SUCC", "+"), neighbour("PRED", "-"),
	{
		Name: "ABS", Result: ofMagnitude, IsSigned: never, Accepts: haveSign,
		Text: func(_ *Place, args []operand) face.Text { return magnitude(args[0]) },
		Emit: func(e *emitter, args []operand) value.Value {
			x := e.read(args[0])
			negative := isNegative(e.Code, x)
			return e.add(llir.NewSelect(negative, negate(e.Code, x), x))
		},
	},
	{
		Name: "NEGABS", Result: ofMagnitude, IsSigned: never, Accepts: haveSign,
		Text: func(_ *Place, args []operand) face.Text { return face.Prefix("-", magnitude(args[0])) },
		Emit: func(e *emitter, args []operand) value.Value {
			x := e.read(args[0])
			negative := isNegative(e.Code, x)
			return e.add(llir.NewSelect(negative, x, negate(e.Code, x)))
		},
	},
}

// haveSign leaves out numbers that are their own magnitude.
func haveSign(p *Place, args []operand) bool {
	return areNumbers(p, args) && (p.mart || args[0].value == nil || !p.isUnsignedValue(args[0].value))
}

func magnitude(x operand) face.Text {
	function := "abs"
	if isFloat(x.typ()) {
		function = "fabs"
	} else if t, ok := x.typ().(*types.IntType); ok && t.BitSize > 32 {
		function = "llabs"
	}
	return face.Call(function, x.text)
}

func neighbour(name, symbol string) Replacer {
	return Replacer{
		Name: name, IsSigned: never, Accepts: areNumbers,
		Text: func(_ *Place, args []operand) face.Text {
			return face.Binary(args[0].text, symbol, face.Text{C: "1", Prec: face.Primary})
		},
		Emit: func(e *emitter, args []operand) value.Value {
			x := e.read(args[0])
			return e.add(newBinary(symbol, x, number(x.Type(), 1), false))
		},
	}
}

// keep is one operand alone, constantValue a number.
var (
	keep = Replacer{
		Name: "OPERAND", IsSigned: never,
		Text: func(_ *Place, args []operand) face.Text { return args[0].kept },
		Emit: func(e *emitter, args []operand) value.Value { return e.read(args[0]) },
	}
	constantValue = Replacer{
		Name: "CONSTVAL", IsSigned: never,
		Text: func(_ *Place, args []operand) face.Text { return args[0].text },
		Emit: func(e *emitter, args []operand) value.Value { return args[0].value },
	}
)

// assign stores a value where a variable was read from.
var assign = Replacer{
	Name: "ASSIGN", Result: ofVariable, IsSigned: never, Effect: true, Accepts: canAssign,
	Text: func(p *Place, args []operand) face.Text {
		return face.Assigned{Left: args[0].variable(p), Op: "="}.With(args[1].text)
	},
	Emit: func(e *emitter, args []operand) value.Value {
		v := e.read(args[1])
		place := e.value(args[0].place)
		stored := e.convert(v, elementOf(place))
		e.Insts = append(e.Insts, llir.NewStore(stored, place))
		if e.mart {
			return v
		}
		return e.reread(args[0], stored, v.Type())
	},
}

// canAssign leaves out what C does not let a user change, and what it changes in
// another way than by storing the number: a _Bool.
func canAssign(p *Place, args []operand) bool {
	if args[0].place == nil || len(args) > 1 && !isSimple(args[1].typ()) {
		return false
	}
	place := args[0].place
	return p.mart || !isConstantMemory(place) && !p.Face.IsConst(place) && !p.Face.IsBool(place) && !p.fn.isTemporary(place)
}

// isConstantMemory reports a place in a constant: of a const array, of a
// string.
func isConstantMemory(place value.Value) bool {
	switch p := place.(type) {
	case *llir.Global:
		return p.Immutable
	case *llir.InstGetElementPtr:
		return isConstantMemory(p.Src)
	case *constant.ExprGetElementPtr:
		return isConstantMemory(p.Src)
	case *llir.InstBitCast:
		return isConstantMemory(p.From)
	}
	return false
}
