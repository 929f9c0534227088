package clang_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// FuzzDisassemble: whatever is in a file of bitcode, it is a module or an input that
// cannot be used: what happens to LLVM while it reads is not what happens to us.
func FuzzDisassemble(f *testing.F) {
	tools, err := clang.Find()
	if err != nil {
		f.Fatal(err)
	}
	source, bitcode := filepath.Join(f.TempDir(), "a.c"), filepath.Join(f.TempDir(), "a.bc")
	testfile.Write(f, source, "int f(int a) { return a > 3 ? a : -a; }\n")
	text, err := tools.Compile(f.Context(), source, nil)
	if err == nil {
		err = tools.AssembleFile(f.Context(), "a.ll", text, bitcode)
	}
	if err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(bitcode)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("BC\xc0\xde"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "fuzz.bc")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(data), func() {
			text, err := tools.Disassemble(t.Context(), file)
			if err == nil {
				_, err = ir.Parse("fuzz.bc", text)
			}
			if err != nil && exit.Of(err) != exit.Input {
				t.Errorf("%v has status %v", err, exit.Of(err))
			}
		})
	})
}
