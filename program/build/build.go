// Package build makes executables of a program and its mutants.
//
// A Builder makes three, none of which changes the program: the meta-mutant, which
// holds all mutants and becomes the one that is selected (MetaMutant); the build that
// notes which mutants a test reaches and infects (Probing); and the one that notes
// which sides of branches a test takes (Branching). Each is a module rewritten by
// package schemata and linked with the runtime of package execute, which is compiled
// once on a machine. What the builder is given is a folder; what it makes there is the
// caller's to remove.
package build

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

// Builder turns programs into executables that hold all their mutants.
type Builder struct {
	Tools   *clang.Toolchain
	Folder  string
	Runtime []string // object files
	checked *checkedRuntime
}

// Temporary makes a builder in a temporary folder, which remove deletes.
func Temporary(ctx context.Context, tools *clang.Toolchain) (b *Builder, remove func(), err error) {
	work, err := scratch.New("build")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { work.Remove() }
	if b, err = New(ctx, tools, work.Path); err != nil {
		remove()
		return nil, nil, err
	}
	return b, remove, nil
}

// New puts the compiled runtime into a folder of its own below dir.
func New(ctx context.Context, tools *clang.Toolchain, dir string) (*Builder, error) {
	folder := filepath.Join(dir, "runtime")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the runtime: %w", err)
	}
	sources, err := execute.RuntimeSources(folder)
	if err != nil {
		return nil, err
	}
	objects, err := compileRuntime(ctx, tools, sources)
	return &Builder{Tools: tools, Folder: dir, Runtime: objects, checked: &checkedRuntime{folder: filepath.Join(dir, "sanitized-runtime")}}, err
}

// Sanitizing returns a builder in the same folder whose programs are checked by
// sanitizers as they run.
func (b *Builder) Sanitizing(ctx context.Context) (*Builder, error) {
	objects, err := b.checked.compiled(ctx, b.Tools)
	return &Builder{Tools: b.Tools.Sanitizing(), Folder: b.Folder, Runtime: objects, checked: b.checked}, err
}

// Below returns a builder that shares the compiled runtime and works in
// another folder.
func (b *Builder) Below(folder string) *Builder {
	twin := *b
	twin.Folder = folder
	return &twin
}

// MetaMutant makes the meta-mutant's executable and returns its path. The program's
// modules stay as they are.
func (b *Builder) MetaMutant(ctx context.Context, p *program.Program, name string) (string, error) {
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *program.Unit) error {
		return schemata.Write(w, u.Module, u.Mutants, schemata.Options{Sites: p.Sites, Define: k == 0})
	})
	if err != nil {
		return "", fmt.Errorf("building the meta-mutant: %w", err)
	}
	return out, nil
}

// link makes an executable of what write makes of the program's units and of the
// runtime, and returns its path.
func (b *Builder) link(ctx context.Context, p *program.Program, name string, write func(w io.Writer, k int, u *program.Unit) error) (string, error) {
	if !definesMain(p) {
		return "", exit.New(exit.Input, fmt.Errorf("none of the %d sources of %s defines main", len(p.Units), p.Name),
			"winnow runs programs: write one that calls the functions, and name it as the harness in "+projectFile+" (docs/projects.md)")
	}
	var inputs, flags []string
	for _, u := range p.Units {
		u.Prepare()
	}
	restore, err := b.apart(p)
	if err != nil {
		return "", err
	}
	defer restore()
	for k, u := range p.Units {
		file := filepath.Join(b.Folder, fmt.Sprintf("%s.%d.ll", name, k))
		if err := writeText(file, func(w io.Writer) error { return write(w, k, u) }); err != nil {
			return "", err
		}
		inputs = append(inputs, file)
		flags = clang.KeepLinker(u.Input.Flags)
	}
	out := filepath.Join(b.Folder, name)
	return out, b.Tools.Link(ctx, out, append(inputs, b.Runtime...), flags)
}

// projectFile is where a harness is named.
const projectFile = "winnow.toml"

// definesMain reports whether there is something to start; the linker would say so by a name of
// the runtime's.
func definesMain(p *program.Program) bool {
	for _, u := range p.Units {
		for _, f := range u.Module.LLVM.Funcs {
			if (f.Name() == "main" || f.Name() == schemata.ProgramMain) && len(f.Blocks) > 0 {
				return true
			}
		}
	}
	return false
}

// writeText makes a file of what write writes, which is never held as a whole.
func writeText(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, 1<<16)
	return errors.Join(write(buffered), buffered.Flush(), file.Close())
}

// Branching makes the executable that notes which sides of the branches of the
// program's files, those of the harness left out, a run takes. It returns its path and
// the sides by their numbers.
func (b *Builder) Branching(ctx context.Context, p *program.Program, name string) (string, []schemata.Side, error) {
	sides, first := sidesOf(p)
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *program.Unit) error {
		opts := schemata.Options{Sites: len(sides), Define: k == 0}
		if u.Input.Harness {
			return schemata.Write(w, u.Module, nil, opts)
		}
		return schemata.WriteBranching(w, u.Module, first[k], opts)
	})
	if err != nil {
		return "", nil, fmt.Errorf("making the build that notes branches: %w", err)
	}
	return out, sides, nil
}

// sidesOf are the sides of a program's branches, and of each unit the place of its first. A harness
// has none.
func sidesOf(p *program.Program) (sides []schemata.Side, first []int) {
	for _, u := range p.Units {
		first = append(first, len(sides))
		if !u.Input.Harness {
			sides = append(sides, schemata.Sides(u.Module)...)
		}
	}
	return sides, first
}

// Probing is a program's probing build.
type Probing struct {
	Binary string
	Shape  execute.ProbeShape
}

// Probing makes the probing build's executable. With counts it also tells how
// often.
func (b *Builder) Probing(ctx context.Context, p *program.Program, name string, counts bool) (*Probing, error) {
	opts := schemata.ProbeOptions{Sites: p.Sites, Counts: counts}
	for _, m := range p.Mutants() {
		opts.Mutants = max(opts.Mutants, int(m.Selector))
	}
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *program.Unit) error {
		own := opts
		own.Define = k == 0
		return schemata.WriteProbe(w, u.Module, u.Mutants, own)
	})
	if err != nil {
		return nil, fmt.Errorf("making the probing build: %w", err)
	}
	layout := opts.Layout()
	return &Probing{out, execute.ProbeShape{Sites: opts.Sites, Mutants: opts.Mutants, Counts: counts,
		ReachCounts: layout.ReachCounts, InfectCounts: layout.InfectCounts, Values: layout.Values, Changes: layout.Changes, Size: layout.Size}}, nil
}
