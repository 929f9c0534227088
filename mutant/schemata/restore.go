package schemata

import (
	"reflect"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
)

// rememberModule returns a function that takes back what a build changes beside
// the code of functions: lists of the module, attributes and names.
func rememberModule(m *ir.Module) (restore func()) {
	mod := m.LLVM
	globals, funcs, aliases := slices.Clone(mod.Globals), slices.Clone(mod.Funcs), slices.Clone(mod.Aliases)
	var undo []func()
	for _, group := range mod.AttrGroupDefs {
		attrs := group.FuncAttrs
		undo = append(undo, func() { group.FuncAttrs = attrs })
	}
	for _, f := range funcs {
		attrs, name := f.FuncAttrs, f.Name()
		undo = append(undo, func() {
			f.FuncAttrs = attrs
			if f.Name() != name {
				f.SetName(name)
			}
		})
	}
	return func() {
		mod.Globals, mod.Funcs, mod.Aliases = globals, funcs, aliases
		for _, back := range undo {
			back()
		}
	}
}

// rememberCode returns a function that takes back what a build changes in a
// function: its blocks, their instructions with their operands, and the promises
// of these.
func rememberCode(f *llir.Func) (restore func()) {
	blocks, undo := slices.Clone(f.Blocks), []func(){rememberFunction(f)}
	for _, b := range blocks {
		parent := b.Parent
		undo = append(undo, func() { b.Parent = parent })
		for _, inst := range b.Insts {
			if back := keepPromises(inst); back != nil {
				undo = append(undo, back)
			}
		}
	}
	return func() {
		f.Blocks = blocks
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
