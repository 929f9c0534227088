// Package ir is LLVM IR as data with C positions.
//
// It wraps llir/llvm: a Module is one parsed translation unit whose
// instructions know where in the C source they come from (their !dbg
// location), and a Function list that says which functions winnow supports and
// why it leaves the others alone. Everything above this package reads IR
// through it and through the llir types; nothing but ir/clang starts a
// compiler.
//
// winnow reads the typed-pointer IR of clang-14. Newer compilers print opaque
// pointers (`ptr`), which Parse refuses with the name of the clang to use.
package ir

import (
	llir "github.com/llir/llvm/ir"
)

// Module is one translation unit.
type Module struct {
	// LLVM is the module itself; rooms above may read it freely and only
	// mutant/schemata may change it.
	LLVM *llir.Module
	// Name is the program's name for reports: the base name of the file read.
	Name string
	// Skipped lists the functions that winnow leaves unmutated, in module
	// order, with the reason.
	Skipped []Skip
}

// Skip says why a function with a body is left alone.
type Skip struct {
	Function string
	Reason   string
}

// Position is a place in a C file. Line and Column count from 1; Column counts
// bytes, as clang does. The zero Position means "not known".
type Position struct {
	File   string
	Line   int
	Column int
}

// Known reports whether the position names a line.
func (p Position) Known() bool { return p.Line > 0 }
