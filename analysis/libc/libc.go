// Package libc says what the functions of the C library do, and the intrinsics that
// clang makes of some: what each reads, writes and returns, whether it ends the program,
// each with the clause that says so. It is one table (Functions), which all analyses
// read: an analysis that knows more of a function, as the interpreter does, keys what it
// knows by the table's names.
//
// A function that the module defines is never taken for the library's, whatever its name.
package libc

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

// Function is a row of the table.
type Function struct {
	Name string
	// Source is the clause that says what it does: of C11 (ISO/IEC 9899:2011), of an older
	// C where that dropped it, of POSIX.1-2017, of the Large File Summit's Adding Support for
	// Arbitrary File Sizes 1.5, of the Linux Standard Base 5, or of LLVM's language reference.
	Source string
	// Arguments has a letter an argument, the last standing for all that follow: r reads, w
	// writes, b does both to what it points to; k reads and leaves the address where the
	// program can use it again; - is no address, or memory that programs do not look into
	// (FILE). Memory that no argument points to is left alone. "" is a function of which
	// that cannot be said: it keeps an address, calls back, or was not looked at.
	Arguments string
	// Returns bounds what it returns, as far as the type of the call can hold it.
	Returns Range
	// Format is the argument that is a format of printf or scanf, counted from 1; 0 for none.
	Format int
	// Is says what else is special about it.
	Is Trait
}

// Range is the integers from Lo to Hi; that from 0 to 0 is no bound.
type Range struct{ Lo, Hi int64 }

// Bounded says that the range bounds something.
func (r Range) Bounded() bool { return r != Range{} }

// Trait is a set of what is special about some functions.
type Trait uint8

const (
	// Ends: it does not return, but ends the program, or traps.
	Ends Trait = 1 << iota
	// Output: it writes to a stream.
	Output
	// Scans: it returns how many of the arguments behind its format it has read, or -1.
	Scans
	// Compares: it compares texts, or looks for one in another.
	Compares
	// Letter: it returns a character where its argument is one (Character).
	Letter
)

// Argument is the letter of an argument, from 0, of a function whose Arguments are known.
func (f *Function) Argument(k int) byte {
	return f.Arguments[min(k, len(f.Arguments)-1)]
}

// Has says that a function is special in a way. That of none is in no way.
func (f *Function) Has(t Trait) bool { return f != nil && f.Is&t != 0 }

// Character is what a character can be, with a sign or without: what toupper takes and
// returns.
var Character = Range{-128, math.MaxUint8}

// Called is what a call calls; nil for what is not of the C library, and for what the
// module defines or calls by an address.
func Called(call *llir.InstCall) *Function { return Named(call.Callee) }

// Named is Called by what is called.
func Named(callee value.Value) *Function {
	f, ok := callee.(*llir.Func)
	if cast, is := callee.(*constant.ExprBitCast); is {
		f, ok = undeclared(cast)
	}
	if !ok || len(f.Blocks) > 0 {
		return nil
	}
	name, intrinsic := strings.CutPrefix(f.Name(), "llvm.")
	if !intrinsic { // glibc's headers hide scanf
		return Find(strings.TrimPrefix(strings.TrimPrefix(name, "__isoc99_"), "__isoc23_"))
	}
	name, _, _ = strings.Cut(name, ".") // without the types
	if own := byName["llvm."+name]; own != nil {
		return own
	}
	return byName[name]
}

// undeclared is a function that is called without having been declared, as gets is in what includes
// today's stdio.h: clang takes it for one of any arguments that returns an int.
func undeclared(cast *constant.ExprBitCast) (*llir.Func, bool) {
	f, ok := cast.From.(*llir.Func)
	return f, ok && f.Sig.Variadic && len(f.Params) == 0
}

// Find is a function by its name in C; nil for none.
func Find(name string) *Function { return byName[name] }

var byName = index()

func index() map[string]*Function {
	out := make(map[string]*Function, len(Functions))
	for i := range Functions {
		out[Functions[i].Name] = &Functions[i]
	}
	return out
}
