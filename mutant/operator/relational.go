package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// relational replaces comparisons by one another and by true and false (ROR).
var relational = Operator{
	Name: "relational",
	Doc:  "replaces a comparison: `i < n` becomes `i <= n`, `i != n`, `1`, …",
	Match: func(p *Place) []Proposal {
		switch i := p.Inst.(type) {
		case *llir.InstICmp:
			if isTruthTest(i) || !isScalar(i.X.Type()) && !isPointer(i.X.Type()) || p.isCompilerMade(i) {
				return nil
			}
			return p.comparisons(face.ComparisonSymbol(i.Pred.String()), i.X, i.Y)
		case *llir.InstFCmp:
			if isTruthTest(i) || p.isCompilerMade(i) {
				return nil
			}
			return p.comparisons(face.ComparisonSymbol(i.Pred.String()), i.X, i.Y)
		}
		return nil
	},
}

// relationalFragments has the order of Mart's list.
var relationalFragments = []fragment{{"==", "EQ"}, {"!=", "NEQ"}, {"<", "LT"}, {">", "GT"}, {"<=", "LE"}, {">=", "GE"}}

func (p *Place) comparisons(symbol string, x, y value.Value) []Proposal {
	matcher := fragmentOf(relationalFragments, symbol)
	if matcher == "" {
		return nil // ordered and unordered tests are no C operators
	}
	family, prefix := relationalFragments, ""
	if isPointer(x.Type()) {
		prefix = "P"
		if matcher == "EQ" || matcher == "NEQ" {
			family = family[:2] // pointers compared for identity have no order
		}
	}
	unsigned := p.isUnsigned(p.Inst)
	var out []Proposal
	for _, f := range family {
		if f.symbol == symbol {
			continue
		}
		out = append(out, p.replaceResult(prefix+matcher, prefix+f.name, face.Binary(p.Face.Operand(p.Inst, 0, x), f.symbol, p.Face.Operand(p.Inst, 1, y)),
			func(c *mutant.Code) value.Value { return newComparison(c, f.name, x, y, unsigned) }))
	}
	return append(out, p.constants(prefix+matcher)...)
}

// constants proposes 1 and 0 in the place of a truth value.
func (p *Place) constants(matcher string) []Proposal {
	var out []Proposal
	for _, truth := range []bool{true, false} {
		text := face.Text{C: "0", Prec: face.Primary}
		if truth {
			text.C = "1"
		}
		out = append(out, p.replaceResult(matcher, "CONSTVAL", p.Face.AfterEffects(p.Inst, text),
			func(*mutant.Code) value.Value { return constant.NewBool(truth) }))
	}
	return out
}

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
