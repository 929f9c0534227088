package patch_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/origin"
	"github.com/winnow-mutants/winnow/mutant/patch"
)

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// read compiles a C file and parses it.
func read(t *testing.T, path string) (*csource.File, *ir.Module) {
	t.Helper()
	text, err := toolchain(t).Compile(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	source, err := csource.Parse(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return source, m
}

// mutantsOf makes the mutants of a C file.
func mutantsOf(t *testing.T, path string) (*csource.File, []mutant.Mutant) {
	t.Helper()
	source, m := read(t, path)
	origins, err := origin.Of(t.Context(), toolchain(t), m, source, nil)
	if err != nil {
		t.Fatal(err)
	}
	return source, operator.Generate(m, operator.Options{Source: source, Origins: origins}).Mutants
}

// write puts the files of a test into a folder; a.c is the one compiled.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The sources of several tests: structures that calls return, and an expression
// that a macro makes.
const (
	structures = "struct s { long a, b, c; };\nstruct s g(void);\n"
	classes    = "const short **g(void);\n#define IS(c) ((*g())[(int)(c)] & 4)\nint f(char *a) { return IS(a[1]); }"
)

// pick returns the first mutant of a change.
func pick(t *testing.T, mutants []mutant.Mutant, original, replacement string) *mutant.Mutant {
	t.Helper()
	var all []string
	for i := range mutants {
		if m := &mutants[i]; m.Original == original && m.Replacement == replacement {
			return m
		}
		all = append(all, mutants[i].Original+" => "+mutants[i].Replacement)
	}
	t.Fatalf("no mutant %q => %q among\n%s", original, replacement, strings.Join(all, "\n"))
	return nil
}

// holdsText checks a part of the file that a mutant changes.
func holdsText(t *testing.T, source *csource.File, m *mutant.Mutant, want string) {
	t.Helper()
	_, text, err := patch.New(source).Mutated(m)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s: %v\n%s\nwant %q", m.Original, err, text, want)
	}
}

func TestEachFormOfCIsChangedInItsPlace(t *testing.T) {
	for _, c := range []struct{ name, text, original, replacement, want string }{
		{"the place demands parentheses", "int f(int a, int b, int c) { return a * (b + c); }",
			"a * (b + c)", "a - (b + c)", "return a - (b + c);"},
		{"an operand of a tighter operator", "int f(int a, int b, int c) { return a * b * c; }",
			"a * b", "a + b", "return (a + b) * c;"},
		{"parentheses that are there", "int f(int a, int b, int c) { return (a + b) * c; }",
			"a + b", "a - b", "return (a - b) * c;"},
		{"a sign beside a minus", "int f(int a, int b) { return a-b; }", "b", "-b", "return a- -b;"},
		{"a word beside a return", "int f(int a) { return-a; }", "-a", "a", "return a;"},
		{"an initialisation", "int f(int a) { int b = 5, *p = &b; return *p + a; }", "b = 5", "b = 6", "int b = 6, *p = &b;"},
		{"an initialisation deleted", "int f(int a) { int b = 5, *p = &b; return *p + a; }", "b = 5;", ";", "int b, *p = &b;"},
		{"the step of a for", "int f(int a) { int s = 0; for (int i = 0; i < a; i++) s += i; return s; }",
			"i++;", ";", "for (int i = 0; i < a; ) s"},
		{"an operand of a comma", "int f(int a) { int i, s; for (i = 0, s = 0; i < a; i++) s += i; return s; }",
			"s = 0;", ";", "for (i = 0, (void)0; i < a; i++)"},
		{"the condition of a for", "int f(int a) { int s = 0; for (int i = 0; i < a; i++) s += i; return s; }",
			"i < a", "i <= a", "for (int i = 0; i <= a; i++)"},
		{"the condition of a do", "int g(void);\nint f(int a) { do a++; while (g()); return a; }", "g()", "!g()", "while (!g());"},
		{"a compound assignment", "int f(int a) { a += 2; return a; }", "a += 2", "a -= 2", "{ a -= 2; return"},
		{"a pointer that is moved", "char *f(char *a) { a += 2; return a; }", "a + 2", "a - 2", "{ a = a - 2; return"},
		{"a statement", "int g(int);\nint f(int a) { if (a) g(a); return a; }", "g(a);", ";", "if (a) ; return a;"},
		{"a void call in a conditional", "void g(void), h(void);\nvoid f(int a) { a ? g() : h(); }", "h();", ";", "a ? g() : (void)0;"},
		{"a test of a while", "int g(void);\nint f(int a) { while (g()) a++; return a; }", "g()", "!g()", "while (!g()) a++;"},
		{"a jump", "int f(int a) { while (a) { if (a == 7) break; a--; } return a; }", "break;", ";", "if (a == 7) ; a--;"},
		{"a label", "int f(int a) { switch (a) { case 1: a = 2; break; default: a = 3; } return a; }",
			"case 1:", "/* case 1: */", "{ /* case 1: */ a = 2;"},
		{"labels that change places", "int f(int a) { switch (a) { case 1: a = 2; break; case 2: a = 3; } return a; }",
			"case 1: … case 2:", "case 2: … case 1:", "{ case 2: a = 2; break; case 1: a = 3; }"},
		{"an argument", "int g(int, int);\nint f(int a) { return g(a, 2); }", "g(a, 2)", "g(2, a)", "return g(2, a);"},
		{"a macro that makes all of it", "#define N 10\nint f(int a) { return a + N; }", "a + N", "a - N", "return a - N;"},
		{"the inside of a macro", "#define TWICE(x) ((x) + (x) + 1)\nint f(int a) { return 3 * TWICE(a); }",
			"(a) + (a) + 1", "(a) + (a) - 1", "return 3 * ((a) + (a) - 1);"},
		{"a macro that makes the condition", "#define LARGE(x) ((x) > 9)\nint f(int a) { if (LARGE(a)) return 1; return 0; }",
			"LARGE(a)", "(abort(), LARGE(a))", "if (((abort(), LARGE(a)))) return 1;"},
		{"the value of a macro", "#define TWICE(x) ((x) + (x) + 1)\nint f(int a) { return 3 * TWICE(a); }",
			"TWICE(a)", "abs(TWICE(a))", "return 3 * (abs(TWICE(a)));"},
		{"a constant of a chain of assignments", "int a, b;\nvoid f(void) { a = b = 7; }", "b = 7", "b = 8", "a = (b = 8, 7);"},
		{"a structure from a call", structures + "long f(void) { struct s x = g(); return x.a; }",
			"g();", ";", "struct s x; return"},
		{"a structure from a call to a call", structures + "void h(struct s);\nvoid f(void) { h(g()); }",
			"h(g());", ";", "{ g(); }"},
		{"a trap for a structure from a call", structures + "long f(void) { struct s x = g(); return x.a; }",
			"g();", "abort();", "struct s x = (abort(), g()); return"},
		{"a trap in a condition", "int f(int a) { while (a-- > 2) a /= 3; return a; }", "a--;", "abort();", "while ((abort(), a--) > 2)"},
		{"a trap for a structure that is returned", structures + "struct s f(void) { return g(); }",
			"g();", "abort();", "return (abort(), g());"},
		{"no structure", "struct s { long a, b, c; };\nlong f(struct s *a) { struct s x = *a; return x.a; }", "a", "(struct s *)NULL", "struct s x = *(struct s *)NULL;"},
		{"a static variable", "int f(int a) { static int b[4]; return b[a]; }", "b[a]", "*b", "return *b;"},
		{"a structure in the caller's memory", "struct s { long a[4]; };\nstruct s f(int a) { struct s x = {{0}}; x.a[a] = 2; return x; }",
			"x.a[a]", "*x.a", "*x.a = 2; return"},
		{"a row of a row", "long f(long (*a)[9], int b, int c) { return a[b][c]; }", "a[b]", "*(a - b)", "return (*(a - b))[c];"},
		{"an index with effects", "long f(long *a, int b) { return a[b++] + b; }", "a[b++]", "*(b++, a)", "return *(b++, a) + b;"},
		{"a right side with effects", "int g(void);\nint f(int a) { a = g(); return a; }", "a = g()", "(g(), ++a)", "{ (g(), ++a); return"},
		{"a pointer in a macro", classes,
			"*g()", "++*g()", "return ((++*g())[(int)(a[1])] & 4);"},
		{"an operand in a macro", classes,
			"a[1]", "a[1]++", "return ((*g())[(int)(a[1]++)] & 4);"},
		{"the end of a chain", "int f(int a, int b, int c) { return a && b && c; }", "b && c", "(b || c)", "return a && (b || c);"},
		{"white space and comments", "int f(int a, int b) { return a /* first */ <\n b; }", "a < b", "a <= b", "return a <= b;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{"a.c": c.text + "\n"})
			source, mutants := mutantsOf(t, filepath.Join(dir, "a.c"))
			holdsText(t, source, pick(t, mutants, c.original, c.replacement), c.want)
		})
	}
}

func TestATrapTakesThePlaceOfAStatementOrInitialValue(t *testing.T) {
	dir := write(t, map[string]string{"a.c": "int f(int a) { int b = a + 1; b *= 2; return b; }\n"})
	source, err := csource.Parse(filepath.Join(dir, "a.c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		column                int
		original, replacement string
		want                  string
	}{
		{20, "b = a + 1;", "abort();", "int b = (abort(), a + 1);"},
		{33, "b *= 2;", "abort();", "; abort(); return"},
		{39, "return b;", "abort();", "b *= 2; abort(); }"},
	} {
		m := mutant.Mutant{File: filepath.Join(dir, "a.c"), Function: "f", Line: 1, Column: c.column, Matcher: "STMT", Replacer: "TRAPSTMT",
			Original: c.original, Replacement: c.replacement}
		holdsText(t, source, &m, c.want)
	}
}

func TestCodeOfAHeaderGivesADiffOfTheHeader(t *testing.T) {
	dir := write(t, map[string]string{"twin.h": "static int twin(int a)\n{\n  return a + 1;\n}\n",
		"a.c": "#include \"twin.h\"\nint f(int a) { return twin(a); }\n"})
	source, mutants := mutantsOf(t, filepath.Join(dir, "a.c"))
	p := patch.New(source)
	p.Folder = dir
	diff, err := p.Diff(pick(t, mutants, "a + 1", "a - 1"))
	want := "--- a/twin.h\n+++ b/twin.h\n@@ -1,4 +1,4 @@\n static int twin(int a)\n {\n-  return a + 1;\n+  return a - 1;\n }\n"
	if err != nil || diff != want {
		t.Errorf("%v\n%s\nwant\n%s", err, diff, want)
	}
}

// A change of a file that is included several times is made in all that comes of it: it has a diff where that is
// the same code each time, and is found in the function that is asked about.
func TestAFileThatIsIncludedAgainIsChangedAsOne(t *testing.T) {
	dir := write(t, map[string]string{"step.h": "int NAME(int a, int b)\n{\n  if (a > b)\n    a -= STEP;\n  return a * LEAST + b;\n}\n",
		"a.c": "#define LEAST 7\n#define NAME one\n#define STEP 1\n#include \"step.h\"\n#undef NAME\n#undef STEP\n" +
			"#define NAME two\n#define STEP (b + 2)\n#include \"step.h\"\n"})
	source, mutants := mutantsOf(t, filepath.Join(dir, "a.c"))
	p := patch.New(source)
	diffs := map[string]string{}
	seen := map[string]int{}
	for i := range mutants {
		m := &mutants[i]
		diff, err := p.Diff(m)
		none := (*patch.NoCounterpart)(nil)
		switch first, again := mutant.CopiedFrom(m.ID); {
		case errors.As(err, &none):
			if none.Reason != patch.Included || m.Line != 4 {
				t.Errorf("%s, line %d: %s => %s: %v", m.Function, m.Line, m.Original, m.Replacement, err)
			}
			seen["none in "+m.Function]++
		case err != nil:
			t.Fatal(err)
		case !again:
			diffs[m.ID] = diff
			seen["diffs"]++
		case diff != diffs[first]:
			t.Errorf("%s: %s => %s is\n%s\nand %s\n%s", m.ID, m.Original, m.Replacement, diff, first, diffs[first])
		default:
			seen["the same"]++
		}
	}
	if seen["none in one"] < 5 || seen["none in two"] < 5 || seen["the same"] < 20 || seen["the same"] > seen["diffs"] {
		t.Errorf("%v", seen)
	}
	for _, name := range []string{"one", "two"} {
		m := pick(t, slices.DeleteFunc(slices.Clone(mutants), func(m mutant.Mutant) bool { return m.Function != name }), "a * LEAST", "a + LEAST")
		holdsText(t, source, m, "return a + LEAST + b;")
	}
}

func TestWhatHasNoCounterpartSaysWhy(t *testing.T) {
	dir := write(t, map[string]string{"a.c": `#define TWICE(x) (x + x)
int f(int a, int b) {
  int c[] = {a, 2};
  return TWICE(a) + c[b] +
#ifdef NOTHING
    1 +
#endif
    b;
}
`})
	source, mutants := mutantsOf(t, filepath.Join(dir, "a.c"))
	p := patch.New(source)
	seen := map[patch.Reason]string{}
	for i := range mutants {
		_, err := p.Diff(&mutants[i])
		var none *patch.NoCounterpart
		if errors.As(err, &none) {
			seen[none.Reason] = mutants[i].Original
		}
	}
	if seen[patch.Ambiguous] != "" {
		t.Errorf("the two operands that a macro makes of a are not told apart: %q", seen)
	}
	if seen[patch.Directive] == "" {
		t.Errorf("an expression around a directive: %q", seen)
	}
	at := mutant.Mutant{File: filepath.Join(dir, "a.c"), Line: 4, Column: 3, Original: "a", Replacement: "b"}
	for _, c := range []struct {
		change func(m *mutant.Mutant)
		want   patch.Reason
	}{
		{func(m *mutant.Mutant) { m.IROnly = true }, patch.InIR},
		{func(m *mutant.Mutant) { m.Replacement = "x … y" }, patch.Cut},
		{func(m *mutant.Mutant) { m.File = "other.c" }, patch.NoSource},
		{func(m *mutant.Mutant) { m.Original = "nowhere" }, patch.NotFound},
	} {
		m := at
		c.change(&m)
		var none *patch.NoCounterpart
		if _, err := p.Diff(&m); !errors.As(err, &none) || none.Reason != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestDiffsApply holds every diff of a program to git apply and patch.
func TestDiffsApply(t *testing.T) {
	text, err := os.ReadFile("../../examples/bst/bst.c")
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"a.c": strings.TrimSuffix(string(text), "\n")}) // no newline at the end
	source, mutants := mutantsOf(t, filepath.Join(dir, "a.c"))
	p := patch.New(source)
	p.Folder = dir
	for i := 0; i < len(mutants); i += len(mutants) / 25 {
		diff, err := p.Diff(&mutants[i])
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := p.Mutated(&mutants[i])
		if err != nil {
			t.Fatal(err)
		}
		apply(t, dir, diff, "git", "apply")
		got, err := os.ReadFile(filepath.Join(dir, "a.c"))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v: git apply does not make the mutated file of\n%s", err, diff)
		}
		apply(t, dir, diff, "git", "apply", "-R")
	}
}

func apply(t *testing.T, dir, diff, tool string, args ...string) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s\n%s", tool, err, out, diff)
	}
}

func TestAUnifiedDiffCountsItsLines(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		{"a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
		{"a\nb\n", "a\n", "@@ -1,2 +1 @@\n a\n-b\n"},
		{"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "a\n2\n3\n4\n5\n6\n7\n8\nb\n", "@@ -1,4 +1,4 @@\n-1\n+a\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+b\n"},
		{"1\n2\n3\n4\n", "a\n2\nb\nc\n", "@@ -1,4 +1,4 @@\n-1\n+a\n 2\n-3\n-4\n+b\n+c\n"},
		{"a", "b\r\nc", "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+b\r\n+c\n\\ No newline at end of file\n"},
	} {
		if got := patch.Unified("x.c", []byte(c.old), []byte(c.new)); got != "--- a/x.c\n+++ b/x.c\n"+c.want {
			t.Errorf("%q to %q: %q", c.old, c.new, got)
		}
	}
	if got := patch.Unified("x.c", []byte("a"), []byte("a")); got != "" {
		t.Errorf("equal texts: %q", got)
	}
	for name, want := range map[string]string{"a b.c": "--- a/a b.c\t\n", "f\xc3\xbcr.c": `--- "a/f\303\274r.c"` + "\n", "q\"\n.c": `--- "a/q\"\n.c"` + "\n"} {
		if got := patch.Unified(name, nil, []byte("x\n")); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// TestADiffLooksAtNoMoreLinesThanItHasTo compares diffs, which look only at the
// lines around a change, with their slow twin, which compares whole texts. Lines
// are often like their neighbours, so that it is not clear which of them changed.
func TestADiffLooksAtNoMoreLinesThanItHasTo(t *testing.T) {
	several := 0
	for trial := range 20_000 {
		r := stream.New(1, "diff test", trial)
		random := func(most int) []byte {
			out := make([]byte, r.IntN(most))
			for i := range out {
				out[i] = "ab\n\n\n"[r.IntN(5)]
			}
			return out
		}
		old := random(60)
		c := csource.Change{Start: r.IntN(len(old) + 1), Text: string(random(8))}
		c.End = c.Start + r.IntN(len(old)-c.Start+1)
		if trial%2 == 0 { // two letters become others
			text := bytes.Clone(old[c.Start:c.End])
			for range 2 {
				if k := r.IntN(len(text) + 1); k < len(text) && text[k] != '\n' {
					text[k] = 'c'
				}
			}
			c.Text = string(text)
		}
		new := slices.Concat(old[:c.Start], []byte(c.Text), old[c.End:])
		got, want := patch.DiffOf("x.c", old, c), patch.Unified("x.c", old, new)
		if got != want {
			t.Fatalf("%q to %q: %q, want %q", old, new, got, want)
		}
		if strings.Count(got, "@@ -") > 1 {
			several++
		}
	}
	if several < 10 {
		t.Errorf("only %d diffs of several hunks", several)
	}
}
