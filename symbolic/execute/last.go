package execute

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/libc"
)

// looksLater are functions after whose call the C library looks into the program's memory when
// main has returned: it calls what was registered, or writes a buffer out.
var looksLater = map[string]bool{"atexit": true, "on_exit": true, "at_quick_exit": true, "__cxa_atexit": true,
	"setbuf": true, "setvbuf": true, "setbuffer": true, "signal": true, "sigaction": true, "pthread_create": true, "thrd_create": true}

// endsTheProgram says that nobody looks into memory when the function has returned: it is main,
// which nobody calls, in a program of one file that calls the C library and itself alone, and
// registers nothing to be done later. Of what main returns the lowest byte is seen.
func endsTheProgram(f *llir.Func) bool {
	if f.Name() != "main" {
		return false
	}
	for _, g := range f.Parent.Globals {
		if strings.HasPrefix(g.Name(), "llvm.global_") { // constructors and destructors
			return false
		}
		if g.Init == nil && !streams[g.Name()] {
			return false // another file's
		}
	}
	for _, other := range f.Parent.Funcs {
		if len(other.Blocks) == 0 {
			if looksLater[other.Name()] || libc.Named(other) == nil && !strings.HasPrefix(other.Name(), "llvm.") {
				return false
			}
			continue
		}
		for _, b := range other.Blocks {
			for _, i := range b.Insts {
				if mentions(i, f) {
					return false
				}
			}
		}
	}
	return true
}

// streams are the variables of the C library that programs name.
var streams = map[string]bool{"stdin": true, "stdout": true, "stderr": true}

// mentions says that an instruction uses a function.
func mentions(i llir.Instruction, f *llir.Func) bool {
	user, ok := i.(interface{ Operands() []*value.Value })
	if !ok {
		return false
	}
	for _, o := range user.Operands() {
		if *o == value.Value(f) {
			return true
		}
	}
	return false
}
