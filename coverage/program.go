package coverage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Program is a program whose sources and tests are listed, as winnow.toml does.
type Program struct {
	// Root is the project's folder.
	Root  string
	Units []Unit
	Tests []execute.Test
	// Unusable is Target.Unusable.
	Unusable func(test int, o execute.Outcome) string
	Workers  int
}

// program and the names of folders in a program's base.
const (
	programName  = "program"
	inputsFolder = "inputs"
	runsFolder   = "runs"
)

// Target makes the target of a program: an empty folder, base, in which its tests
// run as commands. Each has a folder of its own there, with its files.
func (p *Program) Target(tools *clang.Toolchain, base string) (*Target, error) {
	t := &Target{Root: p.Root, Units: p.Units, Base: base, Unusable: p.Unusable, Workers: p.Workers}
	for k := range p.Tests {
		test, err := p.command(&p.Tests[k], base, k)
		if err != nil {
			return nil, fmt.Errorf("laying out test %s: %w", p.Tests[k].Name, err)
		}
		t.Tests = append(t.Tests, test)
	}
	t.Place = func(ctx context.Context, layer string, objects []string, runtime string) error {
		var flags []string
		for _, u := range p.Units {
			flags = clang.KeepLinker(u.Flags)
		}
		return tools.Link(ctx, filepath.Join(layer, programName), append(objects, runtime), flags)
	}
	return t, nil
}

// command is a test as a command, whose files and input are put below base.
func (p *Program) command(test *execute.Test, base string, k int) (command.Test, error) {
	out := command.Test{Name: test.Name, Dir: filepath.Join(base, runsFolder, fmt.Sprint(k)), Argv: append([]string{filepath.Join(base, programName)}, test.Args...)}
	input, err := test.ReadInput()
	if err != nil {
		return out, err
	}
	out.Stdin = filepath.Join(base, inputsFolder, fmt.Sprint(k))
	files := map[string][]byte{out.Stdin: input}
	for _, f := range test.Files {
		if files[filepath.Join(out.Dir, f.Name)], err = os.ReadFile(f.Path); err != nil {
			return out, err
		}
	}
	if err := os.MkdirAll(out.Dir, 0o755); err != nil {
		return out, err
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return out, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return out, err
		}
	}
	return out, nil
}
