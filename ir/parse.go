package ir

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/llir/llvm/asm"
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// ErrOpaquePointers is returned for IR that a compiler newer than winnow's
// wrote: it has the untyped pointer type `ptr`.
var ErrOpaquePointers = errors.New("the IR has opaque pointers (`ptr`), which winnow does not read")

// ErrSyntax is wrapped by Parse for text that is not LLVM IR, for truncated
// files among others.
var ErrSyntax = errors.New("not readable as LLVM IR of clang-14")

var opaquePointer = regexp.MustCompile(`(?m)^[^;"]*[ (,*]ptr[ ,)*]`)

// alignedResult is an alignment that is promised of a function's or a call's result, as clang writes it of
// aligned_alloc. llir does not read it there. Without it optimisers know less, and nothing else changes.
var alignedResult = regexp.MustCompile(`(?m)^(\s*(?:%\S+ = )?(?:[a-z]+ )?call |define |declare )((?:[a-z_]+(?:\([0-9]+\))? )*?)align(?: [0-9]+|\([0-9]+\)) `)

// Parse reads textual LLVM IR. The name is the file's, for messages and
// reports. Functions that winnow cannot mutate are listed in Module.Skipped.
func Parse(name string, text []byte) (module *Module, err error) {
	defer func() {
		// llir panics on some malformed inputs; to our callers that is bad
		// input, not a bug.
		if r := recover(); r != nil {
			module, err = nil, syntaxError(name, text, fmt.Errorf("%v", r))
		}
	}()
	parsed, err := asm.ParseBytes(name, readable(alignedResult.ReplaceAll(text, []byte("$1$2"))))
	if err != nil {
		return nil, syntaxError(name, text, err)
	}
	m := &Module{LLVM: parsed, Name: programName(name)}
	for _, f := range parsed.Funcs {
		if f.Linkage == enum.LinkageAvailableExternally && isAlwaysInlined(f.FuncAttrs) {
			f.Linkage = enum.LinkageInternal // its code is emitted where it is called, and nowhere else
		}
		if reason := unsupported(f); len(f.Blocks) > 0 && reason != "" {
			m.Skipped = append(m.Skipped, Skip{Function: f.Name(), Reason: reason})
		}
	}
	return m, nil
}

func syntaxError(name string, text []byte, cause error) error {
	if bytes.Contains(text, []byte("ptr")) && opaquePointer.Match(text) {
		return exit.New(exit.Input, fmt.Errorf("%s: %w", name, ErrOpaquePointers),
			"compile the C source with clang-14, or with clang-15 and -Xclang -no-opaque-pointers")
	}
	return exit.New(exit.Input, fmt.Errorf("%s: %w: %v", name, ErrSyntax, cause),
		"give winnow the C source, or IR that clang-14 wrote whole")
}

func programName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func isAlwaysInlined(attrs []llir.FuncAttribute) bool {
	return slices.ContainsFunc(attrs, func(a llir.FuncAttribute) bool {
		group, isGroup := a.(*llir.AttrGroupDef)
		return a == enum.FuncAttrAlwaysInline || isGroup && isAlwaysInlined(group.FuncAttrs)
	})
}

// unsupported names the construct for which a function is left alone, or "".
func unsupported(f *llir.Func) string {
	if f.Linkage == enum.LinkageAvailableExternally {
		return "available_externally: its code is not emitted"
	}
	for _, attr := range f.FuncAttrs {
		if attr == enum.FuncAttrNaked {
			return "naked: its body is inline assembly"
		}
	}
	for _, b := range f.Blocks {
		switch b.Term.(type) {
		case *llir.TermRet, *llir.TermBr, *llir.TermCondBr, *llir.TermSwitch,
			*llir.TermIndirectBr, *llir.TermUnreachable:
		default:
			return fmt.Sprintf("terminator %s", instructionName(b.Term))
		}
		for _, inst := range b.Insts {
			switch inst.(type) {
			case *llir.InstLandingPad, *llir.InstCatchPad, *llir.InstCleanupPad:
				return fmt.Sprintf("exception handling (%s)", instructionName(inst))
			}
		}
	}
	return ""
}

// instructionName is the llir type's name without its Inst or Term prefix.
func instructionName(v any) string {
	name := fmt.Sprintf("%T", v)
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, "Inst"), "Term"))
}

// Functions returns the functions with a body that winnow supports, in module
// order.
func (m *Module) Functions() []*llir.Func {
	skipped := make(map[string]bool, len(m.Skipped))
	for _, s := range m.Skipped {
		skipped[s.Function] = true
	}
	var out []*llir.Func
	for _, f := range m.LLVM.Funcs {
		if len(f.Blocks) > 0 && !skipped[f.Name()] {
			out = append(out, f)
		}
	}
	return out
}

// String is the module as LLVM text, the form that clang and opt read.
func (m *Module) String() string { return m.LLVM.String() }
