package program

import (
	"context"
	"os"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
)

// Examples looks for what tells mutants from the original: inputs of the program, where its main
// is in their file, or else calls of their function, where it depends on its arguments alone.
// Nothing is run but by the interpreter. The inputs that mutants are run on are made once a file,
// when the first of its mutants is asked for, and what is found of a mutant is kept.
type Examples struct {
	of map[string]*example
}

// example is a mutant with what was found of it.
type example struct {
	in     *exemplary
	m      *mutant.Mutant
	looked bool
	found  *replay.Found // nil for none
}

// NewExamples makes the examples of a program. Inputs are looked for among those of its tests, too,
// which give it nothing but an input and arguments.
func NewExamples(p *Program, tests []variation.Test) *Examples {
	out := &Examples{of: map[string]*example{}}
	for _, u := range p.Units {
		e := &exemplary{unit: u, tests: tests, module: &op.Module{}, calls: map[*llir.Func]*replay.Calls{}}
		for _, f := range u.Module.LLVM.Funcs {
			if f.Name() == "main" && len(f.Blocks) > 0 {
				e.main = f
			}
		}
		for i := range u.Mutants {
			if m := &u.Mutants[i]; m.Site.Func != nil {
				out.of[m.ID] = &example{in: e, m: m}
			}
		}
	}
	return out
}

// Told says of some mutants, by their ids, whether an input is found that tells them; nothing of those
// whose file has no main, or a program of which the interpreter knows on no input what it does. Where
// the time is up, it returns what it has found until then beside the error.
func (e *Examples) Told(ctx context.Context, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if of := e.of[id]; of != nil && of.in.hasInputs() {
			out[id] = of.find()
		}
	}
	return out, nil
}

// Reached says whether an input was found on which the program comes to a mutant.
func (e *Examples) Reached(id string) bool {
	of := e.of[id]
	if of == nil || !of.in.hasInputs() {
		return false
	}
	f := of.m.Site.Func
	return of.in.inputs.Reach(f, smt.ChangeOf(of.in.module.Function(f), of.m))
}

func (e *example) find() bool {
	if !e.looked {
		e.looked, e.found = true, e.in.input(e.m)
	}
	return e.found != nil
}

// Inputs are inputs that tell mutants, by their ids, made simple. Those are left out of which none is
// found. Where the time is up, it returns what it has found until then beside the error.
func (e *Examples) Inputs(ctx context.Context, ids []string) (map[string]*report.Example, error) {
	out := map[string]*report.Example{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if of := e.of[id]; of != nil && of.find() {
			simple := of.found.Simple()
			out[id] = &report.Example{Given: simple.Given, Original: (*report.Ending)(&simple.Original), Mutant: (*report.Ending)(&simple.Mutant)}
		}
	}
	return out, nil
}

// Calls are calls that tell mutants, as Inputs.
func (e *Examples) Calls(ctx context.Context, ids []string) (map[string]*report.Example, error) {
	out := map[string]*report.Example{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if of := e.of[id]; of != nil {
			if call := of.in.call(of.m); call != nil {
				out[id] = call
			}
		}
	}
	return out, nil
}

// exemplary finds examples for the mutants of a file.
type exemplary struct {
	unit   *Unit
	tests  []variation.Test
	module *op.Module
	main   *llir.Func
	inputs *replay.Inputs // drawn when they are asked for first
	calls  map[*llir.Func]*replay.Calls
}

// hasInputs makes the inputs, and says whether there are any.
func (e *exemplary) hasInputs() bool {
	if e.inputs == nil && e.main != nil {
		source, err := os.ReadFile(e.unit.Input.Path)
		if err != nil { // what it names is not known
			source = nil
		}
		if e.inputs = replay.InputsOf(e.main, e.module, e.tests, source); e.inputs == nil || e.inputs.Len() == 0 {
			e.main, e.inputs = nil, nil
		}
	}
	return e.inputs != nil
}

func (e *exemplary) input(m *mutant.Mutant) *replay.Found {
	if !e.hasInputs() {
		return nil
	}
	f := m.Site.Func
	return e.inputs.Find(f, smt.ChangeOf(e.module.Function(f), m))
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
