package schemata

import (
	"fmt"
	"io"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// Write writes the text of what Build makes of a module. The module is rebuilt
// function by function and stays as it was, so that memory is bounded by the
// mutants of one function.
func Write(w io.Writer, m *ir.Module, mutants []mutant.Mutant, opts Options) error {
	defer rememberModule(m)()
	return newMeta(m, mutants, opts).write(w)
}

// WriteProbe is the like of Write for what Probe makes.
func WriteProbe(w io.Writer, m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) error {
	defer rememberModule(m)()
	return newProbe(m, mutants, opts, "WM").rebuilding(m, mutants, false).write(w)
}

// WriteCover is the like of Write for what Cover makes.
func WriteCover(w io.Writer, m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) error {
	defer rememberModule(m)()
	return newProbe(m, mutants, opts, "COV").rebuilding(m, mutants, true).write(w)
}

// ProbeText returns what WriteProbe writes.
func ProbeText(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) string {
	return textOf(func(w io.Writer) error { return WriteProbe(w, m, mutants, opts) })
}

// CoverText returns what WriteCover writes.
func CoverText(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) string {
	return textOf(func(w io.Writer) error { return WriteCover(w, m, mutants, opts) })
}

func textOf(write func(io.Writer) error) string {
	var text strings.Builder
	if err := write(&text); err != nil {
		panic(err) // a Builder has no errors
	}
	return text.String()
}

// write writes the module in the order of its own text. What the functions add to
// its globals comes behind them.
func (r *rebuilding) write(w io.Writer) error {
	mod, of, rebuilt := r.module.LLVM, r.byFunction(), map[*llir.Func]bool{}
	for _, f := range r.module.Functions() {
		ir.NameLocals(f)
		rebuilt[f] = true
	}
	r.prepare()
	if err := mod.AssignGlobalIDs(); err != nil {
		return fmt.Errorf("numbering globals: %w", err)
	}
	if err := mod.AssignMetadataIDs(); err != nil {
		return fmt.Errorf("numbering metadata: %w", err)
	}
	globals := len(mod.Globals)
	before := &llir.Module{SourceFilename: mod.SourceFilename, DataLayout: mod.DataLayout, TargetTriple: mod.TargetTriple, ModuleAsms: mod.ModuleAsms,
		TypeDefs: mod.TypeDefs, ComdatDefs: mod.ComdatDefs, Globals: mod.Globals, Aliases: mod.Aliases, IFuncs: mod.IFuncs}
	if _, err := before.WriteTo(w); err != nil {
		return err
	}
	for _, f := range mod.Funcs {
		text := f.LLString
		if rebuilt[f] {
			text = func() string { return r.textOf(f, of[f]) }
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", text()); err != nil {
			return err
		}
	}
	after := &llir.Module{Globals: mod.Globals[globals:], AttrGroupDefs: mod.AttrGroupDefs, NamedMetadataDefs: withoutDebug(mod.NamedMetadataDefs),
		MetadataDefs: mod.MetadataDefs, UseListOrders: mod.UseListOrders, UseListOrderBBs: mod.UseListOrderBBs}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	_, err := after.WriteTo(w)
	return err
}

// textOf is the text of a function with its mutants.
func (r *rebuilding) textOf(f *llir.Func, mutants []*mutant.Mutant) string {
	defer rememberCode(f)()
	r.rebuild(f, mutants)
	return f.LLString()
}
