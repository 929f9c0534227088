package selfcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// undefinedTraps make the compiler check for undefined behaviour and end the
// program at it; no runtime library is needed.
var undefinedTraps = []string{"-fsanitize=undefined", "-fsanitize-trap=undefined", "-fwrapv"}

// undefined looks for undefined behaviour of the changed C: an operation that
// the compiler's checks trap, or a result that depends on what uninitialised
// variables hold.
func (v *patchVerifier) undefined(ctx context.Context, c *project.Case, base *execute.Baseline, one patched, plain *execute.Result, differing []int) (string, error) {
	checked, err := v.run(ctx, c, base, one, undefinedTraps)
	if err != nil {
		return "", err
	}
	for test := range c.Tests {
		cell, ok := checked.Cell(0, test)
		if before, _ := plain.Cell(0, test); ok && cell.Cause == execute.CauseSignal && (before.Cause != cell.Cause || before.Status != cell.Status) {
			return "the compiler's checks for undefined behaviour end it on test " + c.Tests[test].Name, nil
		}
	}
	// With the values that happened to be there the verdicts may agree by
	// chance: what the program prints, and its work, tells more.
	var first []execute.Outcome
	for _, value := range fillings {
		filled, err := v.observe(ctx, c, one, differing, func(m *ir.Module) { fillVariables(m, value) })
		if err != nil {
			return "", err
		}
		if first == nil {
			first = filled
		}
		for k, outcome := range filled {
			outcome.Wall = first[k].Wall
			if outcome != first[k] {
				return "it reads an uninitialised variable on test " + c.Tests[differing[k]].Name, nil
			}
		}
	}
	return "", nil
}

// run compiles the changed C and runs it as if it were a mutant: what selects
// a mutant selects none, so that the program as a whole is the mutant, and
// every test reaches it. Flags are the compiler's.
func (v *patchVerifier) run(ctx context.Context, c *project.Case, base *execute.Baseline, one patched, flags []string) (*execute.Result, error) {
	engine, stop, err := v.start(ctx, c, one, flags, nil)
	if err != nil {
		return nil, err
	}
	defer stop()
	reached := &execute.Baseline{Tests: slices.Clone(base.Tests)}
	for k := range reached.Tests {
		reached.Tests[k].Reached = execute.NewBits(1)
		reached.Tests[k].Reached.Set(0)
	}
	return engine.Kill(ctx, reached, []execute.Mutant{{Selector: 1}})
}

// observe returns how the changed C behaves on some tests when its IR is
// changed as well.
func (v *patchVerifier) observe(ctx context.Context, c *project.Case, one patched, tests []int, change func(*ir.Module)) ([]execute.Outcome, error) {
	engine, stop, err := v.start(ctx, c, one, nil, change)
	if err != nil {
		return nil, err
	}
	defer stop()
	var out []execute.Outcome
	for _, test := range tests {
		outcome, _, err := engine.Observe(ctx, 0, test)
		if err != nil {
			return nil, err
		}
		out = append(out, outcome)
	}
	return out, nil
}

// start compiles the changed C and loads it. Flags are the compiler's; change,
// unless nil, changes the IR.
func (v *patchVerifier) start(ctx context.Context, c *project.Case, one patched, flags []string, change func(*ir.Module)) (engine *execute.Engine, stop func(), err error) {
	folder, err := os.MkdirTemp(v.builder.Folder, "twin-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder for a changed program: %w", err)
	}
	defer os.RemoveAll(folder)
	overlay, err := writeOverlay(folder, one)
	if err != nil {
		return nil, nil, err
	}
	p := &program.Program{Name: c.Program, Sites: 1}
	for _, in := range c.Inputs {
		text, err := v.compileChanged(ctx, in, filepath.Join(folder, "changed.ll"), append(flags[:len(flags):len(flags)], "-ivfsoverlay", overlay))
		if err != nil {
			return nil, nil, err
		}
		m, err := ir.Parse(in.Path, text)
		if err != nil {
			return nil, nil, err
		}
		if change != nil {
			change(m)
		}
		p.Units = append(p.Units, &program.Unit{Input: in, Module: m})
	}
	binary, err := v.builder.Below(folder).MetaMutant(ctx, p, "twin")
	if err != nil {
		return nil, nil, err
	}
	options := v.opts.Execute
	options.Workers = 1
	options.BaselineWork = mostObserved
	engine, err = execute.Start(ctx, binary, c.Tests, options)
	if err != nil {
		return nil, nil, err
	}
	return engine, func() { engine.Close() }, nil
}

// mostObserved bounds the work of a run that is observed, which may not end: a
// second or two.
const mostObserved = 100_000_000

// compileChanged compiles a file as Toolchain.Compile does, with flags that it
// would leave out.
func (v *patchVerifier) compileChanged(ctx context.Context, in program.Input, out string, flags []string) ([]byte, error) {
	if filepath.Ext(in.Path) != ".c" {
		return program.CompileIR(ctx, v.builder.Tools, in)
	}
	all := slices.Concat([]string{"-S", "-emit-llvm"}, clang.KeepFrontEnd(in.Flags), clang.FrontEndFlags, flags)
	if err := v.builder.Tools.In(in.Directory).Link(ctx, out, []string{in.Path}, all); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("reading a compiled program: %w", err)
	}
	return text, nil
}

// writeOverlay writes the changed file and an overlay of the file system that
// puts it in the place of the original, which may be a header.
func writeOverlay(folder string, one patched) (string, error) {
	original, err := filepath.Abs(one.path)
	if err != nil {
		return "", fmt.Errorf("resolving %s: %w", one.path, err)
	}
	changed, overlay := filepath.Join(folder, "changed.c"), filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"version": 0, "roots": []any{
		map[string]string{"type": "file", "name": original, "external-contents": changed},
	}})
	if err != nil {
		return "", fmt.Errorf("writing the overlay: %w", err)
	}
	if err := errors.Join(os.WriteFile(changed, one.text, 0o644), os.WriteFile(overlay, text, 0o644)); err != nil {
		return "", fmt.Errorf("writing the changed program: %w", err)
	}
	return overlay, nil
}
