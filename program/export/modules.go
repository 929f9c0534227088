package export

import (
	"context"
	_ "embed" // the runtime of a meta-mutant that runs by itself
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

//go:embed standalone/meta.c
var metaRuntime []byte

const metaRuntimeFile = "winnow-meta.c"

// The ends of the names of what is built, as Mart has them.
const (
	metaBuild  = ".OptMetaMu"
	probeBuild = ".WM"
	coverBuild = ".COV"
)

// modules writes the preprocessed modules, the builds that tell what is infected
// and covered, the mutants' own modules where they are asked for, and the
// meta-mutant. With a main, each build is linked to an executable.
func (w *writer) modules(ctx context.Context) error {
	hasMain, mutants := false, 0
	for _, u := range w.p.Units {
		u.Prepare()
		mutants += len(u.Mutants)
		hasMain = hasMain || definesMain(u.Module)
	}
	err := w.assemble(ctx, "", func(out io.Writer, _ int, u *program.Unit) error {
		_, err := u.Module.LLVM.WriteTo(out)
		return err
	})
	if err != nil {
		return err
	}
	if w.opts.NoBuild {
		return w.eachMutant(ctx)
	}
	opts := schemata.ProbeOptions{Sites: w.p.Sites, Mutants: mutants, StandAlone: true}
	for suffix, write := range map[string]func(io.Writer, *ir.Module, []mutant.Mutant, schemata.ProbeOptions) error{
		probeBuild: schemata.WriteProbe, coverBuild: schemata.WriteCover,
	} {
		err := w.assemble(ctx, suffix, func(out io.Writer, k int, u *program.Unit) error {
			own := opts
			own.Define = k == 0
			return write(out, u.Module, u.Mutants, own)
		})
		if err != nil {
			return err
		}
	}
	if err := w.eachMutant(ctx); err != nil {
		return err
	}
	err = w.assemble(ctx, metaBuild, func(out io.Writer, k int, u *program.Unit) error {
		return schemata.Write(out, u.Module, u.Mutants, schemata.Options{Sites: w.p.Sites, Define: k == 0})
	})
	if err != nil {
		return err
	}
	return w.executables(ctx, hasMain)
}

// assemble writes every unit's text as bitcode.
func (w *writer) assemble(ctx context.Context, suffix string, write func(out io.Writer, k int, u *program.Unit) error) error {
	_, err := parallel.Map(ctx, w.opts.Load.Workers, w.p.Units, func(ctx context.Context, k int, u *program.Unit) (struct{}, error) {
		text := func(out io.Writer) error { return write(out, k, u) }
		return struct{}{}, w.tools.AssembleWritten(ctx, u.Input.Path, text, w.path(w.stems[k]+suffix+".bc"))
	})
	return err
}

// executables writes the runtimes and, where the program has a main, links the
// builds with them.
func (w *writer) executables(ctx context.Context, hasMain bool) error {
	if err := atomicfile.Write(w.path(metaRuntimeFile), metaRuntime); err != nil {
		return err
	}
	logs, err := execute.ProbeRuntimeSources(w.folder)
	if err != nil || !hasMain {
		return err
	}
	builds := []string{metaBuild, probeBuild, coverBuild}
	_, err = parallel.Map(ctx, w.opts.Load.Workers, builds, func(ctx context.Context, _ int, suffix string) (struct{}, error) {
		runtime := logs
		if suffix == metaBuild {
			runtime = []string{w.path(metaRuntimeFile)}
		}
		return struct{}{}, w.link(ctx, suffix, runtime)
	})
	return err
}

// link builds one executable.
func (w *writer) link(ctx context.Context, suffix string, runtime []string) error {
	var inputs, flags []string
	for k, u := range w.p.Units {
		inputs = append(inputs, w.path(w.stems[k]+suffix+".bc"))
		flags = append(flags, clang.KeepLinker(u.Input.Flags)...)
	}
	name := w.p.Name
	if len(w.stems) == 1 {
		name = w.stems[0]
	}
	if err := w.tools.Link(ctx, w.path(name+suffix), append(inputs, runtime...), flags); err != nil {
		return fmt.Errorf("building the executable %s%s: %w", name, suffix, err)
	}
	return nil
}

func definesMain(m *ir.Module) bool {
	for _, f := range m.LLVM.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			return true
		}
	}
	return false
}

// textsAtATime bounds the modules of single mutants that are held in memory.
const textsAtATime = 64

// eachMutant writes one module a mutant, under Mart's names: a folder with the
// mutant's number, where that is asked for.
func (w *writer) eachMutant(ctx context.Context) error {
	if !w.opts.Modules {
		return nil
	}
	for k, u := range w.p.Units {
		for some := range slices.Chunk(u.Mutants, textsAtATime) {
			texts := make([]string, len(some))
			for i := range some {
				var err error
				if texts[i], err = schemata.ApplyText(u.Module, &some[i]); err != nil {
					return err
				}
			}
			_, err := parallel.Map(ctx, w.opts.Load.Workers, texts, func(ctx context.Context, i int, text string) (struct{}, error) {
				folder := w.path(filepath.Join(modulesBelow, strconv.Itoa(int(some[i].Selector))))
				if err := os.MkdirAll(folder, 0o755); err != nil {
					return struct{}{}, fmt.Errorf("making the folder of a mutant: %w", err)
				}
				err := w.tools.AssembleFile(ctx, u.Input.Path, []byte(text), filepath.Join(folder, w.stems[k]+".bc"))
				if err != nil {
					err = fmt.Errorf("mutant %s of operator %s: %w", some[i].ID, some[i].Operator, err)
				}
				return struct{}{}, err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
