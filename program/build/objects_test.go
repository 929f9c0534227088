package build_test

import (
	"debug/elf"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
)

// Objects that take the place of a project's have no debug information: a valgrind that is older
// than the compiler ends every test that it runs of a library with some.
func TestObjectsOfMutantsHaveNoDebugInformation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "twice.c")
	testfile.Write(t, path, "int twice(int n) { return n * 2; }\n")
	p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: path}}, program.LoadOptions{Name: "twice"})
	if err != nil {
		t.Fatal(err)
	}
	b := buildtest.Builder(t)
	mutants, err := b.MutantObjects(t.Context(), p, "mutants", build.Fast)
	if err != nil {
		t.Fatal(err)
	}
	probe, _, err := b.ProbeObjects(t.Context(), p, "probe", build.Soon)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range append(mutants.Units, probe.Units...) {
		f, err := elf.Open(object)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, s := range f.Sections {
			if strings.HasPrefix(s.Name, ".debug") {
				t.Errorf("%s has a section %s", filepath.Base(object), s.Name)
			}
		}
		if symbols, err := f.Symbols(); err != nil || len(symbols) == 0 {
			t.Errorf("%s: %v", filepath.Base(object), err)
		}
	}
}
