package libc_test

import (
	"regexp"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/libc"
)

func TestEachFunctionHasOneRowWithItsSource(t *testing.T) {
	source := regexp.MustCompile(`^(C11|C99) 7(\.\d+)+$|^(POSIX\.1-2017|LSB 5|LFS 1\.5) (\w+)$|^LLVM LangRef llvm\.\w+$`)
	arguments := regexp.MustCompile(`^[rwbk-]*$`)
	seen := map[string]bool{}
	for _, f := range libc.Functions {
		if seen[f.Name] {
			t.Errorf("%s has two rows", f.Name)
		}
		seen[f.Name] = true
		if !source.MatchString(f.Source) {
			t.Errorf("%s: %q names no clause", f.Name, f.Source)
		}
		if !arguments.MatchString(f.Arguments) {
			t.Errorf("%s: arguments %q", f.Name, f.Arguments)
		}
		if f.Returns.Lo > f.Returns.Hi {
			t.Errorf("%s returns nothing: %v", f.Name, f.Returns)
		}
		if f.Has(libc.Scans) && f.Format == 0 {
			t.Errorf("%s scans without a format", f.Name)
		}
	}
}

func TestAFunctionIsFoundUnderTheNamesThatHideIt(t *testing.T) {
	for name, want := range map[string]string{
		"scanf": "scanf", "__isoc99_sscanf": "sscanf", "__isoc23_fscanf": "fscanf",
		"llvm.memcpy.p0i8.p0i8.i64": "memcpy", "llvm.sqrt.f64": "sqrt", "llvm.abs.i32": "llvm.abs", "llvm.trap": "llvm.trap",
		"trap": "", "llvm.dbg.declare": "", "mine": "", "llvm.unknown": "",
	} {
		got := ""
		if f := libc.Named(llir.NewFunc(name, types.Void)); f != nil {
			got = f.Name
		}
		if got != want {
			t.Errorf("%s is taken for %q, want %q", name, got, want)
		}
	}
}

func TestAFunctionThatNobodyDeclaredIsFound(t *testing.T) {
	undeclared := llir.NewFunc("gets", types.I32)
	undeclared.Sig.Variadic = true
	called := types.NewPointer(types.NewFunc(types.I32, types.I8Ptr))
	if f := libc.Named(constant.NewBitCast(undeclared, called)); f == nil || f.Name != "gets" {
		t.Errorf("gets without a declaration is taken for %v", f)
	}
	if f := libc.Named(constant.NewBitCast(llir.NewFunc("gets", types.I8Ptr), called)); f != nil {
		t.Errorf("a function called as another is taken for %s", f.Name)
	}
}

func TestAFunctionThatTheModuleDefinesIsNotTheLibrarys(t *testing.T) {
	own := llir.NewFunc("strlen", types.I64)
	own.NewBlock("").NewUnreachable()
	if f := libc.Named(own); f != nil {
		t.Errorf("the module's own strlen is taken for %s", f.Source)
	}
	if f := libc.Named(llir.NewParam("p", types.NewPointer(types.NewFunc(types.Void)))); f.Has(libc.Ends) {
		t.Error("what an address calls is taken for a function that ends the program")
	}
}
