package dataflow

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/ir"
)

// effect is what a call does to memory.
type effect struct {
	reads, writes bool
	// onlyArguments: no memory but what the arguments point to.
	onlyArguments bool
	// arguments are those of libc.Function; "" means that reads and writes hold for
	// every argument.
	arguments string
}

// keeps reports whether the k-th argument may be known somewhere after the
// call. A library function that returns an address may return a part of what
// it was given.
func (e effect) keeps(call *llir.InstCall, k int, used bool) bool {
	switch {
	case !e.onlyArguments:
		return e.reads || e.writes
	case e.arguments == "":
		return false
	}
	return e.arguments[min(k, len(e.arguments)-1)] == 'k' || used && types.IsPointer(call.Type())
}

func (e effect) argument(k int) access {
	if e.arguments == "" {
		return access{reads: e.reads, writes: e.writes}
	}
	switch e.arguments[min(k, len(e.arguments)-1)] {
	case 'r', 'k':
		return access{reads: true}
	case 'w':
		return access{writes: true}
	case 'b':
		return access{reads: true, writes: true}
	}
	return access{}
}

// effectOf returns the effect of a call. A function that the module defines is
// never taken for the library's.
func effectOf(call *llir.InstCall) effect {
	if ir.IsDebug(call) {
		return effect{onlyArguments: true}
	}
	if f := libc.Called(call); f != nil && f.Arguments != "" {
		return effect{
			onlyArguments: true, arguments: f.Arguments,
			reads: strings.ContainsAny(f.Arguments, "rbk"), writes: strings.ContainsAny(f.Arguments, "wb"),
		}
	}
	if f, ok := call.Callee.(*llir.Func); ok && len(f.Blocks) == 0 && strings.HasPrefix(f.Name(), "llvm.") {
		return effect{onlyArguments: true} // arithmetic and markers
	}
	e := effect{reads: true, writes: true}
	switch attributes := attributesOf(call); {
	case attributes[enum.FuncAttrReadNone]:
		return effect{onlyArguments: true}
	case attributes[enum.FuncAttrReadOnly]:
		e.writes = false
	}
	return e
}
