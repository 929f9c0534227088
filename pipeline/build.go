package pipeline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Builder turns programs into executables that hold all their mutants. The
// runtime is compiled once a Builder.
type Builder struct {
	tools   *clang.Toolchain
	folder  string
	runtime []string // object files
	checked *checkedRuntime
}

// temporaryBuilder makes a builder in a temporary folder, which remove deletes.
func temporaryBuilder(ctx context.Context, tools *clang.Toolchain) (b *Builder, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-build-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder for builds: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	if b, err = NewBuilder(ctx, tools, dir); err != nil {
		remove()
		return nil, nil, err
	}
	return b, remove, nil
}

// NewBuilder compiles the runtime into a folder of its own below dir.
func NewBuilder(ctx context.Context, tools *clang.Toolchain, dir string) (*Builder, error) {
	folder := filepath.Join(dir, "runtime")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the runtime: %w", err)
	}
	sources, err := execute.RuntimeSources(folder)
	if err != nil {
		return nil, err
	}
	objects, err := compileRuntime(ctx, tools, sources)
	return &Builder{tools: tools, folder: dir, runtime: objects, checked: &checkedRuntime{folder: filepath.Join(dir, "sanitized-runtime")}}, err
}

func compileRuntime(ctx context.Context, tools *clang.Toolchain, sources []string, flags ...string) ([]string, error) {
	objects, err := parallel.Map(ctx, 0, sources, func(ctx context.Context, _ int, source string) (string, error) {
		object := source + ".o"
		return object, tools.Link(ctx, object, []string{source}, append([]string{"-c"}, flags...))
	})
	if err != nil {
		return nil, fmt.Errorf("compiling the runtime: %w", err)
	}
	return objects, nil
}

// checkedRuntime is the runtime of programs that sanitizers check, compiled when
// the first is built.
type checkedRuntime struct {
	mu      sync.Mutex
	folder  string
	objects []string
}

func (c *checkedRuntime) compiled(ctx context.Context, tools *clang.Toolchain) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects != nil {
		return c.objects, nil
	}
	if err := os.MkdirAll(c.folder, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the runtime: %w", err)
	}
	if err := tools.CheckSanitizer(ctx, c.folder); err != nil {
		return nil, err
	}
	sources, err := execute.SanitizedSources(c.folder)
	if err != nil {
		return nil, err
	}
	objects, err := compileRuntime(ctx, tools, sources, execute.SanitizedFlags()...)
	if err == nil {
		c.objects = objects
	}
	return objects, err
}

// Sanitizing returns a builder in the same folder whose programs are checked by
// sanitizers as they run.
func (b *Builder) Sanitizing(ctx context.Context) (*Builder, error) {
	objects, err := b.checked.compiled(ctx, b.tools)
	return &Builder{tools: b.tools.Sanitizing(), folder: b.folder, runtime: objects, checked: b.checked}, err
}

// Below returns a builder that shares the compiled runtime and works in
// another folder.
func (b *Builder) Below(folder string) *Builder {
	twin := *b
	twin.folder = folder
	return &twin
}

// Build makes the meta-mutant's executable and returns its path. The program's
// modules stay as they are.
func (b *Builder) Build(ctx context.Context, p *Program, name string) (string, error) {
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *Unit) error {
		return schemata.Write(w, u.Module, u.Mutants, schemata.Options{Sites: p.Sites, Define: k == 0})
	})
	if err != nil {
		return "", fmt.Errorf("building the meta-mutant: %w", err)
	}
	return out, nil
}

// link makes an executable of what write makes of the program's units and of the
// runtime, and returns its path.
func (b *Builder) link(ctx context.Context, p *Program, name string, write func(w io.Writer, k int, u *Unit) error) (string, error) {
	var inputs, flags []string
	for k, u := range p.Units {
		u.prepare()
		file := filepath.Join(b.folder, fmt.Sprintf("%s.%d.ll", name, k))
		if err := writeText(file, func(w io.Writer) error { return write(w, k, u) }); err != nil {
			return "", err
		}
		inputs = append(inputs, file)
		flags = clang.KeepLinker(u.Input.Flags)
	}
	out := filepath.Join(b.folder, name)
	return out, b.tools.Link(ctx, out, append(inputs, b.runtime...), flags)
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

// prepare gives the module the form that schemata needs, which modules without
// mutants do not have yet: no phis, and a name for every value.
func (u *Unit) prepare() {
	for _, f := range u.Module.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
	}
}
