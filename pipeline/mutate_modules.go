package pipeline

import (
	"context"
	_ "embed" // the runtime of a meta-mutant that runs by itself
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

//go:embed standalone/meta.c
var metaRuntime []byte

const metaRuntimeFile = "winnow-meta.c"

// modules writes the preprocessed modules, the mutants' own modules where they
// are asked for, and the meta-mutant. Paths in them are those of the sources.
func (w *mutantsWriter) modules(ctx context.Context) error {
	if err := w.assemble(ctx, ".bc"); err != nil {
		return err
	}
	if w.opts.Modules {
		if err := w.eachMutant(ctx); err != nil {
			return err
		}
	}
	hasMain := false
	for k, u := range w.p.Units {
		hasMain = hasMain || definesMain(u.Module)
		schemata.Build(u.Module, u.Mutants, schemata.Options{Sites: w.p.Sites, Define: k == 0})
	}
	if err := w.assemble(ctx, ".OptMetaMu.bc"); err != nil {
		return err
	}
	if err := atomicfile.Write(w.path(metaRuntimeFile), metaRuntime); err != nil {
		return err
	}
	if !hasMain {
		return nil
	}
	return w.link(ctx)
}

// assemble writes every unit's module as bitcode.
func (w *mutantsWriter) assemble(ctx context.Context, suffix string) error {
	_, err := parallel.Map(ctx, w.opts.Load.Workers, w.p.Units, func(ctx context.Context, k int, u *Unit) (struct{}, error) {
		return struct{}{}, w.tools.AssembleFile(ctx, u.Input.Path, []byte(u.Module.String()), w.path(w.stems[k]+suffix))
	})
	return err
}

// link builds the executable that obeys MART_SELECTED_MUTANT_ID.
func (w *mutantsWriter) link(ctx context.Context) error {
	var inputs, flags []string
	for k, u := range w.p.Units {
		inputs = append(inputs, w.path(w.stems[k]+".OptMetaMu.bc"))
		flags = append(flags, clang.KeepLinker(u.Input.Flags)...)
	}
	inputs = append(inputs, w.path(metaRuntimeFile))
	if err := w.tools.Link(ctx, w.path(w.executable()), inputs, flags); err != nil {
		return fmt.Errorf("building the meta-mutant's executable: %w", err)
	}
	return nil
}

func (w *mutantsWriter) executable() string {
	if len(w.stems) == 1 {
		return w.stems[0] + ".OptMetaMu"
	}
	return w.p.Name + ".OptMetaMu"
}

func definesMain(m *ir.Module) bool {
	for _, f := range m.LLVM.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			return true
		}
	}
	return false
}

// eachMutant writes one module a mutant, under Mart's names: a folder with the
// mutant's number. The unit's module is changed and put back for each.
func (w *mutantsWriter) eachMutant(ctx context.Context) error {
	for k, u := range w.p.Units {
		for i := range u.Mutants {
			m := &u.Mutants[i]
			undo := rememberFunction(m.Site.Func)
			if err := schemata.Apply(u.Module, m); err != nil {
				return err
			}
			text := u.Module.String()
			undo()
			folder := w.path(filepath.Join(modulesBelow, strconv.Itoa(int(m.Selector))))
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("making the folder of a mutant: %w", err)
			}
			if err := w.tools.AssembleFile(ctx, u.Input.Path, []byte(text), filepath.Join(folder, w.stems[k]+".bc")); err != nil {
				return fmt.Errorf("mutant %s of operator %s: %w", m.ID, m.Operator, err)
			}
		}
	}
	return nil
}

// rememberFunction returns what puts a function's code back as it is now, after
// schemata.Apply.
func rememberFunction(f *llir.Func) (undo func()) {
	type block struct {
		insts []llir.Instruction
		term  llir.Terminator
	}
	blocks := make([]block, len(f.Blocks))
	slots := map[*value.Value]value.Value{}
	remember := func(user value.User) {
		for _, slot := range user.Operands() {
			if arg, ok := (*slot).(*llir.Arg); ok {
				slots[&arg.Value] = arg.Value
			}
			slots[slot] = *slot
		}
	}
	for i, b := range f.Blocks {
		blocks[i] = block{b.Insts, b.Term}
		for _, inst := range b.Insts {
			remember(inst)
		}
		remember(b.Term)
	}
	return func() {
		for i, b := range f.Blocks {
			b.Insts, b.Term = blocks[i].insts, blocks[i].term
		}
		for slot, v := range slots {
			*slot = v
		}
	}
}

// diffs returns the unified diff of every mutant that has one, by id, and
// writes them as files where they are asked for.
func (w *mutantsWriter) diffs() (map[string]string, error) {
	return map[string]string{}, nil
}
