package build

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

// Objects are object files that take the place of those that a project's own build
// makes: position-independent, and without a main of their own.
type Objects struct {
	// Units are the paths by unit, in the program's order.
	Units []string
	// Runtime is linked with every product that holds one of the others.
	Runtime string
}

// Optimizing says how far the objects of a meta-mutant are optimised.
type Optimizing string

const (
	// Fast makes objects that run fast, Soon makes them in a fifth of the time.
	Fast Optimizing = "-O1"
	Soon Optimizing = "-O0"
)

// MutantObjects makes the objects of the meta-mutant.
func (b *Builder) MutantObjects(ctx context.Context, p *program.Program, name string, how Optimizing) (*Objects, error) {
	out, err := b.objects(ctx, p, name, how, command.Flags(p.Sites, 0), func(w io.Writer, u *program.Unit) error {
		return schemata.Write(w, u.Module, u.Mutants, schemata.Options{Sites: p.Sites, StandAlone: true})
	})
	if err != nil {
		return nil, fmt.Errorf("building the meta-mutant: %w", err)
	}
	return out, nil
}

// ProbeObjects makes the objects of the probing build, and says what its table holds.
func (b *Builder) ProbeObjects(ctx context.Context, p *program.Program, name string, how Optimizing) (*Objects, execute.ProbeShape, error) {
	opts := schemata.ProbeOptions{Sites: p.Sites, StandAlone: true}
	for _, m := range p.Mutants() {
		opts.Mutants = max(opts.Mutants, int(m.Selector))
	}
	layout := opts.Layout()
	out, err := b.objects(ctx, p, name, how, command.Flags(layout.Size, layout.Infected), func(w io.Writer, u *program.Unit) error {
		return schemata.WriteProbe(w, u.Module, u.Mutants, opts)
	})
	if err != nil {
		return nil, execute.ProbeShape{}, fmt.Errorf("making the probing build: %w", err)
	}
	return out, execute.ProbeShape{Sites: p.Sites, Mutants: opts.Mutants, Size: layout.Size}, nil
}

// BranchObjects makes the objects of a program, without mutants, that note which sides of branches
// a run takes, as a meta-mutant notes the sites that it comes to.
func (b *Builder) BranchObjects(ctx context.Context, p *program.Program, name string, how Optimizing) (*Objects, []schemata.Side, error) {
	sides, first := sidesOf(p)
	out, err := b.objects(ctx, p, name, how, command.Flags(len(sides), 0), func(w io.Writer, u *program.Unit) error {
		return schemata.WriteBranching(w, u.Module, first[slices.Index(p.Units, u)], schemata.Options{Sites: len(sides), StandAlone: true})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("making the build that notes branches: %w", err)
	}
	return out, sides, nil
}

// objects compiles what write makes of the program's units, and the runtime with the flags.
func (b *Builder) objects(ctx context.Context, p *program.Program, name string, how Optimizing, flags []string, write func(w io.Writer, u *program.Unit) error) (*Objects, error) {
	for _, u := range p.Units {
		u.Prepare()
	}
	units, err := parallel.Map(ctx, 0, p.Units, func(ctx context.Context, k int, u *program.Unit) (string, error) {
		file := filepath.Join(b.Folder, fmt.Sprintf("%s.%d.ll", name, k))
		if err := writeText(file, func(w io.Writer) error { return write(w, u) }); err != nil {
			return "", err
		}
		object := file + ".o"
		return object, b.Tools.Object(ctx, object, file, []string{"-fPIC", string(how)})
	})
	if err != nil {
		return nil, err
	}
	source, err := command.RuntimeSource(b.Folder)
	if err != nil {
		return nil, err
	}
	out := &Objects{Units: units, Runtime: filepath.Join(b.Folder, name+".runtime.o")}
	return out, b.Tools.Object(ctx, out.Runtime, source, flags)
}
