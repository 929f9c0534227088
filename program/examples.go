package program

import (
	"context"
	"os"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
)

// Examples looks for what tells mutants, by their ids, from the original: an input of the
// program, where its main is in their file, or else a call of their function, where it depends on
// its arguments alone. Inputs are looked for among those of tests, too. Those are left out of which
// none is found. Nothing is run but by the interpreter. Where the time is up, it returns what it
// has found until then beside the error.
func Examples(ctx context.Context, p *Program, wanted map[string]bool, tests [][]byte) (map[string]*report.Example, error) {
	return examples(ctx, p, wanted, tests, (*exemplary).of)
}

// Inputs are Examples, of inputs alone.
func Inputs(ctx context.Context, p *Program, wanted map[string]bool, tests [][]byte) (map[string]*report.Example, error) {
	return examples(ctx, p, wanted, tests, (*exemplary).input)
}

func examples(ctx context.Context, p *Program, wanted map[string]bool, tests [][]byte, of func(*exemplary, *mutant.Mutant) *report.Example) (map[string]*report.Example, error) {
	out := map[string]*report.Example{}
	for _, u := range p.Units {
		e := &exemplary{unit: u, tests: tests, module: &op.Module{}, calls: map[*llir.Func]*replay.Calls{}}
		for _, f := range u.Module.LLVM.Funcs {
			if f.Name() == "main" && len(f.Blocks) > 0 {
				e.main = f
			}
		}
		for i := range u.Mutants {
			m := &u.Mutants[i]
			if !wanted[m.ID] {
				continue
			}
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if m.Site.Func == nil {
				continue
			}
			if found := of(e, m); found != nil {
				out[m.ID] = found
			}
		}
	}
	return out, nil
}

// exemplary finds examples for the mutants of a file.
type exemplary struct {
	unit   *Unit
	tests  [][]byte
	module *op.Module
	main   *llir.Func
	inputs *replay.Inputs // drawn when they are asked for first
	calls  map[*llir.Func]*replay.Calls
}

func (e *exemplary) of(m *mutant.Mutant) *report.Example {
	if found := e.input(m); found != nil {
		return found
	}
	return e.call(m)
}

func (e *exemplary) input(m *mutant.Mutant) *report.Example {
	if e.main == nil {
		return nil
	}
	if e.inputs == nil {
		source, err := os.ReadFile(e.unit.Input.Path)
		if err != nil { // what it names is not known
			source = nil
		}
		if e.inputs = replay.InputsOf(e.main, e.module, e.tests, source); e.inputs == nil {
			e.main = nil
			return nil
		}
	}
	f := m.Site.Func
	found := e.inputs.Tell(f, smt.ChangeOf(e.module.Function(f), m))
	if found == nil {
		return nil
	}
	return &report.Example{Input: found.Input, Original: (*report.Ending)(&found.Original), Mutant: (*report.Ending)(&found.Mutant)}
}

func (e *exemplary) call(m *mutant.Mutant) *report.Example {
	f := m.Site.Func
	code := e.module.Function(f)
	change := smt.ChangeOf(code, m)
	if change == nil {
		return nil
	}
	calls, known := e.calls[f]
	if !known {
		calls = replay.CallsOf(f, code, func([]int64) bool { return true })
		e.calls[f] = calls
	}
	if calls == nil {
		return nil
	}
	if told := calls.Tell(change, nil); told.Call != "" && !told.Near {
		return &report.Example{Call: told.Call}
	}
	return nil
}
