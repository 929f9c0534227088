package ir

import (
	"path"
	"path/filepath"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/value"
)

// attached is what every llir instruction, terminator and function with
// metadata offers.
type attached interface {
	MDAttachments() []*metadata.Attachment
}

// PositionOf returns where in the C source an instruction or terminator comes
// from; the zero Position when it has no debug location (parameter spills,
// modules compiled without -g) or a location on line 0 (code that the compiler
// made up). Code inlined by an optimiser is placed where it was written.
func PositionOf(inst any) Position {
	holder, ok := inst.(attached)
	if !ok {
		return Position{}
	}
	for _, a := range holder.MDAttachments() {
		if loc, ok := a.Node.(*metadata.DILocation); ok && a.Name == "dbg" && loc.Line > 0 {
			return Position{File: fileOf(loc.Scope), Line: int(loc.Line), Column: int(loc.Column)}
		}
	}
	return Position{}
}

// DefinitionOf returns the line that a function's definition begins on; the zero Position without debug
// information.
func DefinitionOf(f *llir.Func) Position {
	for _, a := range f.Metadata {
		if s, ok := a.Node.(*metadata.DISubprogram); ok {
			return Position{File: fileOf(s), Line: int(s.Line)}
		}
	}
	return Position{}
}

// fileOf is the path of the file that a debug scope lies in, as the compiler
// was told it (relative paths stay relative when they were given so).
func fileOf(scope metadata.Field) string {
	var file *metadata.DIFile
	switch s := scope.(type) {
	case *metadata.DISubprogram:
		file = s.File
	case *metadata.DILexicalBlock:
		file = s.File
	case *metadata.DILexicalBlockFile:
		file = s.File
	case *metadata.DIFile:
		file = s
	}
	if file == nil {
		return ""
	}
	name := filepath.ToSlash(file.Filename)
	if strings.Contains(name, "/../") { // a file that another includes from elsewhere is the same file
		return path.Clean(name)
	}
	return name
}

// Variables maps each alloca and global of a function's module to its name in
// the C source, read from llvm.dbg.declare calls and global variable
// expressions. Values without debug information keep their IR name.
func Variables(f *llir.Func) map[value.Value]string {
	names := map[value.Value]string{}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			if slot, variable, ok := Declared(inst); ok {
				names[slot] = variable.Name
			}
		}
	}
	return names
}

// Declared is what an llvm.dbg.declare says: which variable of the source a slot holds.
func Declared(inst llir.Instruction) (slot value.Value, variable *metadata.DILocalVariable, ok bool) {
	call, ok := inst.(*llir.InstCall)
	if !ok || len(call.Args) < 2 || !isDeclare(call) {
		return nil, nil, false
	}
	slot, okSlot := metadataOf(call.Args[0]).(value.Value)
	variable, okVar := metadataOf(call.Args[1]).(*metadata.DILocalVariable)
	return slot, variable, okSlot && okVar
}

// GlobalVariable is what the debug information says of a variable outside of functions; nil for nothing.
func GlobalVariable(g *llir.Global) *metadata.DIGlobalVariable {
	for _, a := range g.Metadata {
		if e, ok := a.Node.(*metadata.DIGlobalVariableExpression); ok && e.Var != nil {
			return e.Var
		}
	}
	return nil
}

// IsUnsigned reports a type of the debug information that is an integer without a sign, or an array of such or
// a pointer to such.
func IsUnsigned(declared metadata.Field) bool {
	for depth := 0; depth < 100; depth++ { // a cycle in hand-made metadata ends
		switch t := declared.(type) {
		case *metadata.DIBasicType:
			return t.Encoding == enum.DwarfAttEncodingUnsigned || t.Encoding == enum.DwarfAttEncodingUnsignedChar || t.Encoding == enum.DwarfAttEncodingBoolean
		case *metadata.DIDerivedType:
			declared = t.BaseType
		case *metadata.DICompositeType:
			declared = t.BaseType
		default:
			return false
		}
	}
	return false
}

func isDeclare(call *llir.InstCall) bool {
	f, ok := call.Callee.(*llir.Func)
	return ok && f.Name() == "llvm.dbg.declare"
}

func metadataOf(arg value.Value) any {
	arg = Unwrap(arg)
	if md, ok := arg.(*metadata.Value); ok {
		return md.Value
	}
	return nil
}

// IsDebug reports whether an instruction is a debug intrinsic, which is not
// code.
func IsDebug(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*llir.Func)
	return ok && len(f.Name()) > 9 && f.Name()[:9] == "llvm.dbg."
}

// Unwrap returns the value behind a call argument with attributes; any other
// value is returned as it is.
func Unwrap(v value.Value) value.Value {
	if arg, ok := v.(*llir.Arg); ok {
		return arg.Value
	}
	return v
}
