package clang_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
)

// What was asked is remembered word by word: other flags, another text and another question are
// asked anew, and so is everything by tools that remember nothing.
func TestToolsThatRememberAskTheCompilerOnce(t *testing.T) {
	source := filepath.Join(t.TempDir(), "f.c")
	testfile.Write(t, source, "int f(void) { return N; }\n")
	plain := clangtest.Tools(t)
	tools := plain.Remembering()
	compile := func(tools *clang.Toolchain, n string) (string, error) {
		text, err := tools.Compile(t.Context(), source, []string{"-DN=" + n})
		return string(text), err
	}
	first, err := compile(tools, "1")
	if err != nil {
		t.Fatal(err)
	}
	preprocessed, err := tools.CompilePreprocessed(t.Context(), source, []byte("int g(void) { return 1; }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(source); err != nil {
		t.Fatal(err)
	}
	if again, err := compile(tools, "1"); err != nil || again != first {
		t.Errorf("asked again: %v, the same: %t", err, again == first)
	}
	if other, err := tools.CompilePreprocessed(t.Context(), source, []byte("int g(void) { return 2; }\n"), nil); err != nil || string(other) == string(preprocessed) {
		t.Errorf("another text: %v, the same answer: %t", err, string(other) == string(preprocessed))
	}
	for name, ask := range map[string]func() error{
		"other flags":                func() error { _, err := compile(tools, "2"); return err },
		"another question":           func() error { _, err := tools.Preprocess(t.Context(), source, []string{"-DN=1"}); return err },
		"tools that do not remember": func() error { _, err := compile(plain, "1"); return err },
	} {
		if ask() == nil {
			t.Errorf("%s: the compiler was not asked, for the file is gone", name)
		}
	}
}
