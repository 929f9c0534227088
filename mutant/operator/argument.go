package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// areAlike reports arguments that may take each other's place: of one type,
// and passed without attributes such as byval that belong to the parameter.
func areAlike(x, y value.Value) bool {
	return x.Type().Equal(y.Type()) && isPlain(x) && isPlain(y) && ir.Unwrap(x) != ir.Unwrap(y)
}

func isPlain(v value.Value) bool {
	arg, ok := v.(*llir.Arg)
	if !ok {
		return true
	}
	for _, a := range arg.Attrs {
		switch a.String() {
		case "noundef", "signext", "zeroext", "nonnull":
		default:
			return false
		}
	}
	return true
}

// exchange swaps two arguments.
func (p *Place) exchange(call *llir.InstCall, i, k int) Proposal {
	return Proposal{
		Matcher: "CALL", Replacer: "SHUFFLEARGS",
		Original: p.Face.Of(call), Replacement: p.Face.CallWith(call, func(args []face.Text) { args[i], args[k] = args[k], args[i] }),
		irOnly: !p.Face.HasArguments(call),
		Edit: mutant.Rewrite{Insts: []llir.Instruction{call}, Emit: func(c *mutant.Code) value.Value {
			twin := mutant.Add(c, mutant.CopyOf(call).(*llir.InstCall))
			swap(&twin.Args[i], &twin.Args[k])
			return twin
		}},
	}
}

// swap exchanges two arguments; attributes stay with the parameter.
func swap(x, y *value.Value) {
	slot := func(v *value.Value) *value.Value {
		if arg, ok := (*v).(*llir.Arg); ok {
			return &arg.Value
		}
		return v
	}
	a, b := slot(x), slot(y)
	*a, *b = *b, *a
}
