package face

import (
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
)

// operation renders arithmetic, bitwise operations and conversions.
func (r *Renderer) operation(inst llir.Instruction) typed {
	x, y, ok := Operands(inst)
	switch {
	case ok && isComplement(inst, y):
		t := r.typed(x)
		if complement(inst) == "!" {
			return typed{Prefix("!", t.Text), intType}
		}
		t = r.widened(t, x.Type())
		return typed{Prefix("~", t.Text), t.promoted()}
	case ok && isNegation(inst, x):
		t := r.widened(r.typed(y), y.Type())
		return typed{Prefix("-", t.Text), t.promoted()}
	case ok && IsPointerDifference(inst):
		lhs, rhs := difference(inst)
		return typed{Binary(r.Of(lhs), "-", r.Of(rhs)), cType{integerKind, 64, false}}
	case ok:
		return r.binary(inst, x, y)
	}
	if t, ok := r.conversion(inst); ok {
		return t
	}
	if named, ok := inst.(value.Named); ok {
		return typed{Text{named.Name(), Primary}, signedOf(named.Type())}
	}
	return typed{Text: Text{"…", Primary}}
}

// binary renders `x op y`, with a cast of x where C would otherwise compute in
// another width or sign than the instruction.
func (r *Renderer) binary(inst llir.Instruction, x, y value.Value) typed {
	a, b := r.converted(x, y, signOf(inst), isShift(inst))
	if c, ok := y.(*constant.Int); ok && c.X.Sign() < 0 && Symbol(inst) == "+" && c.X.BitLen() < int(c.Typ.BitSize) {
		return typed{Binary(a.Text, "-", Text{new(big.Int).Neg(c.X).String(), Primary}), common(a.cType, b.cType)}
	}
	t := common(a.cType, b.cType)
	if isShift(inst) {
		t = a.promoted()
	}
	return typed{Binary(a.Text, Symbol(inst), b.Text), t}
}

// sign is what an instruction asks of its operands' signs.
type sign uint8

const (
	anySign sign = iota
	signedOnly
	unsignedOnly
)

func signOf(inst llir.Instruction) sign {
	switch inst.(type) {
	case *llir.InstSDiv, *llir.InstSRem, *llir.InstAShr:
		return signedOnly
	case *llir.InstUDiv, *llir.InstURem, *llir.InstLShr:
		return unsignedOnly
	}
	return anySign
}

func isShift(inst llir.Instruction) bool {
	switch inst.(type) {
	case *llir.InstShl, *llir.InstLShr, *llir.InstAShr:
		return true
	}
	return false
}

// converted returns the operands such that C computes with them in the IR's
// width and sign.
func (r *Renderer) converted(x, y value.Value, s sign, shift bool) (a, b typed) {
	a, b = r.typed(x), r.typed(y)
	want := signedOf(x.Type())
	if a.kind == unknownKind || b.kind == unknownKind || want.kind == unknownKind || want.kind == integerKind && want.bits < 32 {
		return a, b
	}
	is := common(a.cType, b.cType)
	if shift {
		is = a.promoted()
	}
	if s == signedOnly {
		for _, operand := range []*typed{&a, &b} {
			if p := operand.promoted(); p.unsigned && is.unsigned && !(shift && operand == &b) {
				*operand = r.castTo(*operand, cType{integerKind, want.bits, false})
			}
		}
		is.unsigned = false
	}
	if is.kind != want.kind || is.bits != want.bits || s == unsignedOnly && !is.unsigned {
		want.unsigned = want.kind == integerKind && (s == unsignedOnly || a.unsigned && a.bits >= 32)
		a = r.castTo(a, want)
	}
	return a, b
}

// widened casts a text that C would compute with in fewer bits.
func (r *Renderer) widened(x typed, t types.Type) typed {
	want := signedOf(t)
	if x.kind != integerKind || want.kind != integerKind || want.bits <= x.promoted().bits {
		return x
	}
	return r.castTo(x, want)
}

func (r *Renderer) comparison(v *llir.InstICmp) typed {
	if isTruthTest(v) {
		return typed{r.Of(v.X), intType}
	}
	s := anySign
	switch v.Pred {
	case enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE:
		s = signedOnly
	case enum.IPredULT, enum.IPredULE, enum.IPredUGT, enum.IPredUGE:
		s = unsignedOnly
	}
	a, b := r.converted(v.X, v.Y, s, false)
	return typed{Binary(a.Text, ComparisonSymbol(v.Pred.String()), b.Text), intType}
}

func (r *Renderer) floatComparison(v *llir.InstFCmp) typed {
	if strings.HasPrefix(v.Name(), truthTest) {
		return typed{r.Of(v.X), intType}
	}
	a, b := r.converted(v.X, v.Y, anySign, false)
	return typed{Binary(a.Text, ComparisonSymbol(v.Pred.String()), b.Text), intType}
}

// truthTest starts the name that clang gives to the `!= 0` of a condition that
// is no comparison.
const truthTest = "tobool"

func isTruthTest(v *llir.InstICmp) bool {
	if !strings.HasPrefix(v.Name(), truthTest) {
		return false
	}
	_, isNull := v.Y.(*constant.Null)
	return isNull || isZero(v.Y)
}

func (r *Renderer) selection(v *llir.InstSelect) typed {
	yes, no := r.typed(v.ValueTrue), r.typed(v.ValueFalse)
	return typed{Choice(r.Of(v.Cond), yes.Text, no.Text), common(yes.cType, no.cType)}
}

// fusedMultiplyAdd starts the names of the intrinsics that clang makes of
// `x * y + z`.
const fusedMultiplyAdd = "llvm.fmuladd."

func (r *Renderer) call(v *llir.InstCall) typed {
	t := signedOf(v.Type())
	if text, ok := r.Assembly(v); ok {
		return typed{text, t}
	}
	if f, ok := v.Callee.(*llir.Func); ok {
		if strings.HasPrefix(f.Name(), fusedMultiplyAdd) && len(v.Args) == 3 {
			product := Binary(r.Of(v.Args[0]), "*", r.Of(v.Args[1]))
			return typed{Binary(product, "+", r.Of(v.Args[2])), t}
		}
	}
	return typed{r.CallWith(v, func([]Text) {}), t}
}

// Callee renders the function that is called.
func (r *Renderer) Callee(v *llir.InstCall) string {
	if e := r.exprOf(v); e != nil && e.Kind == csource.Call {
		return textOf(e.Operands[0]).In(Postfix)
	}
	if f, ok := v.Callee.(*llir.Func); ok {
		return strings.TrimPrefix(f.Name(), "__isoc99_") // glibc's scanf
	}
	return r.Of(v.Callee).In(Postfix)
}

func isComplement(inst llir.Instruction, y value.Value) bool {
	_, ok := inst.(*llir.InstXor)
	c, isConst := y.(*constant.Int)
	if !ok || !isConst {
		return false
	}
	return c.X.Cmp(big.NewInt(-1)) == 0 || c.Typ.BitSize == 1 && c.X.Sign() != 0
}

func complement(inst llir.Instruction) string {
	if x, ok := inst.(*llir.InstXor); ok {
		if c, ok := x.Y.(*constant.Int); ok && c.Typ.BitSize == 1 {
			return "!"
		}
	}
	return "~"
}

func isNegation(inst llir.Instruction, x value.Value) bool {
	_, ok := inst.(*llir.InstSub)
	return ok && isZero(x)
}

// Symbol returns the C operator of a binary instruction, or "".
func Symbol(inst llir.Instruction) string {
	switch inst.(type) {
	case *llir.InstAdd, *llir.InstFAdd:
		return "+"
	case *llir.InstSub, *llir.InstFSub:
		return "-"
	case *llir.InstMul, *llir.InstFMul:
		return "*"
	case *llir.InstUDiv, *llir.InstSDiv, *llir.InstFDiv:
		return "/"
	case *llir.InstURem, *llir.InstSRem, *llir.InstFRem:
		return "%"
	case *llir.InstAnd:
		return "&"
	case *llir.InstOr:
		return "|"
	case *llir.InstXor:
		return "^"
	case *llir.InstShl:
		return "<<"
	case *llir.InstLShr, *llir.InstAShr:
		return ">>"
	}
	return ""
}

// Operands returns the two operands of a binary arithmetic or bitwise
// instruction.
func Operands(inst llir.Instruction) (x, y value.Value, ok bool) {
	if Symbol(inst) == "" {
		return nil, nil, false
	}
	slots := inst.(value.User).Operands()
	return *slots[0], *slots[1], true
}

// ComparisonSymbol returns the C operator of an icmp or fcmp predicate.
func ComparisonSymbol(predicate string) string {
	switch predicate {
	case "eq", "oeq", "ueq":
		return "=="
	case "ne", "one", "une":
		return "!="
	case "slt", "ult", "olt":
		return "<"
	case "sgt", "ugt", "ogt":
		return ">"
	case "sle", "ule", "ole":
		return "<="
	case "sge", "uge", "oge":
		return ">="
	}
	return predicate
}
