package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestATableInWhichABitChangedIsNeitherGoneOnWithNorMerged(t *testing.T) {
	folder, out := projecttest.Folder(t), filepath.Join(t.TempDir(), "out")
	opts := RunOptions{Resume: true}
	if _, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(out, "grade")
	m, err := dataset.ReadManifest(dir)
	if err != nil || len(m.Files) < 3 {
		t.Fatalf("%d tables, %v", len(m.Files), err)
	}
	for name := range m.Files {
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := append([]byte(nil), text...)
		damaged[len(damaged)/2] ^= 4
		if err := os.WriteFile(file, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		refused := func(err error) bool { return exit.Of(err) == exit.Input && strings.Contains(err.Error(), name) }
		if _, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts); !refused(err) {
			t.Errorf("%s: gone on with: %v", name, err)
		}
		if _, err := Merge([]string{out}, filepath.Join(t.TempDir(), "merged"), false); !refused(err) {
			t.Errorf("%s: merged: %v", name, err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if runs, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts); err != nil || len(runs) != 1 {
		t.Errorf("whole again: %d runs, %v", len(runs), err)
	}
}
