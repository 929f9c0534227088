package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// relationalFragments has the order of Mart's list.
var relationalFragments = []fragment{{"==", "EQ"}, {"!=", "NEQ"}, {"<", "LT"}, {">", "GT"}, {"<=", "LE"}, {">=", "GE"}}

// isTruthTest reports the `!= 0` that C makes of a condition that is no
// comparison. clang names it tobool; without names an explicit `!= 0` looks
// the same and is taken for written.
func isTruthTest(i value.Named) bool { return strings.HasPrefix(i.Name(), "tobool") }

func isPointer(t types.Type) bool { _, ok := t.(*types.PointerType); return ok }

func newComparison(c *mutant.Code, name string, x, y value.Value, unsigned bool) value.Value {
	if isFloat(x.Type()) {
		return mutant.Add(c, llir.NewFCmp(floatPredicates[name], x, y))
	}
	if unsigned {
		if p, ok := unsignedPredicates[name]; ok {
			return mutant.Add(c, llir.NewICmp(p, x, y))
		}
	}
	return mutant.Add(c, llir.NewICmp(signedPredicates[name], x, y))
}

var (
	signedPredicates = map[string]enum.IPred{
		"EQ": enum.IPredEQ, "NEQ": enum.IPredNE, "LT": enum.IPredSLT, "GT": enum.IPredSGT, "LE": enum.IPredSLE, "GE": enum.IPredSGE}
	unsignedPredicates = map[string]enum.IPred{
		"LT": enum.IPredULT, "GT": enum.IPredUGT, "LE": enum.IPredULE, "GE": enum.IPredUGE}
	floatPredicates = map[string]enum.FPred{
		"EQ": enum.FPredOEQ, "NEQ": enum.FPredUNE, "LT": enum.FPredOLT, "GT": enum.FPredOGT, "LE": enum.FPredOLE, "GE": enum.FPredOGE}
)
