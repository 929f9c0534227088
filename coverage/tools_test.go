package coverage_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// sign says what it was given; no test reaches never.
const sign = `#include <stdio.h>
#include "twice.h"
int never(void) {
	return 1;
}
int main(void) {
	int x;
	if (scanf("%d", &x) != 1)
		return 2;
	if (x > 0 && x < 10)
		puts("small");
	return twice(x) != 2 * x;
}
`

const twiceHeader = `static inline int twice(int x) {
	return x + x;
}
`

// counting makes the target of sign.c with a test that reads 5, one that reads -5 and one that reads nothing.
func counting(t *testing.T) *coverage.Target {
	t.Helper()
	root, base := t.TempDir(), t.TempDir()
	testfile.Write(t, filepath.Join(root, "src", "sign.c"), sign)
	testfile.Write(t, filepath.Join(root, "src", "twice.h"), twiceHeader)
	p := &coverage.Program{Root: root, Units: []coverage.Unit{{Source: filepath.Join(root, "src", "sign.c")}},
		Tests:    []execute.Test{{Name: "small", Text: []byte("5")}, {Name: "negative", Text: []byte("-5")}, {Name: "empty"}},
		Unusable: func(int, execute.Outcome) string { return "" }}
	on, err := p.Target(clangtest.Tools(t), filepath.Join(base))
	if err != nil {
		t.Fatal(err)
	}
	return on
}

func TestGcovAndLlvmCovTellWhichTestRunsWhichLineFunctionAndSide(t *testing.T) {
	tools, err := coverage.Find([]string{"gcov", "llvm-cov"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := coverage.Measure(t.Context(), tools, counting(t), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		got := map[string]string{}
		for e, row := range rows(m) {
			got[m.Elements[e]] = row
		}
		switch m.Criterion {
		case criterion.Line:
			for element, want := range map[string]string{"src/sign.c:4": "000", "src/sign.c:9": "001", "src/sign.c:10": "110", "src/sign.c:11": "100", "src/twice.h:2": "110"} {
				if got[element] != want {
					t.Errorf("%s: %s is covered by %q, want %q", m.Name(), element, got[element], want)
				}
			}
		case criterion.Function:
			want := map[string]string{"src/sign.c:3 never": "000", "src/sign.c:6 main": "111", "src/twice.h:1 twice": "110"}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", m.Name(), got, want)
			}
		case criterion.Branch:
			// Two sides of each of three conditions; how sides are numbered is the tool's.
			sides := rows(m)
			slices.Sort(sides)
			if want := []string{"000", "001", "010", "100", "100", "110"}; !slices.Equal(sides, want) {
				t.Errorf("%s: sides %v, want %v: %v", m.Name(), sides, want, got)
			}
		}
		if m.Cell(0, 0) == matrix.Unknown {
			t.Errorf("%s: nothing is known of the first test", m.Name())
		}
	}
	if len(all) != 6 {
		t.Errorf("%d matrices, want three of each tool", len(all))
	}
}

func TestASourceThatDoesNotCompileFailsItsToolInWordsOfTheCompiler(t *testing.T) {
	tools, err := coverage.Find([]string{"gcov"})
	if err != nil {
		t.Fatal(err)
	}
	on := counting(t)
	testfile.Write(t, on.Units[0].Source, "int main(void) { return undeclared; }\n")
	all, err := coverage.Measure(t.Context(), tools, on, "")
	if err == nil || len(all) != 3 || !slices.ContainsFunc(all, func(m *criterion.Matrix) bool { return m.Failed != "" }) {
		t.Errorf("%v with %d matrices, want three that failed", err, len(all))
	}
}
