package features

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// pairs reports whether the edit goes from one name of a pair to the other;
// comparisons of pointers (PEQ) count as those of numbers.
func pairs(c *edit, list ...string) bool {
	from, to := relationName(c.matcher), relationName(c.replacer)
	for _, pair := range list {
		a, b, _ := strings.Cut(pair, " ")
		if from == a && to == b || from == b && to == a {
			return true
		}
	}
	return false
}

func relationName(fragment string) string {
	if isRelation(fragment) {
		return strings.TrimPrefix(fragment, "P")
	}
	return fragment
}

func isRelation(fragment string) bool {
	switch strings.TrimPrefix(fragment, "P") {
	case "EQ", "NEQ", "LT", "GT", "LE", "GE":
		return true
	}
	return false
}

func isArithmetic(fragment string) bool {
	switch fragment {
	case "ADD", "SUB", "MUL", "DIV", "MOD":
		return true
	}
	return false
}

func isBitwise(fragment string) bool {
	switch fragment {
	case "BITAND", "BITOR", "BITXOR", "BITSHL", "BITSHR":
		return true
	}
	return false
}

// isStepName reports ++ and -- in any of their forms.
func isStepName(fragment string) bool {
	return strings.HasSuffix(fragment, "INC") || strings.HasSuffix(fragment, "DEC")
}

func isDivision(inst any) bool {
	switch inst.(type) {
	case *llir.InstSDiv, *llir.InstUDiv, *llir.InstSRem, *llir.InstURem:
		return true
	}
	return false
}

// numberOf returns a constant's value.
func numberOf(v value.Value) (float64, bool) {
	if v == nil {
		return 0, false
	}
	switch c := ir.Unwrap(v).(type) {
	case *constant.Int:
		x, _ := c.X.Float64()
		return x, true
	case *constant.Float:
		if c.X == nil || c.NaN {
			return 0, false
		}
		x, _ := c.X.Float64()
		return x, true
	}
	return 0, false
}
