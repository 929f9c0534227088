package replay_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// objectCalls are functions of a library: of records, texts, arrays, lists and what gives numbers back
// through addresses.
const objectCalls = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct parser { int state; unsigned char quote; size_t size; char name[8]; double rate; int (*call)(int); struct parser *next; };
size_t size_of(const struct parser *p) { return p->size; }
int open_parser(struct parser *p, int mode) {
  if (!p) return -1;
  memset(p, 0, sizeof *p);
  p->state = mode > 3 ? 3 : mode;
  p->quote = '"';
  return 0;
}
int depth(const struct parser *p) { int n = 0; while (p && n < 9) { n++; p = p->next; } return n; }
const char *word_for(int status) {
  if (status == 7) return "seven";
  return status < 0 ? "below" : NULL;
}
size_t quoted(char *to, size_t room, const char *from, size_t n) {
  size_t k = 0;
  if (room < 2 * n + 2) return 0;
  to[k++] = '"';
  for (size_t i = 0; i < n; i++) { if (from[i] == '"') to[k++] = '"'; to[k++] = from[i]; }
  to[k++] = '"';
  return k;
}
void total(const int *a, int n, long *sum) { *sum = 0; for (int i = 0; i < n; i++) *sum += a[i]; }
void set_call(struct parser *p, int (*f)(int)) { if (p && f) p->call = f; }
double scaled(struct parser *p, float by) { return p->rate * by; }
int show(FILE *to, const char *text) { return fprintf(to, "<%s>", text); }
char *upper(const char *text) {
  size_t n = strlen(text);
  char *out = malloc(n + 1);
  if (!out) return NULL;
  for (size_t i = 0; i <= n; i++) out[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
  return out;
}
const char *behind(const char *text, char c) { while (*text && *text != c) text++; return *text ? text + 1 : NULL; }
static int sign(_Bool minus, short x) { return minus ? -x : x; }
int signs(short x) { return sign(x < 0, x); }
struct pair { int a, b; };
struct pair *new_pair(int a, int b) {
  struct pair *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->a = a; p->b = a > b ? a - b : 0;
  return p;
}
int by_value(struct pair p) { return p.a; }
struct token { int kind; union { long number; char *text; }; struct { long row, column; }; };
long value_of(const struct token *t) { return t->kind == 3 ? t->number + t->column : 0; }
int ends(int n) { if (n > 4) exit(n); return n; }
struct note { long number; char text[]; };
long number_of(const struct note *n, int base) { return n->number > 3 ? n->number - base : 1; }
struct box { struct box *inner; };
struct box *box(struct box *box, struct box *other) { return box->inner ? other : malloc(sizeof *box); }
int asks(int (*f)(int), int x) { return f ? f(x) : x + 1; }
`

// What is said of a call is what the functions do when clang compiles them, the original's and the
// mutant's: a program is written that makes each call.
func TestCallsWithObjectsDoWhatIsSaid(t *testing.T) {
	source, least, every := objectCalls, 1200, deep.Count(160, 40)
	if file := os.Getenv("WINNOW_CALLS"); file != "" { // another C file
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source, least, every = string(text), 0, 80
	}
	folder := t.TempDir()
	m, text, mutants := libraryOf(t, folder, source)
	if len(mutants) < 500 {
		every = 1
	}
	module, calls := &op.Module{}, map[string]*replay.ObjectCalls{}
	library := concrete.NewLibrary(module, m.LLVM)
	said, told, tests := map[string]string{}, 0, 0
	for i := range mutants {
		one := &mutants[i]
		f := one.Site.Func
		if _, known := calls[f.Name()]; !known {
			calls[f.Name()] = replay.ObjectCallsOf(f, module, library)
		}
		if calls[f.Name()] == nil {
			continue
		}
		called, ok := calls[f.Name()].Called(smt.ChangeOf(module.Function(f), one))
		if !ok {
			continue
		}
		told++
		said[one.Original+" → "+one.Replacement] = called.Sentence
		if (told-1)%every != 0 {
			continue // compiling and running take half a second
		}
		mutated, err := schemata.ApplyText(m, one)
		if err != nil {
			t.Fatal(err)
		}
		if called.Test != "" && f.Linkage != enum.LinkageInternal {
			tests++
			if original, mutant := passes(t, folder, string(text), called.Test), passes(t, folder, mutated, called.Test); !original || mutant {
				t.Errorf("%s, %s → %s: the original passes %v, the mutant %v:\n%s", called.Sentence, one.Original, one.Replacement, original, mutant, called.Test)
			}
		}
		for _, version := range []struct{ code, want string }{{string(text), called.Original}, {mutated, called.Mutant}} {
			got := runs(t, folder, version.code, called.Program)
			if got == "crashes" && version.want == "does not end" { // it comes to the end of memory
				got = version.want
			}
			if !alike(got, version.want) {
				t.Errorf("%s, %s → %s: %q, said was %q:\n%s", called.Sentence, one.Original, one.Replacement, got, version.want, called.Program)
			}
		}
	}
	t.Logf("%d of %d mutants are told, %d unit tests were run", told, len(mutants), tests)
	if told < least {
		t.Error("few")
	}
	if os.Getenv("WINNOW_CALLS") != "" {
		return
	}
	for change, want := range map[string]string{
		"status == 7 → -7":              `word_for(status = 0) returns NULL, the mutant "seven"`,
		"text[i] >= 97 → text[i] >= 98": `upper(text = "a") returns "A", the mutant "a"`,
		"*sum + a[i] → *sum < a[i]":     "total(a = {2}, n = 1, sum = {0}) leaves sum[0] = 2, the mutant 1",
		"a - b → a + b":                 "new_pair(a = 2, b = 1) returns an object with b = 1, the mutant 3",
		"f → NULL":                      "set_call(p = &{0}, f = some function) leaves p->call = f, the mutant NULL",
	} {
		if said[change] != want {
			t.Errorf("%s: %q, want %q", change, said[change], want)
		}
	}
	if want := "value_of(t = &{.kind = 3, .column = 1}) returns 1, the mutant -1"; !slices.Contains(slices.Collect(maps.Values(said)), want) {
		t.Errorf("nothing says %q", want)
	}
	if calls["by_value"] != nil {
		t.Error("a structure is passed as it is, and calls are made")
	}
}

// passes says whether code passes a unit test, which sees the library's declarations.
func passes(t *testing.T, folder, code, test string) bool {
	t.Helper()
	ll, c, out := filepath.Join(folder, "code.ll"), filepath.Join(folder, "test.c"), filepath.Join(folder, "test")
	headers := "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n"
	if os.Getenv("WINNOW_CALLS") != "" { // what was preprocessed has them already
		headers = "#define assert(x) do { if (!(x)) __builtin_trap(); } while (0)\n#undef NULL\n#define NULL ((void *)0)\n"
	}
	program := "#include \"library.c\"\n" + headers + "int main(void) {\n" + test + "\nreturn 0;\n}\n"
	for path, text := range map[string]string{ll: code, c: program} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Of the two definitions of a function the first is taken.
	if said, err := exec.Command("clang-14", "-w", "-O0", "-fno-builtin", "-Wl,--allow-multiple-definition", "-o", out, ll, c, "-lm").CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, said, test)
		return false
	}
	ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer stop()
	return exec.CommandContext(ctx, out).Run() == nil
}

// alike compares what was printed, but for addresses of which nothing was said: memory may be given out
// anywhere.
func alike(got, want string) bool {
	a, b := strings.Split(got, " "), strings.Split(want, " ")
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if prefix, isAny := strings.CutSuffix(b[k], "?"); a[k] != b[k] && !(isAny && strings.HasPrefix(a[k], prefix) && a[k] != prefix+"0") {
			return false
		}
	}
	return true
}

// runs compiles code with a program that calls it.
func runs(t *testing.T, folder, code, program string) string {
	t.Helper()
	ll, c, out := filepath.Join(folder, "code.ll"), filepath.Join(folder, "call.c"), filepath.Join(folder, "call")
	code = strings.ReplaceAll(code, "define internal ", "define ")
	for path, text := range map[string]string{ll: code, c: program} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := exec.Command("clang-14", "-w", "-O0", "-fno-builtin", "-o", out, ll, c, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, said, program)
	}
	ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer stop()
	printed, err := exec.CommandContext(ctx, out).Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "does not end"
	case errors.As(err, &failed) && !failed.Exited():
		return "crashes"
	}
	return strings.ReplaceAll(string(printed), "-nan", "nan")
}

// What else a function finds is not the call's: nothing is said of one that reads the standard input or a file,
// or asks for the time.
func TestNothingIsSaidOfCallsThatFindMoreThanTheyAreGiven(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for name, sentence := range callsOf(t, `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int typed(int n) { int c = getchar(); return c < 0 ? n : n + c; }
int stored(int n) { FILE *f = fopen("box.txt", "r"); return f ? n + 1 : n; }
int late(int n) { return time(NULL) > 1000 ? n + 1 : n; }
int beside(const int *a, int n) { return n > 7 ? a[n] : 0; }
int given(int n) { return n > 3 ? n + 1 : n; }
`) {
		told[name] = told[name] || len(sentence) > 0
	}
	if !told["given"] || told["typed"] || told["stored"] || told["late"] {
		t.Errorf("calls are found of %v", told)
	}
}

// libraryOf compiles library.c of a folder, and makes its mutants.
func libraryOf(t *testing.T, folder, source string) (*ir.Module, []byte, []mutant.Mutant) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "library.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("library.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m, text, operator.Generate(m, operator.Options{}).Mutants
}

// callsOf are the calls that tell mutants, by the functions of a file.
func callsOf(t *testing.T, source string) map[string][]string {
	t.Helper()
	m, _, mutants := libraryOf(t, t.TempDir(), source)
	module, calls := &op.Module{}, map[string]*replay.ObjectCalls{}
	library := concrete.NewLibrary(module, m.LLVM)
	out := map[string][]string{}
	for i := range mutants {
		f := mutants[i].Site.Func
		if _, known := calls[f.Name()]; !known {
			calls[f.Name()] = replay.ObjectCallsOf(f, module, library)
		}
		if sentence, _ := calls[f.Name()].Tell(smt.ChangeOf(module.Function(f), &mutants[i])); sentence != "" {
			out[f.Name()] = append(out[f.Name()], sentence)
		}
	}
	return out
}
