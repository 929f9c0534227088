package schemata_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func compile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := toolchain(t).Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func parse(t *testing.T, text []byte) *ir.Module {
	t.Helper()
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func syntax(t *testing.T, file string) *csource.File {
	t.Helper()
	source, err := csource.Parse(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func verify(t *testing.T, what, text string) {
	t.Helper()
	if err := toolchain(t).Verify(context.Background(), what, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	return files
}

func TestTheMetaMutantOfEveryProgramIsWellFormed(t *testing.T) {
	for _, file := range programs(t) {
		m := parse(t, compile(t, file))
		r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
		if len(r.Mutants) < 20 {
			t.Errorf("%s: only %d mutants", file, len(r.Mutants))
		}
		schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
		verify(t, file, m.String())
	}
}

func TestTheMetaMutantOfOptimisedCodeIsWellFormed(t *testing.T) {
	for k, file := range programs(t) {
		for _, flags := range [][][]string{{{"-O1"}}, {{"-O2", "-g"}}}[k%2] {
			out := filepath.Join(t.TempDir(), "program.ll")
			cmd := exec.Command(toolchain(t).Clang, append(flags, "-w", "-S", "-emit-llvm", "-o", out, file)...)
			if message, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, message)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			m := parse(t, text)
			r := operator.Generate(m, operator.Options{})
			schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
			verify(t, file, m.String())
		}
	}
}

// To the optimiser a division by 0 is undefined; to whoever runs the mutant it
// is the end of the program.
func TestAMutantThatDividesByZeroDies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "divide.c")
	source := `#include <stdio.h>
int main(void) {
  int n = 0;
  unsigned char c = 9;
  for (int i = 1; i < 4; i++) n += i;
  printf("%d %d %d\n", n / 4, n % 5, c / 3);
  return 0;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{})
	var chosen []int
	for _, m := range made.Mutants {
		if strings.HasSuffix(m.Replacement, "/ 0") || strings.HasSuffix(m.Replacement, "% 0") {
			chosen = append(chosen, int(m.Selector))
		}
	}
	if len(chosen) != 3 {
		t.Fatalf("%d mutants divide by 0, want 3", len(chosen))
	}
	schemata.Build(m, made.Mutants, schemata.Options{Sites: made.Sites, Define: true})
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		for k, b := range run(t, link(t, m.String(), level), chosen) {
			if b.status != "-8" { // SIGFPE
				t.Errorf("%s: %s ends with %v, want the signal of a division by 0", level, made.Mutants[k-1].Replacement, b)
			}
		}
	}
}

// The optimiser knows `1 / n`, `n / n` and `n % n` without dividing, leaves out a division whose result nobody needs, and
// moves one to where it is needed; the verdict is that of the code as it is written.
func TestADivisionEndsTheProgramWhereItDoesAsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "divide.c")
	source := `#include <stdio.h>
static int one(int n) { return 1 - n; }
static unsigned whole(unsigned n) { return 1 + n; }
static int itself(int n) { return n - n; }
static long least(long a, long b) { return a + b; }
static int unused(int n) { int k = 7 - n; return k > 100 ? n : n + 1; }
static int larger(int n) { return n * 2 > 3 ? 3 : 2; }
static int scaled(int a, int n) { return a * n - n; }
static short narrow(short a, short n) { return a - n; }
static int later(int a, int n) {
  int q = a - n;
  printf("now\n");
  return n > 50 ? q : n;
}
int main(int argc, char **argv) {
  int n = argc - 1;
  printf("%d\n", one(n));
  printf("%u\n", whole(n));
  printf("%d\n", itself(n));
  printf("%ld\n", least(-9223372036854775807L - argc, -argc + 2 * n));
  printf("%d\n", unused(n));
  printf("%d\n", larger(n));
  printf("%d\n", scaled(3, n));
  printf("%d\n", narrow(1, n));
  printf("%d\n", later(5, n));
  return 0;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{Source: syntax(t, file)})
	var chosen []int
	for _, m := range made.Mutants {
		if strings.ContainsAny(m.Replacement, "/%") && m.Function != "main" {
			chosen = append(chosen, int(m.Selector))
		}
	}
	schemata.Build(m, made.Mutants, schemata.Options{Sites: made.Sites, Define: true})
	written, died := run(t, link(t, m.String(), "-O0"), chosen), map[string]bool{}
	for k, b := range written {
		if b.status == "-8" {
			died[made.Mutants[k-1].Function] = true
		}
	}
	if len(died) != 9 {
		t.Errorf("mutants of %d functions of 9 die of a division, in the test: %v", len(died), died)
	}
	for _, level := range []string{"-O1", "-O2"} {
		for k, b := range run(t, link(t, m.String(), level), chosen) {
			if b != written[k] {
				t.Errorf("%s: %s: `%s` => `%s` does %v, as written %v", level, made.Mutants[k-1].Function, made.Mutants[k-1].Original, made.Mutants[k-1].Replacement, b, written[k])
			}
		}
	}
}

// Nor does a mutant that follows a null pointer go on with the pointer of the
// original, which the optimiser may choose as it likes.
func TestAMutantThatFollowsANullPointerDies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "null.c")
	source := `#include <stdio.h>
struct scanner { int state, line, opened; };
static void begin(struct scanner *s, int state) {
  s->state = state;
  s->opened = s->line;
}
int main(void) {
  struct scanner s = {0, 5, 0};
  begin(&s, 3);
  printf("%d %d\n", s.state, s.opened);
  return 0;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{Source: syntax(t, file), Rules: rulesOf(t, "mart816")})
	var chosen []int
	for _, m := range made.Mutants {
		if m.Matcher == "A" && m.Original == "s" && m.Function == "begin" {
			chosen = append(chosen, int(m.Selector))
		}
	}
	if len(chosen) != 3 {
		t.Fatalf("%d mutants put a null pointer in the place of s, want 3", len(chosen))
	}
	alone, err := schemata.ApplyText(m, &made.Mutants[chosen[0]-1])
	if err != nil || !strings.Contains(alone, "inttoptr i64") {
		t.Errorf("by itself the mutant has no null pointer that is read: %v", err)
	}
	schemata.Build(m, made.Mutants, schemata.Options{Sites: made.Sites, Define: true})
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		for k, b := range run(t, link(t, m.String(), level), chosen) {
			if b.status != "-11" { // SIGSEGV
				t.Errorf("%s: `%s` => `%s` ends with %v, want the signal of a null pointer", level, made.Mutants[k-1].Original, made.Mutants[k-1].Replacement, b)
			}
		}
	}
}

// To the optimiser a shift by 32 or more may be anything: the verdict is that of the code as it is
// written, which shifts by what is left of 32.
func TestAShiftByTooMuchIsTheProcessors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shift.c")
	source := `#include <stdio.h>
static int lone(unsigned n) { if ((n & 0xfc00) == 0xd800) return 1; return 2; }
static int high(unsigned a, unsigned n) { return a + n > 9; }
static long wide(long a, long n) { return a - (n & ~63); }
static unsigned plain(unsigned a, unsigned n) { return a << n; }
int main(int argc, char **argv) {
  for (unsigned n = 0; n < 0x10000; n += 0x3c7) printf("%d %d %ld %u\n", lone(n), high(argc, n), wide(argc, n), plain(argc, n & 31));
  return 0;
}
`
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	m := parse(t, compile(t, file))
	made := operator.Generate(m, operator.Options{Source: syntax(t, file)})
	var chosen []int
	for _, m := range made.Mutants {
		if (strings.Contains(m.Replacement, "<<") || strings.Contains(m.Replacement, ">>")) && m.Function != "main" && m.Function != "plain" {
			chosen = append(chosen, int(m.Selector))
		}
	}
	if len(chosen) < 12 {
		t.Fatalf("only %d mutants shift", len(chosen))
	}
	schemata.Build(m, made.Mutants, schemata.Options{Sites: made.Sites, Define: true})
	written := run(t, link(t, m.String(), "-O0"), chosen)
	for _, level := range []string{"-O1", "-O2"} {
		for k, b := range run(t, link(t, m.String(), level), chosen) {
			if b != written[k] {
				t.Errorf("%s: %s: `%s` => `%s` does something else than as written", level, made.Mutants[k-1].Function, made.Mutants[k-1].Original, made.Mutants[k-1].Replacement)
			}
		}
	}
}
