package replay

import (
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Program runs a program of one file, whose main reads the standard input, with changes in main.
type Program struct {
	ops           *op.Function
	code          *concrete.Code
	original, run concrete.Path
}

// ProgramOf makes ready a program by its main; nil for other functions.
func ProgramOf(f *llir.Func, code *op.Function) *Program {
	if f.Name() != "main" || f.Sig.Variadic {
		return nil
	}
	return &Program{ops: code, code: concrete.Of(f, &op.Module{})}
}

// programSteps bounds a run of the original; a mutant has three times as many.
const programSteps = 200_000

// Tells runs the original and changes of it on an input, and says which of them show something
// else or end in another way. None do where the original does not end, or where something is
// called that the interpreter does not know.
func (p *Program) Tells(input []byte, changes []*execute.Change) []bool {
	out := make([]bool, len(changes))
	given := &concrete.Given{Text: input}
	p.code.AlongGiven(&p.original, given, nil, programSteps)
	if p.original.Guessed || !p.original.Returned {
		return out
	}
	shown := slices.Clone(p.original.Shown)
	for k, c := range changes {
		scratch, ok := p.code.Scratch(c.Code, c.Value, p.ops.Code.Items[c.At].Block)
		if !ok {
			continue
		}
		change := &concrete.Change{In: p.code, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
		p.code.AlongGiven(&p.run, given, change, 3*programSteps)
		ended := p.run.Returned || p.run.Trapped
		out[k] = ended && !p.run.Guessed && (p.run.Trapped || !slices.Equal(p.run.Shown, shown))
	}
	return out
}
