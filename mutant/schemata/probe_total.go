package schemata

import (
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// total appends an instruction of a mutant in a form that neither traps nor is
// undefined, whatever its operands are, and returns its result; where the
// instruction itself would have trapped or been undefined, the mutant is
// infected. ok is false for what has no such form.
func (e *evaluation) total(inst llir.Instruction) (ok bool) {
	mutant.DropPromises(inst)
	dropFastMath(inst)
	switch i := inst.(type) {
	case *llir.InstAdd, *llir.InstSub, *llir.InstMul, *llir.InstAnd, *llir.InstOr, *llir.InstXor,
		*llir.InstFAdd, *llir.InstFSub, *llir.InstFMul, *llir.InstFDiv, *llir.InstFRem, *llir.InstFNeg,
		*llir.InstICmp, *llir.InstFCmp, *llir.InstTrunc, *llir.InstZExt, *llir.InstSExt,
		*llir.InstFPTrunc, *llir.InstFPExt, *llir.InstUIToFP, *llir.InstSIToFP,
		*llir.InstPtrToInt, *llir.InstIntToPtr, *llir.InstBitCast, *llir.InstAddrSpaceCast,
		*llir.InstGetElementPtr, *llir.InstSelect, *llir.InstFreeze, *llir.InstExtractValue, *llir.InstInsertValue:
		if !isPlainValue(inst) {
			return false
		}
	case *llir.InstShl:
		return e.shift(inst, i.X, &i.Y)
	case *llir.InstLShr:
		return e.shift(inst, i.X, &i.Y)
	case *llir.InstAShr:
		return e.shift(inst, i.X, &i.Y)
	case *llir.InstSDiv:
		return e.division(inst, i.X, &i.Y, true)
	case *llir.InstSRem:
		return e.division(inst, i.X, &i.Y, true)
	case *llir.InstUDiv:
		return e.division(inst, i.X, &i.Y, false)
	case *llir.InstURem:
		return e.division(inst, i.X, &i.Y, false)
	case *llir.InstFPToSI:
		return e.toInteger(inst, &i.From, i.To, true)
	case *llir.InstFPToUI:
		return e.toInteger(inst, &i.From, i.To, false)
	case *llir.InstCall:
		if !isTotalCall(i) {
			return false
		}
	default:
		return false
	}
	e.emit(inst)
	return true
}

// isPlainValue leaves out vectors, which operators do not mutate.
func isPlainValue(inst llir.Instruction) bool {
	if _, isVector := inst.(value.Value).Type().(*types.VectorType); isVector {
		return false
	}
	for _, slot := range inst.Operands() {
		if _, isVector := (*slot).Type().(*types.VectorType); isVector {
			return false
		}
	}
	return true
}

// totalCalls are intrinsics that are functions of their arguments and defined
// for all of them, by the start of their names.
var totalCalls = []string{
	"llvm.fabs.", "llvm.copysign.", "llvm.floor.", "llvm.ceil.", "llvm.trunc.", "llvm.rint.", "llvm.nearbyint.", "llvm.round.",
	"llvm.sqrt.", "llvm.fma.", "llvm.fmuladd.", "llvm.minnum.", "llvm.maxnum.",
	"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.", "llvm.ctpop.", "llvm.bswap.", "llvm.bitreverse.",
}

func isTotalCall(call *llir.InstCall) bool {
	f, ok := call.Callee.(*llir.Func)
	if !ok {
		return false
	}
	for _, start := range totalCalls {
		if strings.HasPrefix(f.Name(), start) {
			return isPlainValue(call)
		}
	}
	return false
}

// shift guards against distances beyond the width.
func (e *evaluation) shift(inst llir.Instruction, x value.Value, distance *value.Value) bool {
	t, ok := x.Type().(*types.IntType)
	if !ok {
		return false
	}
	width := constant.NewInt(t, int64(t.BitSize))
	if c, ok := (*distance).(*constant.Int); ok {
		if c.X.Sign() < 0 || c.X.Cmp(width.X) >= 0 {
			return false
		}
	} else {
		far := e.emit(llir.NewICmp(enum.IPredUGE, *distance, width))
		e.infectedIf(far)
		*distance = e.emit(llir.NewSelect(far, constant.NewInt(t, 0), *distance))
	}
	e.emit(inst)
	return true
}

// division guards against the divisor 0, and -1 where it overflows.
func (e *evaluation) division(inst llir.Instruction, x value.Value, divisor *value.Value, signed bool) bool {
	t, ok := x.Type().(*types.IntType)
	if !ok || isZero(*divisor) {
		return false
	}
	if !isHarmlessDivisor(*divisor) {
		bad := e.emit(llir.NewICmp(enum.IPredEQ, *divisor, constant.NewInt(t, 0)))
		if signed {
			isLeast := e.emit(llir.NewICmp(enum.IPredEQ, x, minus(t, new(big.Int).Lsh(big.NewInt(1), uint(t.BitSize-1)))))
			isMinusOne := e.emit(llir.NewICmp(enum.IPredEQ, *divisor, minus(t, big.NewInt(1))))
			bad = e.emit(llir.NewOr(bad, e.emit(llir.NewAnd(isLeast, isMinusOne))))
		}
		e.infectedIf(bad)
		*divisor = e.emit(llir.NewSelect(bad, constant.NewInt(t, 1), *divisor))
	}
	e.emit(inst)
	return true
}

// minus is the constant -n. The only negative number of one bit is its true, 1.
func minus(t *types.IntType, n *big.Int) *constant.Int {
	if t.BitSize == 1 {
		return constant.NewInt(t, 1)
	}
	return &constant.Int{Typ: t, X: new(big.Int).Neg(n)}
}

// toInteger guards against numbers that the integer type does not hold.
func (e *evaluation) toInteger(inst llir.Instruction, from *value.Value, to types.Type, signed bool) bool {
	t, ok := to.(*types.IntType)
	source, isFloat := (*from).Type().(*types.FloatType)
	if !ok || !isFloat || t.BitSize > 64 || source.Kind != types.FloatKindFloat && source.Kind != types.FloatKindDouble {
		return false
	}
	bits := int(t.BitSize)
	low := 0.0
	if signed {
		bits--
		low = -float64(uint64(1) << bits)
	}
	high := 2 * float64(uint64(1)<<(bits-1))
	if bits == 0 {
		return false
	}
	above := e.emit(llir.NewFCmp(enum.FPredOGE, *from, constant.NewFloat(source, low)))
	below := e.emit(llir.NewFCmp(enum.FPredOLT, *from, constant.NewFloat(source, high)))
	good := e.emit(llir.NewAnd(above, below))
	e.infectedIf(e.emit(llir.NewXor(good, constant.True)))
	*from = e.emit(llir.NewSelect(good, *from, constant.NewFloat(source, 0)))
	e.emit(inst)
	return true
}

func dropFastMath(inst llir.Instruction) {
	switch i := inst.(type) {
	case *llir.InstFAdd:
		i.FastMathFlags = nil
	case *llir.InstFSub:
		i.FastMathFlags = nil
	case *llir.InstFMul:
		i.FastMathFlags = nil
	case *llir.InstFDiv:
		i.FastMathFlags = nil
	case *llir.InstFRem:
		i.FastMathFlags = nil
	case *llir.InstFNeg:
		i.FastMathFlags = nil
	case *llir.InstFCmp:
		i.FastMathFlags = nil
	}
}
