package ir_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

const opaque = `define i32 @f(ptr %p) {
entry:
  %v = load i32, ptr %p
  ret i32 %v
}
`

func TestIRWithOpaquePointersIsRefusedWithTheClangToUse(t *testing.T) {
	_, err := ir.Parse("new.ll", []byte(opaque))
	if !errors.Is(err, ir.ErrOpaquePointers) {
		t.Fatalf("got %v, want ErrOpaquePointers", err)
	}
	if !strings.Contains(exit.HintOf(err), "clang-14") {
		t.Errorf("the hint does not say which clang to use: %q", exit.HintOf(err))
	}
}

func TestTruncatedIRIsAnErrorAndNeverAPanic(t *testing.T) {
	text := compile(t, short, "-O0")
	for cut := 1; cut < len(text); cut += 97 {
		_, err := ir.Parse("cut.ll", text[:cut])
		if err != nil && !errors.Is(err, ir.ErrSyntax) && !errors.Is(err, ir.ErrOpaquePointers) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := ir.Parse("cut.ll", text[:len(text)/2]); !errors.Is(err, ir.ErrSyntax) {
		t.Errorf("half a module: got %v, want ErrSyntax", err)
	}
}

func TestAFunctionWithAnUnsupportedConstructIsNamedAndSkipped(t *testing.T) {
	text := `declare i32 @__gxx_personality_v0(...)
declare void @g()
define void @plain() {
entry:
  ret void
}
define void @thrower() personality i32 (...)* @__gxx_personality_v0 {
entry:
  invoke void @g() to label %ok unwind label %bad
ok:
  ret void
bad:
  %l = landingpad { i8*, i32 } cleanup
  ret void
}
`
	m, err := ir.Parse("throws.ll", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Skipped) != 1 || m.Skipped[0].Function != "thrower" || !strings.Contains(m.Skipped[0].Reason, "invoke") {
		t.Errorf("skipped %+v, want thrower for its invoke", m.Skipped)
	}
	if fs := m.Functions(); len(fs) != 1 || fs[0].Name() != "plain" {
		t.Errorf("functions %v, want plain alone", fs)
	}
}

// short has a phi of each kind that clang makes, and a loop whose optimised
// form exchanges two values, so that phis of one block read each other.
const short = `#include <stdio.h>
int pick(int a, int b, int c) { return a > b && b > c ? a : b || c; }
int main(int argc, char **argv) {
  int a = argc - 1, b = argc;
  for (int i = 0; i < 20 * argc; i++) { int t = a; a = b; b = t + b * (i % 3); }
  for (int i = -2; i < 3; i++)
    for (int k = -2; k < 3; k++) printf("%d ", pick(i, k, i - k));
  printf("%d %d\n", a, b);
  return 0;
}
`

// written is a file of a folder of its own.
func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func compile(t *testing.T, source, level string) []byte {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, "program.c", source)
	out := strings.TrimSuffix(file, ".c") + ".ll"
	cmd := exec.Command(tools.Clang, "-S", "-emit-llvm", level, "-g", "-o", out, file)
	if message, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, message)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func output(t *testing.T, text []byte) string {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "m.ll"), filepath.Join(dir, "m")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := tools.Link(context.Background(), out, []string{file}, nil); err != nil {
		t.Fatal(err)
	}
	stdout, err := exec.Command(out).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(stdout)
}

func TestDemotingPhisKeepsWhatTheProgramComputes(t *testing.T) {
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		t.Run(level, func(t *testing.T) {
			text := compile(t, short, level)
			want := output(t, text)
			m, err := ir.Parse("program.ll", text)
			if err != nil {
				t.Fatal(err)
			}
			demoted := 0
			for _, f := range m.Functions() {
				ir.NameLocals(f)
				demoted += ir.DemotePhis(f)
				for _, b := range f.Blocks {
					for _, inst := range b.Insts {
						if _, ok := inst.(*llir.InstPhi); ok {
							t.Errorf("%s: a phi is left", f.Name())
						}
					}
				}
			}
			if demoted == 0 {
				t.Error("the program has no phi to demote")
			}
			if got := output(t, []byte(m.String())); got != want {
				t.Errorf("prints %q, want %q", got, want)
			}
		})
	}
}

func TestInstructionsKnowTheirPlaceInTheSource(t *testing.T) {
	m, err := ir.Parse("program.ll", compile(t, "int f(int a) {\n  return a +\n    7;\n}\n", "-O0"))
	if err != nil {
		t.Fatal(err)
	}
	f := m.Functions()[0]
	var got []string
	for _, inst := range f.Blocks[0].Insts {
		if _, ok := inst.(*llir.InstAdd); ok {
			p := ir.PositionOf(inst)
			got = append(got, fmt.Sprintf("%s:%d:%d", filepath.Base(p.File), p.Line, p.Column))
		}
	}
	if len(got) != 1 || got[0] != "program.c:2:12" {
		t.Errorf("the + stands at %v, want program.c:2:12", got)
	}
	names := ir.Variables(f)
	if len(names) != 1 {
		t.Fatalf("variables %v, want a alone", names)
	}
	for _, name := range names {
		if name != "a" {
			t.Errorf("variable %q, want a", name)
		}
	}
}

// LLVM allows these attributes of a result, alone and together, wherever it has one.
func TestAttributesOfResultsAreRead(t *testing.T) {
	attributes := []string{"", "align 64", "align(64)", "noalias align 64", "nonnull align 8 dereferenceable(4)", "noundef nonnull align 16 dereferenceable_or_null(8)", "noundef", "signext", "inreg"}
	for _, a := range attributes {
		for _, call := range []string{"call", "tail call", "call fastcc"} {
			text := fmt.Sprintf("declare %[1]s i8* @g(i64)\ndefine internal %[1]s i8* @f(i8* align 32 %%0) {\n  %%x = load i8, i8* %%0, align 1\n  %%r = %[2]s %[1]s i8* @g(i64 2)\n  ret i8* %%r\n}\n", a, call)
			m, err := ir.Parse("a.ll", []byte(text))
			if err != nil {
				t.Errorf("%s with %q: %v", call, a, err)
				continue
			}
			if got := m.String(); !strings.Contains(got, "i8* align 32 %0") || !strings.Contains(got, "load i8, i8* %0, align 1") {
				t.Errorf("%s with %q: an alignment that is not the result's was lost:\n%s", call, a, got)
			}
		}
	}
}

// What is read before anything is stored in it is zero, also where only one way leads there, and in a function that ends without a return.
// What is stored first, and what others are given the address of, is as it was.
func TestVariablesThatAreReadFirstHoldZero(t *testing.T) {
	const source = `void give(int *);
static int forgotten(int n) { int r = n * 3; r += 1; }
static int sometimes(int n) { int x; if (n > 2) x = n; return x; }
static double both(int n) { double d; if (n) d = 1; else d = 2; return d; }
static int given(void) { int x; give(&x); return x; }
static int counts(int n) { int *p, sum = 0; for (int i = 0; i < n; i++) sum += i; return p == 0 ? sum : -1; }
int main(void) { return forgotten(7) + sometimes(1) + (int)both(1) + counts(3) - 4; }
void give(int *p) { *p = given != 0; }
`
	m, err := ir.Parse("program.ll", compile(t, source, "-O0"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		if n := ir.GiveFirstValues(f); n > 0 {
			got[f.Name()] = n
		}
		if n := ir.GiveFirstValues(f); n > 0 {
			t.Errorf("%s: %d variables are given a second first value", f.Name(), n)
		}
	}
	if want := map[string]int{"forgotten": 1, "sometimes": 1, "counts": 1}; !maps.Equal(got, want) {
		t.Errorf("given first values: %v, want %v", got, want)
	}
	output(t, []byte(m.String())) // which fails unless main finds zero
}
