package scope_test

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// TestAScopeOfOneFunctionKeepsItsMutantsAndNoOthers takes the mutants of a
// program: all of max's are left, as they were, and none of the other function's.
func TestAScopeOfOneFunctionKeepsItsMutantsAndNoOthers(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "two.c"), `int max(int a, int b) { return a > b ? a : b; }
int maximum(int a, int b, int c) { return max(max(a, b), c) + 1; }
`)
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	s := newScope(t, scope.Options{Config: write(t, filepath.Join(dir, "scope.json"), `{"Functions":["max"]}`)})
	kept := map[string]int{}
	made := map[string]int{}
	for _, one := range operator.Generate(m, operator.Options{}).Mutants {
		made[one.Function]++
		if s.Decide(&one).Keep() {
			kept[one.Function]++
		}
	}
	if made["max"] == 0 || made["maximum"] == 0 || kept["max"] != made["max"] || kept["maximum"] != 0 {
		t.Errorf("made %v, kept %v", made, kept)
	}
}
