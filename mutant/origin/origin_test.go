package origin_test

import (
	"os"
	"path/filepath"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant/origin"
)

func originsOf(t *testing.T, text string, flags ...string) (*csource.File, *ir.Module, origin.Map) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tools := clangtest.Tools(t)
	code, err := tools.Compile(t.Context(), path, flags)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(path, code)
	if err != nil {
		t.Fatal(err)
	}
	source, err := csource.Parse(path, flags)
	if err != nil {
		t.Fatal(err)
	}
	origins, err := origin.Of(t.Context(), tools, m, source, flags)
	if err != nil {
		t.Fatal(err)
	}
	return source, m, origins
}

// Each mask of one line is told by its constant: the expression at its token has it.
func TestEachInstructionOfAMacroHasItsOwnToken(t *testing.T) {
	source, m, origins := originsOf(t, `#include <stdio.h>
#define BIT(f, n) if ((f) & n) puts(#n)
#define PICK(f) do { BIT(f, 8); BIT(f + 1, 16); for (int i = 0; (i & 3) < WIDTH; i++) BIT(i & 5, 7); } while (0)
int main(void) {
  int f = __LINE__;
  PICK(f); PICK(f * 9);
  return 0;
}
`, "-DWIDTH=2")
	want := map[string]int{"(f) & 8": 1, "(f + 1) & 16": 1, "i & 3": 2, "i & 5": 2, "(i & 5) & 7": 2, "(f * 9) & 8": 1, "(f * 9 + 1) & 16": 1}
	for _, b := range m.Functions()[0].Blocks {
		for _, inst := range b.Insts {
			mask, ok := inst.(*llir.InstAnd)
			if !ok {
				continue
			}
			found := source.AtToken(origins[inst])
			if len(found) == 0 {
				t.Errorf("%s has no expression", inst.LLString())
				continue
			}
			want[found[0].Expanded()]--
			if k, ok := mask.Y.(*constant.Int); ok && found[0].Operands[1].Expanded() != k.X.String() {
				t.Errorf("%s is %s", inst.LLString(), found[0].Expanded())
			}
		}
	}
	for text, n := range want {
		if n != 0 {
			t.Errorf("%s: %d instructions too few", text, n)
		}
	}
}

func TestAProgramWithoutCodeOfMacrosIsCompiledOnce(t *testing.T) {
	if _, _, origins := originsOf(t, "#define N 3\nint f(int a) { return a * N; }\n"); origins != nil {
		t.Errorf("%d instructions have origins", len(origins))
	}
}
