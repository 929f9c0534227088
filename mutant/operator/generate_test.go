package operator_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// corpus are all C files of this package's tests.
func corpus(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) != len(rule.Families()) {
		t.Fatalf("%d files for %d families: %v", len(files), len(rule.Families()), err)
	}
	return append(files, "testdata/splice/functions.c")
}

func TestGeneratingTwiceGivesTheSame(t *testing.T) {
	for _, file := range corpus(t) {
		one, two := mutantsOf(t, file), mutantsOf(t, file)
		if !bytes.Equal(listing(one), listing(two)) {
			t.Errorf("%s: two runs differ", file)
		}
		for i := range one {
			if one[i].ID != two[i].ID || one[i].Selector != two[i].Selector || one[i].Site.Ordinal != two[i].Site.Ordinal {
				t.Errorf("%s: mutant %d differs", file, i)
			}
		}
	}
}

func TestSelectorsAreConsecutiveBySiteAndFunction(t *testing.T) {
	for _, file := range corpus(t) {
		opts := operator.Options{FirstSelector: 100, FirstSite: 7, FirstStatement: 3, Source: syntax(t, file)}
		r := operator.Generate(module(t, file), opts)
		sites, functions := map[int]bool{}, map[string]bool{}
		for i, m := range r.Mutants {
			if m.Selector != int32(100+i) {
				t.Fatalf("%s: selector %d at %d", file, m.Selector, i)
			}
			if m.Site.Ordinal < 7 || m.Site.Ordinal >= 7+r.Sites || m.Site.Statement < 3 || m.Site.Statement >= 3+r.Statements {
				t.Fatalf("%s: site %d, statement %d", file, m.Site.Ordinal, m.Site.Statement)
			}
			if i > 0 && r.Mutants[i-1].Site.Ordinal != m.Site.Ordinal && sites[m.Site.Ordinal] {
				t.Errorf("%s: site %d is taken up again", file, m.Site.Ordinal)
			}
			if i > 0 && r.Mutants[i-1].Function != m.Function && functions[m.Function] {
				t.Errorf("%s: function %s is taken up again", file, m.Function)
			}
			sites[m.Site.Ordinal], functions[m.Function] = true, true
		}
		if len(sites) != r.Sites {
			t.Errorf("%s: %d sites with mutants of %d", file, len(sites), r.Sites)
		}
	}
}

func TestEveryMutantShowsAChangeAtAPlace(t *testing.T) {
	for _, file := range corpus(t) {
		for _, withSource := range []bool{true, false} {
			opts := operator.Options{}
			if withSource {
				opts.Source = syntax(t, file)
			}
			for _, m := range operator.Generate(module(t, file), opts).Mutants {
				if m.Original == m.Replacement || m.Original == "" || m.Replacement == "" {
					t.Errorf("%s:%d: %s `%s` => `%s`", file, m.Line, m.Type(), m.Original, m.Replacement)
				}
				if m.Line == 0 || m.Column == 0 || filepath.Base(m.File) != filepath.Base(file) {
					t.Errorf("%s: %s `%s` is at %s:%d:%d", file, m.Type(), m.Original, m.File, m.Line, m.Column)
				}
				if withSource && m.Replacer != "SHUFFLECASESDESTS" && (strings.Contains(m.Original, "…") || strings.Contains(m.Replacement, "…")) {
					t.Errorf("%s:%d: not rendered: `%s` => `%s`", file, m.Line, m.Original, m.Replacement)
				}
			}
		}
	}
}

const before = `int g;
int first(int a, int b) {
  if (a > b && b > 0)
    g = a + b;
  return g * 2;
}
int second(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += p[i];
    s += p[i];
  }
  return s;
}
`

func idsOf(t *testing.T, text, function string) []string {
	t.Helper()
	var out []string
	for _, m := range mutantsOf(t, write(t, text)) {
		if m.Function == function {
			out = append(out, m.ID)
		}
	}
	return out
}

func TestIDsAreUniqueAndTwelveHexadecimalDigits(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{12}$`)
	for _, file := range corpus(t) {
		seen := map[string]bool{}
		for _, m := range mutantsOf(t, file) {
			if !form.MatchString(m.ID) || seen[m.ID] {
				t.Errorf("%s: id %q", file, m.ID)
			}
			seen[m.ID] = true
		}
	}
}

func TestIDsSurviveEditsElsewhere(t *testing.T) {
	edits := map[string]string{
		"a function added above":     "int other(int a, int b) { return a > b && b > 0; }\n" + before,
		"comments and empty lines":   "/* a\n   long\n   one */\n\n" + strings.ReplaceAll(before, "int second", "\n\n// here\nint second"),
		"the other function changed": strings.Replace(before, "g = a + b;", "g = a * b - a;", 1),
		"a file reformatted":         reformat(before),
	}
	for name, text := range edits {
		t.Run(name, func(t *testing.T) {
			if want, got := idsOf(t, before, "second"), idsOf(t, text, "second"); !slices.Equal(want, got) {
				t.Errorf("the ids of second changed from\n%v to\n%v", want, got)
			}
		})
	}
}

// Who changes a file changes all that it makes where it is included, with whichever names: the mutants of one
// change have one id and the number of the copy. What a macro makes on one line is no copy of what it made before.
func TestCopiesOfAFunctionHaveItsIDs(t *testing.T) {
	const text = `#if !defined NAME
#define NAME first
#define EXTRA
#include __FILE__
#undef NAME
#undef EXTRA
#define NAME second
#define EXTRA || a == 7
#include __FILE__
#undef NAME
#define NAME third
#include __FILE__
#define MAKE(name, op) int name(int a, int b) { \
  return a op b; }
MAKE(sum, +) MAKE(difference, -)
#else
int NAME(int a, int b)
{
  if (a > b EXTRA)
    a = 0;
  return a + b;
}
#endif
`
	first := idsOf(t, text, "first")
	if len(first) < 10 {
		t.Fatalf("%d mutants", len(first))
	}
	for k, name := range []string{"second", "third"} {
		got := idsOf(t, text, name)
		end := fmt.Sprintf("-x%d", k+1)
		same := 0
		for _, id := range got {
			base, is := strings.CutSuffix(id, end)
			if !is {
				t.Errorf("%s: %s does not end in %s", name, id, end)
			}
			if slices.Contains(first, base) {
				same++
			}
		}
		if same < 5 || same == len(got) {
			t.Errorf("%s: %d of %d mutants are changes of the first function; all but those of the longer condition should be", name, same, len(got))
		}
	}
	for _, name := range []string{"sum", "difference"} {
		for _, id := range idsOf(t, text, name) {
			if strings.Contains(id, "-") {
				t.Errorf("%s, which a macro made: %s", name, id)
			}
		}
	}
}

// A function that is always inlined is mutated where it is written, once, however often it is called, and its calls are
// calls.
func TestWhatIsAlwaysInlinedIsMutatedOnce(t *testing.T) {
	text := `static inline __attribute__((always_inline)) int step(const char **s, int *sum) {
  if (**s < '0')
    return 0;
  *sum += *(*s)++ - '0';
  return 1;
}
int parse(const char *s) {
  int sum = 0;
  while (step(&s, &sum) && step(&s, &sum))
    ;
  return sum;
}
`
	plain := strings.Replace(text, "__attribute__((always_inline)) ", "", 1)
	nowhere := strings.Replace(text, "static inline __attribute__((", "extern inline __attribute__((gnu_inline, ", 1) // emitted
	for _, function := range []string{"step", "parse"} {
		want := idsOf(t, plain, function)
		for what, inlined := range map[string]string{"static": text, "emitted nowhere": nowhere} {
			if got := idsOf(t, inlined, function); len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s has %d mutants, and %d where it is inlined (%s)", function, len(want), len(got), what)
			}
		}
	}
}

// reformat sets other white space.
func reformat(text string) string {
	return strings.NewReplacer("+=", "  +=\n  ", "; i", ";i", "(int *p, int n)", "( int * p,\n int n )", " < ", "<", " = ", "=").Replace(text)
}

func TestIDsSurviveAStatementAddedToTheFunction(t *testing.T) {
	want := idsOf(t, before, "second")
	got := idsOf(t, strings.Replace(before, "int s = 0;", "int s = 0;\n  if (n > 100) g = n - p[0];", 1), "second")
	if len(got) <= len(want) {
		t.Fatalf("%d mutants, before %d", len(got), len(want))
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			t.Errorf("id %s is gone", id)
		}
	}
}

// TestNothingIsProposedOnCodeThatTheCompilerMade looks at a file whose
// functions are made of such code, and a few operations of the user's.
func TestNothingIsProposedOnCodeThatTheCompilerMade(t *testing.T) {
	file := write(t, `#include <stdarg.h>
struct small { int a, b; };
struct large { long n[9]; };
struct bits { unsigned low : 3, high : 5; };
struct small make(void);
void take(struct small, struct large);
void spills(int a, double b, struct small c, struct large d) {}
int result(int a) {
  if (a) { return a; }
  return a;
}
void passed(struct large *p) { take(make(), *p); }
void narrow(char *p, short *q, struct bits *b) { *p = *q; b->high = b->low; }
int variadic(int n, ...) {
  va_list args;
  va_start(args, n);
  int r = va_arg(args, int);
  va_end(args);
  return r;
}
int passed_on(va_list *list) { return va_arg(*list, int); }
long apart(int *p, int *q) { return p - q; }
void arrays(int n) {
  int grid[n][n];
  (void)grid[n][n];
}
`)
	want := map[string]string{ // by function: the originals that may be mutated
		"spills": "", "result": "a|return a|return a;", "passed": "p|take(make(), *p);",
		"narrow":   "p|q|b|*q|*p = *q|*p = *q;|b->high = b->low|b->high = b->low;",
		"variadic": "r|return r|r = va_arg(args, int)|r = va_arg(args, int);", "apart": "p|q|return p - q", "passed_on": "list|return va_arg(*list, int)",
		"arrays": "n|grid[n][n]|(grid + (long)n * (unsigned)n)[n]",
	}
	for _, withSource := range []bool{true, false} {
		opts := operator.Options{}
		if withSource {
			opts.Source = syntax(t, file)
		}
		for _, m := range operator.Generate(module(t, file), opts).Mutants {
			if !withSource && m.Function != "spills" && m.Function != "apart" && m.Function != "arrays" {
				continue // without the source their texts differ; the golden files hold them
			}
			if !slices.Contains(strings.Split(want[m.Function], "|"), m.Original) {
				t.Errorf("%s:%d: %s `%s` => `%s`", m.Function, m.Line, m.Type(), m.Original, m.Replacement)
			}
		}
	}
}

// TestInputOfAnyKindGivesWellFormedMutants covers modules without debug
// information, without names, and optimised ones with phis.
func TestInputOfAnyKindGivesWellFormedMutants(t *testing.T) {
	for n, flags := range [][]string{
		{"-O0", "-Xclang", "-disable-O0-optnone"},
		{"-O0", "-fdiscard-value-names", "-g"},
		{"-O1", "-g"},
		{"-O2"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			for k, file := range corpus(t) {
				if k%4 == n || strings.Contains(file, "splice") && n > 0 {
					continue // three of four files, and the largest once
				}
				text := emit(t, file, flags)
				fresh := func() (*ir.Module, []mutant.Mutant) {
					m, err := ir.Parse(file, text)
					if err != nil {
						t.Fatal(err)
					}
					return m, operator.Generate(m, operator.Options{}).Mutants
				}
				m, mutants := fresh()
				schemata.Build(m, mutants, schemata.Options{Define: true, Sites: len(mutants)})
				verify(t, file, m.String())
				if slices.Contains(flags, "-O1") && len(mutants) > 0 {
					m, mutants := fresh()
					if err := schemata.Apply(m, &mutants[len(mutants)/2]); err != nil {
						t.Fatal(err)
					}
					verify(t, file, m.String())
				}
			}
		})
	}
}

func emit(t *testing.T, file string, flags []string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.ll")
	cmd := exec.Command(toolchain(t).Clang, append(flags, "-w", "-S", "-emit-llvm", "-o", out, file)...)
	if message, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, message)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func verify(t *testing.T, what, text string) {
	t.Helper()
	if err := toolchain(t).Verify(context.Background(), what, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestTheSignOfAnOperandDecidesTheInstruction(t *testing.T) {
	file := write(t, `int quotient(int a, int b) { return a + b; }
unsigned unsigned_quotient(unsigned a, unsigned b) { return a + b; }
unsigned shifted(unsigned a, unsigned b) { return a & b; }
int compared(unsigned a, unsigned b) { return a == b; }
unsigned long widened(unsigned long a, int b) { return a * b; }
int promoted(unsigned char a, unsigned char b) { return a * b; }
`)
	want := map[string]string{
		"quotient!DIV": "sdiv", "quotient!MOD": "srem",
		"unsigned_quotient!DIV": "udiv", "unsigned_quotient!MOD": "urem",
		"shifted!BITSHR": "lshr", "compared!LT": "icmp ult", "compared!GE": "icmp uge",
		"widened!DIV": "udiv", "promoted!DIV": "sdiv",
	}
	for _, flags := range [][]string{nil, {"-g0"}} {
		text, err := toolchain(t).Compile(context.Background(), file, nil)
		if flags != nil {
			text = emit(t, file, []string{"-O0", "-fno-discard-value-names"})
		}
		if err != nil {
			t.Fatal(err)
		}
		m, err := ir.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, one := range operator.Generate(m, operator.Options{}).Mutants {
			opcode, ok := want[one.Function+"!"+one.Replacer]
			if !ok || one.Operator == "literal" {
				continue
			}
			if flags != nil && (one.Function == "shifted" || one.Function == "compared") {
				continue // nothing in the IR tells
			}
			found++
			code := &mutant.Code{}
			edit := one.Edit.(mutant.Rewrite)
			if _, ok := edit.Emit(code).(llir.Instruction); !ok || !strings.Contains(code.Insts[0].LLString(), " "+opcode+" ") {
				t.Errorf("%v: %s %s gives %s", flags, one.Function, one.Type(), code.Insts[0].LLString())
			}
		}
		if found < 6 {
			t.Errorf("only %d mutants found", found)
		}
	}
}

// What a macro named and put in parentheses has that name in a mutant, too, but for mutants of the
// number itself.
func TestConstantsWithNamesKeepThem(t *testing.T) {
	const text = "#define NONE ((void *)0)\n#define MOST (10)\nint f(char *p, int n) { return p == NONE ? n + MOST : n < MOST; }\n"
	changes := map[string]bool{}
	for _, m := range mutantsOf(t, write(t, text)) {
		changes[m.Original+" → "+m.Replacement] = true
		if m.Operator != "literal" && (strings.Contains(m.Replacement, "(void *)0") || strings.Contains(m.Replacement, "10")) {
			t.Errorf("%s → %s writes out what has a name", m.Original, m.Replacement)
		}
	}
	for _, want := range []string{"p == NONE → p != NONE", "n + MOST → n - MOST", "n < MOST → n <= MOST"} {
		if !changes[want] {
			t.Errorf("no mutant is %s", want)
		}
	}
}
