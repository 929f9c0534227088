package program

import (
	"context"
	"fmt"
	"os"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Examples looks for what tells mutants from the original: inputs of a program whose main is in
// their file, or that is linked of their file and others, or else calls of their function, with numbers
// where it depends on its arguments alone, or with objects. Nothing is run but by the interpreter. The inputs that mutants are run
// on are made once a main, when the first of its mutants is asked for, and what is found of a mutant is
// kept. Where winnow fails at one, nothing is found, and the program has a warning.
type Examples struct {
	of      map[string]*example
	mains   []*started
	workers int
}

// example is a mutant with what was found of it: an input, or a call.
type example struct {
	in       *exemplary
	m        *mutant.Mutant
	programs []*replay.Inputs // that have its function
	change   *execute.Change
	looked   bool
	found    *replay.Found   // nil for none
	simple   *report.Example // the same, as it is shown
	called   bool
	call     *report.Example // nil for none
}

// mostMains bounds the programs in which inputs are looked for that tell a mutant of a file without main.
const mostMains = 4

// NewExamples makes the examples of a program. Inputs are looked for among those of its tests, too. Where
// several files have a main, each is linked with all that have none.
func NewExamples(p *Program, tests []variation.Test) *Examples {
	out := &Examples{of: map[string]*example{}, workers: p.workers}
	module := &op.Module{}
	var all, others []*llir.Module
	for _, u := range p.Units {
		all = append(all, u.Module.LLVM)
	}
	library := concrete.NewLibrary(module, all...)
	trouble := func(of, cause string) {
		p.warn(fmt.Sprintf("examples that tell mutants are missing for %s, which is a bug in winnow: please report it: %s", of, cause))
	}
	var shared []string
	units := make([]*exemplary, len(p.Units))
	for k, u := range p.Units {
		units[k] = &exemplary{trouble: trouble, module: module, calls: map[*llir.Func]*replay.Calls{}, library: library, objects: map[*llir.Func]*replay.ObjectCalls{}}
		var main *llir.Func
		for _, f := range u.Module.LLVM.Funcs {
			if f.Name() == "main" && len(f.Blocks) > 0 {
				main = f
			}
		}
		if main == nil {
			others, shared = append(others, u.Module.LLVM), append(shared, u.Input.Path)
			continue
		}
		units[k].programs = []*started{{trouble: trouble, main: main, module: module, tests: tests, sources: []string{u.Input.Path}}}
		out.mains = append(out.mains, units[k].programs[0])
	}
	for _, main := range out.mains {
		main.others, main.sources = others, append(main.sources, shared...)
	}
	for k, u := range p.Units {
		if units[k].programs == nil {
			units[k].programs = out.mains
		}
		for i := range u.Mutants {
			if m := &u.Mutants[i]; m.Site.Func != nil {
				out.of[m.ID] = &example{in: units[k], m: m}
			}
		}
	}
	return out
}

// Told says of some mutants, by their ids, whether an input is found that tells them, and of those that are
// in no program, or in one of which the interpreter knows on no input what it does, whether a call is. Where
// the time is up, it returns what it has found until then beside the error.
func (e *Examples) Told(ctx context.Context, ids []string) (byInput, byCall map[string]bool, err error) {
	byInput, byCall = map[string]bool{}, map[string]bool{}
	looked, err := e.look(ctx, ids, (*example).find)
	for _, of := range looked {
		byInput[of.m.ID] = of.found != nil
	}
	for _, id := range ids {
		of := e.of[id]
		if of == nil || len(of.in.inputs(of.m.Site.Func)) > 0 {
			continue
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			break
		}
		byCall[id] = of.findCall() != nil
	}
	return byInput, byCall, err
}

// look looks for inputs that tell mutants of programs of which inputs are known, several at once, and
// returns those that were looked at, in their order: where the time is up, not all of them, beside the error.
func (e *Examples) look(ctx context.Context, ids []string, how func(of *example)) (looked []*example, err error) {
	var asked []*example
	for _, id := range ids { // inputs are made one program after another
		if of := e.of[id]; of != nil {
			of.try(func() {
				if of.programs = of.in.inputs(of.m.Site.Func); len(of.programs) > 0 {
					of.change = of.in.change(of.m)
					asked = append(asked, of)
				}
			})
		}
	}
	done := make([]bool, len(asked))
	err = parallel.Each(ctx, e.workers, slices.Values(asked), func(_ context.Context, k int, of *example) error {
		how(of)
		done[k] = true
		return nil
	})
	for k, of := range asked {
		if done[k] {
			looked = append(looked, of)
		}
	}
	return looked, err
}

// Uncalled says of a mutant, by its id, that nothing has its function that the main of a program calls:
// no input of the program can tell it. It is false where nobody knows, as of files without main.
func (e *Examples) Uncalled(id string) bool {
	of := e.of[id]
	if of == nil || len(of.in.programs) == 0 {
		return false
	}
	f := of.m.Site.Func
	return !slices.ContainsFunc(of.in.programs, func(s *started) bool {
		in := s.have()
		return in == nil || !in.Whole() || in.Holds(f)
	})
}

// Notes say of which programs no input is known, as far as inputs were looked for, and why.
func (e *Examples) Notes() (out []string) {
	for _, s := range e.mains {
		if !s.made || s.inputs == nil || s.inputs.Len() > 0 {
			continue
		}
		note := fmt.Sprintf("no input of %s is known", paths.Relative("", s.sources[0]))
		if name := s.inputs.Unknown(); name != "" {
			note += ": what " + name + " does, which it calls, is not known to the interpreter"
		}
		out = append(out, note)
	}
	return out
}

// Reached says whether an input was found on which the program comes to a mutant.
func (e *Examples) Reached(id string) bool {
	of := e.of[id]
	if of == nil {
		return false
	}
	f, reached := of.m.Site.Func, false
	of.try(func() {
		reached = slices.ContainsFunc(of.in.inputs(f), func(in *replay.Inputs) bool { return in.Reach(f, of.in.change(of.m)) })
	})
	return reached
}

// try does what a bug of winnow's may keep from being done.
func (e *example) try(do func()) {
	defer func() {
		if v := recover(); v != nil {
			e.in.trouble("function "+e.m.Function, parallel.Cause(v))
		}
	}()
	do()
}

func (e *example) find() {
	if e.looked {
		return
	}
	e.looked = true
	e.try(func() {
		for _, in := range e.programs {
			if e.found = in.Find(e.m.Site.Func, e.change); e.found != nil {
				break
			}
		}
	})
}

func (e *example) simplify() {
	if e.find(); e.found != nil && e.simple == nil {
		e.try(func() {
			s := e.found.Simple()
			e.simple = &report.Example{Given: s.Given, Original: (*report.Ending)(&s.Original), Mutant: (*report.Ending)(&s.Mutant)}
		})
	}
}

func (e *example) findCall() *report.Example {
	if !e.called {
		e.called = true
		e.try(func() { e.call = e.in.call(e.m) })
	}
	return e.call
}

// Inputs are inputs that tell mutants, by their ids, made simple. Those are left out of which none is
// found. Where the time is up, it returns what it has found until then beside the error.
func (e *Examples) Inputs(ctx context.Context, ids []string) (map[string]*report.Example, error) {
	out := map[string]*report.Example{}
	looked, err := e.look(ctx, ids, (*example).simplify)
	for _, of := range looked {
		if of.simple != nil {
			out[of.m.ID] = of.simple
		}
	}
	return out, err
}

// Calls are calls that tell mutants, as Inputs.
func (e *Examples) Calls(ctx context.Context, ids []string) (map[string]*report.Example, error) {
	out := map[string]*report.Example{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if of := e.of[id]; of != nil {
			if call := of.findCall(); call != nil {
				out[id] = call
			}
		}
	}
	return out, nil
}

// Callable says of a mutant, by its id, that its function may be called from other files.
func (e *Examples) Callable(id string) bool {
	of := e.of[id]
	return of != nil && of.m.Site.Func.Linkage != enum.LinkageInternal
}

// exemplary finds examples for the mutants of a file.
type exemplary struct {
	trouble  func(of, cause string)
	module   *op.Module
	programs []*started
	calls    map[*llir.Func]*replay.Calls
	library  *concrete.Library
	objects  map[*llir.Func]*replay.ObjectCalls
}

// started is a program that a main begins.
type started struct {
	trouble func(of, cause string)
	main    *llir.Func
	module  *op.Module
	others  []*llir.Module
	sources []string
	tests   []variation.Test
	made    bool
	inputs  *replay.Inputs // nil of a main that is none of C's, or not yet made
}

// have makes the inputs, of which there may be none.
func (s *started) have() *replay.Inputs {
	if !s.made {
		s.made = true
		defer func() {
			if v := recover(); v != nil {
				s.trouble(paths.Relative("", s.sources[0]), parallel.Cause(v))
			}
		}()
		var text []byte
		for _, path := range s.sources {
			source, err := os.ReadFile(path)
			if err != nil { // what it names is not known
				continue
			}
			text = append(text, source...)
		}
		s.inputs = replay.InputsOf(s.main, s.module, s.tests, text, s.others...)
	}
	return s.inputs
}

// inputs are those of the first programs that have a function.
func (e *exemplary) inputs(f *llir.Func) (out []*replay.Inputs) {
	for _, s := range e.programs {
		if in := s.have(); in != nil && in.Len() > 0 && in.Holds(f) {
			if out = append(out, in); len(out) == mostMains {
				break
			}
		}
	}
	return out
}

func (e *exemplary) change(m *mutant.Mutant) *execute.Change {
	return smt.ChangeOf(e.module.Function(m.Site.Func), m)
}

func (e *exemplary) call(m *mutant.Mutant) *report.Example {
	f := m.Site.Func
	code := e.module.Function(f)
	change := smt.ChangeOf(code, m)
	if change == nil {
		return nil
	}
	objects, known := e.objects[f]
	if !known {
		objects = replay.ObjectCallsOf(f, e.module, e.library)
		e.objects[f] = objects
		e.calls[f] = replay.CallsOf(f, code, func([]int64) bool { return true })
	}
	if objects != nil {
		if call, test := objects.Tell(change); call != "" {
			return &report.Example{Call: call, Given: inputs.Given{UnitTest: test}}
		}
	}
	if calls := e.calls[f]; calls != nil { // with numbers next to the function's limits
		if told := calls.Tell(change, nil); told.Call != "" && !told.Near {
			return &report.Example{Call: told.Call}
		}
	}
	return nil
}
