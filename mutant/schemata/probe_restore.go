package schemata

import (
	"reflect"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// ProbeText returns the text of a module's probing build and leaves the module
// as it was, so that Build can follow.
func ProbeText(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) string {
	defer snapshot(m)()
	Probe(m, mutants, opts)
	return m.String()
}

// CoverText is the like of ProbeText for the coverage build.
func CoverText(m *ir.Module, mutants []mutant.Mutant, opts ProbeOptions) string {
	defer snapshot(m)()
	Cover(m, mutants, opts)
	return m.String()
}

// snapshot returns a function that takes back what a probing build changes: lists
// of the module, the blocks of its functions, attributes, and the promises of its
// instructions.
func snapshot(m *ir.Module) (restore func()) {
	mod := m.LLVM
	globals, funcs, aliases := slices.Clone(mod.Globals), slices.Clone(mod.Funcs), slices.Clone(mod.Aliases)
	var undo []func()
	for _, group := range mod.AttrGroupDefs {
		attrs := group.FuncAttrs
		undo = append(undo, func() { group.FuncAttrs = attrs })
	}
	for _, f := range funcs {
		attrs, name, blocks := f.FuncAttrs, f.Name(), slices.Clone(f.Blocks)
		undo = append(undo, func() {
			f.FuncAttrs, f.Blocks = attrs, blocks
			if f.Name() != name {
				f.SetName(name)
			}
		})
		for _, b := range blocks {
			insts, term, parent := slices.Clone(b.Insts), b.Term, b.Parent
			undo = append(undo, func() { b.Insts, b.Term, b.Parent = insts, term, parent })
			for _, inst := range insts {
				if back := keepPromises(inst); back != nil {
					undo = append(undo, back)
				}
			}
		}
	}
	return func() {
		mod.Globals, mod.Funcs, mod.Aliases = globals, funcs, aliases
		for _, back := range undo {
			back()
		}
	}
}

// keepPromises returns a function that gives an instruction back the flags that
// dropPromises takes; nil when it takes none.
func keepPromises(inst llir.Instruction) func() {
	of := reflect.ValueOf(inst).Elem()
	var undo []func()
	for _, name := range []string{"OverflowFlags", "FastMathFlags", "Exact", "InBounds"} {
		field := of.FieldByName(name)
		if !field.IsValid() || field.IsZero() {
			continue
		}
		kept := reflect.New(field.Type()).Elem()
		kept.Set(field)
		undo = append(undo, func() { field.Set(kept) })
	}
	if undo == nil {
		return nil
	}
	return func() {
		for _, back := range undo {
			back()
		}
	}
}
