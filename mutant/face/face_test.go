package face_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/face"
)

const expressions = "testdata/expressions.c"

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func module(t *testing.T, file string) *ir.Module {
	t.Helper()
	text, err := toolchain(t).Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
	}
	return m
}

// returned is the value of a function's one return.
func returned(f *llir.Func) value.Value {
	return f.Blocks[len(f.Blocks)-1].Term.(*llir.TermRet).X
}

// driver calls pairs of functions that must agree, and names those that do
// not. Division by zero is a result like any other.
const driver = `
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int twice(int n) { return 2 * n + 1; }
static sigjmp_buf trap;
static void trapped(int n) { siglongjmp(trap, n); }
typedef long function(PARAMETERS);
static long call(function *f, int i) {
  static const int numbers[] = {0, 1, -1, 2, 7, -9, 100, 255, 1000, -30000, 2147483647, -2147483647};
  static const double reals[] = {0, 0.5, 1, -2.25, 3.125, 100.75};
  int a = numbers[i % 12], b = numbers[i * 5 % 12];
  long l = (long)numbers[i * 7 % 12] * (i % 3 == 0 ? 1 : 65537);
  if (sigsetjmp(trap, 1)) return 123456789;
  return f(a, b, (unsigned)b * 3u, (unsigned char)(a + b), (signed char)a, (short)b, l, (unsigned long)l + 5,
           reals[i % 6], (float)reals[i * 5 % 6], table + 20);
}
static const struct { const char *name; function *one, *other; } functions[] = {
PAIRS};
int main(void) {
  for (int i = 0; i < 64; i++) table[i] = i * i - 100;
  for (int i = 0; i < 8; i++) pairs[i].first = i - 3, pairs[i].second = (unsigned char)(i * 50);
  signal(SIGFPE, trapped);
  for (unsigned k = 0; k < sizeof functions / sizeof functions[0]; k++)
    for (int i = 0; i < 144; i++) {
      long one = call(functions[k].one, i), other = call(functions[k].other, i);
      if (one != other) {
        printf("%s: %ld, but rendered %ld\n", functions[k].name, one, other);
        break;
      }
    }
  return 0;
}
`

func TestWhatIsRenderedFromTheIRComputesTheSame(t *testing.T) {
	source, err := os.ReadFile(expressions)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	var program, pairs strings.Builder
	program.Write(source)
	for _, f := range module(t, expressions).Functions() {
		text := face.New(f, nil).Of(returned(f)).C
		texts[f.Name()] = text
		fmt.Fprintf(&program, "long %s_rendered(PARAMETERS) { return %s; }\n", f.Name(), text)
		fmt.Fprintf(&pairs, "{\"%s\", %[1]s, %[1]s_rendered},\n", f.Name())
	}
	if len(texts) < 40 {
		t.Fatalf("only %d expressions", len(texts))
	}
	program.WriteString(strings.Replace(driver, "PAIRS", pairs.String(), 1))
	for line := range strings.Lines(run(t, program.String())) {
		name, _, _ := strings.Cut(line, ":")
		t.Errorf("%sthe rendered text of %s is %s", line, name, texts[name])
	}
}

func run(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := toolchain(t).Link(context.Background(), out, []string{file}, []string{"-O0", "-fwrapv"}); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(out).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(output)
}

func TestWithTheSourceAnExpressionIsRenderedAsItIsWritten(t *testing.T) {
	text, err := os.ReadFile(expressions)
	if err != nil {
		t.Fatal(err)
	}
	source, err := csource.Parse(expressions, nil)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^long (\w+)\(PARAMETERS\) \{ return (.*); \}$`).FindAllStringSubmatch(string(text), -1) {
		written[found[1]] = found[2]
	}
	exact := 0
	for _, f := range module(t, expressions).Functions() {
		got := face.New(f, source).Of(returned(f)).C
		if got == written[f.Name()] {
			exact++
		} else if strings.Contains(got, "…") {
			t.Errorf("%s: %s", f.Name(), got)
		}
	}
	// A conversion around the whole, and ?:, are instructions of their own.
	if exact < 40 {
		t.Errorf("only %d of %d expressions are rendered as written", exact, len(written))
	}
}
