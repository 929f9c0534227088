package face

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
)

// cType is an arithmetic type of C, as far as it matters to what an operator
// computes.
type cType struct {
	kind     typeKind
	bits     int
	unsigned bool // of integers
}

type typeKind uint8

const (
	unknownKind typeKind = iota // pointers, structures, and what was not found out
	integerKind
	floatKind
)

var intType = cType{kind: integerKind, bits: 32}

// The sizes are those of the LP64 model, which all targets of clang-14 that
// winnow supports have.
var basicTypes = map[string]cType{
	"_Bool": {integerKind, 8, true}, "char": {integerKind, 8, false},
	"signed char": {integerKind, 8, false}, "unsigned char": {integerKind, 8, true},
	"short": {integerKind, 16, false}, "unsigned short": {integerKind, 16, true},
	"int": intType, "unsigned int": {integerKind, 32, true}, "unsigned": {integerKind, 32, true},
	"long": {integerKind, 64, false}, "unsigned long": {integerKind, 64, true},
	"long long": {integerKind, 64, false}, "unsigned long long": {integerKind, 64, true},
	"float": {floatKind, 32, false}, "double": {floatKind, 64, false}, "long double": {floatKind, 80, false},
	"__int128": {integerKind, 128, false}, "unsigned __int128": {integerKind, 128, true},
}

// namedType reads a type as C spells it; a typedef's name is unknown.
func namedType(name string) cType {
	return basicTypes[strings.TrimPrefix(strings.TrimPrefix(name, "const "), "volatile ")]
}

// signedOf is the C type of an IR type, integers taken for signed.
func signedOf(t types.Type) cType {
	switch t := t.(type) {
	case *types.IntType:
		if t.BitSize == 1 {
			return intType // a truth value
		}
		return cType{kind: integerKind, bits: int(t.BitSize)}
	case *types.FloatType:
		return cType{kind: floatKind, bits: floatBits(t)}
	}
	return cType{}
}

func floatBits(t *types.FloatType) int {
	switch t.Kind {
	case types.FloatKindFloat:
		return 32
	case types.FloatKindDouble:
		return 64
	}
	return 80
}

// name spells the type for a cast; one that standard C has no name for, to users, as
// clang does, and in ids as it always was.
func (t cType) name(isShown bool) string {
	if t.kind == floatKind {
		return map[int]string{32: "float", 64: "double", 80: "long double"}[t.bits]
	}
	signed := map[int]string{8: "signed char", 16: "short", 32: "int", 64: "long"}[t.bits]
	switch {
	case signed == "" && isShown && t.bits == 128 && t.unsigned:
		return "unsigned __int128"
	case signed == "" && isShown && t.bits == 128:
		return "__int128"
	case signed == "":
		return fmt.Sprintf("int%d_t", t.bits)
	case !t.unsigned:
		return signed
	case t.bits == 32:
		return "unsigned"
	}
	return "unsigned " + strings.TrimPrefix(signed, "signed ")
}

// promoted is the type after the integer promotions (ISO C11, 6.3.1.1).
func (t cType) promoted() cType {
	if t.kind == integerKind && t.bits < 32 {
		return intType
	}
	return t
}

// common is the type after the usual arithmetic conversions (6.3.1.8).
func common(a, b cType) cType {
	a, b = a.promoted(), b.promoted()
	switch {
	case a.kind != b.kind:
		if a.kind == floatKind {
			return a
		}
		return b
	case a.bits != b.bits:
		if a.bits > b.bits {
			return a
		}
		return b
	}
	a.unsigned = a.unsigned || b.unsigned
	return a
}

// fitsIn reports that every value of t is one of the integer type with so many
// bits and that sign.
func (t cType) fitsIn(bits int, unsigned bool) bool {
	if t.kind != integerKind {
		return false
	}
	return t.unsigned == unsigned && t.bits <= bits || t.unsigned && t.bits < bits
}

// castTo writes a cast, unless the text has the type already.
func (r *Renderer) castTo(x typed, t cType) typed {
	if x.cType == t {
		return x
	}
	if suffix, ok := suffixes[t]; ok && isDigits(x.C) {
		return typed{Text{x.C + suffix, Primary}, t}
	}
	return typed{Text{"(" + t.name(r.first != nil) + ")" + x.In(csource.CastPrecedence), csource.CastPrecedence}, t}
}

var suffixes = map[cType]string{
	{integerKind, 32, true}: "u", {integerKind, 64, false}: "L", {integerKind, 64, true}: "UL", {floatKind, 64, false}: ".0",
}

func isDigits(c string) bool {
	return c != "" && strings.Trim(c, "0123456789") == ""
}

func integer(v *constant.Int) typed {
	t := signedOf(v.Typ)
	if t.kind == integerKind && t.bits > 32 && v.X.BitLen() < 32 {
		t = intType // that is what C takes the digits for
	}
	text := Text{v.X.String(), Primary}
	switch {
	case v.Typ.BitSize == 1:
	case v.X.Sign() < 0 && v.X.BitLen() == int(v.Typ.BitSize) && v.Typ.BitSize >= 32:
		// The digits alone would be too large for the type.
		text = Text{new(big.Int).Add(v.X, big.NewInt(1)).String() + " - 1", Additive}
	case v.X.Sign() < 0:
		text.Prec = Unary
	}
	return typed{text, t}
}

func floating(v *constant.Float) typed {
	t := signedOf(v.Typ)
	x, _ := v.X.Float64()
	text, suffix := "", ""
	switch {
	case v.NaN:
		return typed{Text{"NAN", Primary}, t}
	case math.IsInf(x, 0):
		text = "INFINITY"
	case t.bits == 32:
		text, suffix = strconv.FormatFloat(x, 'g', -1, 32), "f"
	case t.bits == 64:
		text = strconv.FormatFloat(x, 'g', -1, 64)
	default:
		text, suffix = v.X.Text('g', -1), "L"
	}
	if !strings.ContainsAny(text, ".eIN") {
		text += ".0"
	}
	prec := Primary
	if v.X.Sign() < 0 {
		prec = Unary
		if text == "INFINITY" {
			text = "-INFINITY"
		}
	}
	return typed{Text{text + suffix, prec}, t}
}

// IsUnsigned tells whether C computes an arithmetic, bitwise or comparison
// instruction in an unsigned type, by the types that the source or the debug
// information has for its operands; false without either.
func (r *Renderer) IsUnsigned(inst llir.Instruction) bool {
	var a, b cType
	if e := r.exprOf(inst); e != nil && len(e.Operands) == 2 {
		a, b = namedType(e.Operands[0].TypeName), namedType(e.Operands[1].TypeName)
	}
	if a.kind != integerKind || b.kind != integerKind {
		slots := inst.(value.User).Operands()
		if len(slots) != 2 {
			return false
		}
		a, b = r.typed(*slots[0]).cType, r.typed(*slots[1]).cType
	}
	if isShift(inst) {
		return a.promoted().unsigned
	}
	return common(a, b).unsigned
}

// IsUnsignedValue tells whether a value has an unsigned type in C, as far as
// is known: also where C widens it to int before it computes with it.
func (r *Renderer) IsUnsignedValue(v value.Value) bool { return r.typed(v).unsigned }
