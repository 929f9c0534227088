package schemata

import (
	"strings"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/ir"
)

// Own is how the names begin that are shared by meta-mutant and runtime.
const Own = "winnow_"

// apart is how the names begin that a program gets in place of those that it must not
// have. No C program can have a name with a dot.
const apart = "winnow.program."

// symbol is a name as the linker has it: a leading \x01 says that a label was given in
// the source (__asm__).
func symbol(name string) string { return strings.TrimPrefix(name, "\x01") }

// Defined calls yield with each name that a module defines for other modules, and for
// the C library.
func Defined(m *ir.Module, yield func(name string)) {
	eachSymbol(m, func(name string, linkage enum.Linkage, defined bool, _ func(string)) {
		if defined && linkage != enum.LinkageInternal && linkage != enum.LinkagePrivate {
			yield(symbol(name))
		}
	})
}

// Apart gives what a module defines or declares under certain names other ones, so that
// a program's own write, exit or winnow_fuel is not taken for that of the runtime or of
// the C library below it. Restore takes it back.
func Apart(m *ir.Module, isTaken func(name string) bool) (restore func()) {
	var undo []func()
	eachSymbol(m, func(name string, _ enum.Linkage, _ bool, rename func(string)) {
		if !isTaken(symbol(name)) {
			return
		}
		undo = append(undo, func() { rename(name) })
		rename(apart + symbol(name))
	})
	return func() {
		for _, back := range undo {
			back()
		}
	}
}

// eachSymbol visits what has a name in the linker's sense.
func eachSymbol(m *ir.Module, visit func(name string, linkage enum.Linkage, defined bool, rename func(string))) {
	for _, f := range m.LLVM.Funcs {
		visit(f.Name(), f.Linkage, len(f.Blocks) > 0, f.SetName)
	}
	for _, g := range m.LLVM.Globals {
		visit(g.Name(), g.Linkage, g.Init != nil, g.SetName)
	}
	for _, a := range m.LLVM.Aliases {
		visit(a.Name(), a.Linkage, true, a.SetName)
	}
	for _, i := range m.LLVM.IFuncs {
		visit(i.Name(), i.Linkage, true, i.SetName)
	}
}
