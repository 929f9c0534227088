package build_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
)

func TestWhatHasNoMainIsRefusedWithThatReason(t *testing.T) {
	for text, refused := range map[string]bool{
		"int main(void) { return 0; }":                                 false,
		"int f(int x) { return x + 1; }":                               true,
		"int main(void); int f(void) { return main(); }":               true,
		"static int main_(int x) { return x; } int (*g)(int) = main_;": true,
	} {
		path := filepath.Join(t.TempDir(), "a.c")
		testfile.Write(t, path, text)
		p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: path}}, program.LoadOptions{Name: "a"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = buildtest.Builder(t).MetaMutant(t.Context(), p, "meta")
		if (err != nil) != refused || refused && (exit.Of(err) != exit.Input || !strings.Contains(err.Error(), "defines main")) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
