package scope_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

func in(file, function string, line int) mutant.Mutant {
	return mutant.Mutant{File: file, Function: function, Line: line, Operator: "relational", Matcher: "LT", Replacer: "LE"}
}

func newScope(t *testing.T, o scope.Options) *scope.Scope {
	t.Helper()
	s, err := scope.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesAreNamedByBaseNamePartGlobOrWholePath(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{"list.c", "src/core/list.c", true},
		{"./list.c", "list.c", true},
		{"ist.c", "list.c", false},
		{"core/list.c", "src/core/list.c", true},
		{"src/list.c", "src/core/list.c", false},
		{"src/*.c", "src/core/list.c", false},
		{"src/**", "src/core/list.c", true},
		{"src/**/*.c", "/home/u/src/list.c", true},
		{"l?st.[ch]", "list.h", true},
		{"/src/list.c", "src/list.c", false},
		{"a[1].c", "a[1].c", true},
		{"list.c", "", false},
	} {
		m := in(c.file, "f", 1)
		s := newScope(t, scope.Options{Files: []string{"other.c", c.pattern}})
		if d := s.Decide(&m); d.Keep() != c.want {
			t.Errorf("--files %s: %s is kept: %v (%s)", c.pattern, c.file, d.Keep(), d.Why)
		}
	}
	full, err := filepath.Abs("list.c")
	if err != nil {
		t.Fatal(err)
	}
	m := in("list.c", "f", 1)
	if s := newScope(t, scope.Options{Files: []string{full}}); !s.Decide(&m).Keep() {
		t.Error("an absolute path does not name a file that is given relative")
	}
}

func TestEveryCriterionMustBeMetAndEachByOneOfItsValues(t *testing.T) {
	s := newScope(t, scope.Options{Files: []string{"a.c"}, Functions: []string{"get_*", "put"}, Lines: []string{"a.c:3-5,9"}})
	for _, c := range []struct {
		m    mutant.Mutant
		want scope.Criterion
	}{
		{in("a.c", "get_it", 3), scope.Kept},
		{in("a.c", "put", 9), scope.Kept},
		{in("a.c", "put", 6), scope.ByLine},
		{in("a.c", "puts", 4), scope.ByFunction},
		{in("b.c", "put", 4), scope.ByFile},
		{in("", "put", 0), scope.ByFile},
	} {
		if d := s.Decide(&c.m); d.By != c.want || d.Keep() != (d.Why == "") {
			t.Errorf("%s %s:%d: %+v, want it left out by %q", c.m.Function, c.m.File, c.m.Line, d, c.want)
		}
	}
}

func TestTheScopeFileOfMartIsReadUnchanged(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "scope.json"), `{"Source-Files":["src/a.c"],"Functions":["f"]}`)
	s := newScope(t, scope.Options{Config: path})
	yes, otherFile, otherFunction := in("/x/src/a.c", "f", 1), in("b.c", "f", 1), in("src/a.c", "g", 1)
	if !s.Decide(&yes).Keep() || s.Decide(&otherFile).Keep() || s.Decide(&otherFunction).Keep() {
		t.Error("the lists of the scope file are not heeded")
	}
	for text, want := range map[string]string{
		`{"Source-Files":["a.c"],"Funktions":["f"]}`: `unknown key "Funktions"`,
		`{"source-files":["a.c"]}`:                   `unknown key`,
		`{"Functions":"f"}`:                          "Functions: want a list",
		`{"Functions":[""]}`:                         "",
		`[]`:                                         "no JSON object",
		`{} {}`:                                      "text after",
	} {
		write(t, path, text)
		_, err := scope.New(t.Context(), scope.Options{Config: path})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

func TestLinesWithoutAFileAreForTheOnlyInput(t *testing.T) {
	s := newScope(t, scope.Options{Lines: []string{"10-20"}, Inputs: []string{"src/a.c"}})
	yes, header := in("src/a.c", "f", 20), in("src/a.h", "f", 15)
	if !s.Decide(&yes).Keep() || s.Decide(&header).Keep() {
		t.Error("10-20 is not lines 10 to 20 of the input")
	}
	for _, lines := range []string{"", "a.c:", "a.c:0", "a.c:5-3", "a.c:x", ":5", "a.c:1-2-3", "a.c:-5"} {
		_, err := scope.New(t.Context(), scope.Options{Lines: []string{lines}, Inputs: []string{"a.c"}})
		if exit.Of(err) != exit.Usage {
			t.Errorf("--lines %q: %v, want a usage error", lines, err)
		}
	}
	if _, err := scope.New(t.Context(), scope.Options{Lines: []string{"5"}, Inputs: []string{"a.c", "b.c"}}); exit.Of(err) != exit.Usage {
		t.Errorf("lines of one of two files: %v", err)
	}
}

func TestAScopeThatMatchesNothingSaysWhatThereIs(t *testing.T) {
	mutants := []mutant.Mutant{in("a.c", "f", 10), in("a.c", "g", 9), in("b.c", "h", 2)}
	for _, c := range []struct {
		o    scope.Options
		want string
	}{
		{scope.Options{Files: []string{"c.c"}}, "mutants in a.c, b.c"},
		{scope.Options{Files: []string{"a.c"}, Functions: []string{"h"}}, "mutants in f, g"},
		{scope.Options{Lines: []string{"a.c:1"}}, "mutants on a.c:9, a.c:10, b.c:2"},
	} {
		kept, sum, err := newScope(t, c.o).Apply(mutants)
		var empty *scope.EmptyError
		if !errors.As(err, &empty) || !strings.Contains(err.Error(), c.want) || len(kept) != 0 || sum.Total != 3 {
			t.Errorf("%+v: %v, want an error with %q", c.o, err, c.want)
		}
	}
	if err := newScope(t, scope.Options{}).Validate(mutants); err != nil {
		t.Errorf("the empty options ask for everything: %v", err)
	}
	if err := newScope(t, scope.Options{Files: []string{"c.c"}}).Validate(nil); err != nil {
		t.Errorf("a program without mutants is no fault of the scope: %v", err)
	}
}

const suppressing = `#include "twin.h"
int f(int a, int b) {
  if (a < b) return 1; // winnow:ignore both are fine
  /* winnow:ignore[relational, ADD!SUB] order does
     not matter */
  return a + 1 < b;
}
/* winnow:ignore-function table
   driven */
static int g(int a)
{
  const char *s = "// winnow:ignore in a string";
  return s[a] < 3;
}
int h(int a) { // winnow:ignore-function: only for debugging
  return a < 5;
}
int k(int a) {
  return a < g(a) + h(a) + twin(a) + '"' /* no "string" */ < 2; /* winnow:ignore quoted */
}
`

func suppressed(t *testing.T, text, header string) (*scope.Scope, error) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "twin.h"), header)
	file, err := csource.Parse(write(t, filepath.Join(dir, "a.c"), text), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newScope(t, scope.Options{})
	if err := s.AddSource(file); err != nil {
		return nil, err
	}
	return s, s.AddSource(file) // twice: headers are often read again
}

func TestCommentsSuppressMutantsOfALineAFunctionOrAnOperator(t *testing.T) {
	s, err := suppressed(t, suppressing, "static int twin(int a) {\n  // winnow:ignore in a header\n  return a < 2;\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	arithmetic := mutant.Mutant{File: "a.c", Function: "f", Line: 6, Operator: "arithmetic", Matcher: "ADD", Replacer: "MUL"}
	byType := arithmetic
	byType.Replacer = "SUB"
	mutants := []mutant.Mutant{in("a.c", "f", 2), in("a.c", "f", 3), in("a.c", "f", 6), arithmetic, byType,
		in("a.c", "g", 13), in("a.c", "g", 12), in("a.c", "h", 16), in("a.c", "k", 19), in("twin.h", "twin", 3), in("twin.h", "twin", 1),
		in("other.c", "g", 13)}
	want := []string{"", "both are fine", "order does not matter", "", "order does not matter",
		"table driven", "table driven", "only for debugging", "quoted", "in a header", "", ""}
	for i := range mutants {
		d := s.Decide(&mutants[i])
		if d.Why != want[i] || d.Keep() != (want[i] == "") {
			t.Errorf("%s:%d %s: %q, want %q", mutants[i].File, mutants[i].Line, mutants[i].Type(), d.Why, want[i])
		}
	}
	kept, sum, err := s.Apply(mutants)
	if err != nil || len(kept) != 4 || sum.Kept != 4 || sum.Out[scope.BySource] != 8 {
		t.Errorf("%d kept, %+v, %v", len(kept), sum, err)
	}
	var counts []int
	for _, one := range sum.Suppressed {
		counts = append(counts, one.Mutants)
	}
	if !slices.Equal(counts, []int{1, 2, 2, 1, 1, 1}) {
		t.Errorf("suppressed %v by comment: %+v", counts, sum.Suppressed)
	}
}

func TestASuppressionMustSayWhyAndStandAtCode(t *testing.T) {
	for text, want := range map[string]string{
		"int f(int a) {\n  return a; // winnow:ignore\n}\n":                   "a.c:2: ",
		"int f(int a) {\n  return a; // winnow:ignore[literal]\n}\n":          "gives no reason",
		"int f(int a) {\n  return a; // winnow:ignore[] why\n}\n":             "empty operator",
		"int f(int a) {\n  return a; // winnow:ignored why\n}\n":              "is no suppression",
		"int f(int a) {\n  return a; // winnow:ignore-function why\n}\n":      "stands at no function",
		"// winnow:ignore-function why\nint x;\nint f(int a) { return a; }\n": "stands at no function",
		"int f(int a) { return a; }\n// winnow:ignore why\n":                  "stands at no code",
		"/* winnow:ignore-function */\nint f(int a) {\n  return a;\n}\n":      "gives no reason",
		"int f(int a) {\n  return a; /* winnow:ignore\n   [literal] */\n}\n":  "",
	} {
		_, err := suppressed(t, text, "")
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || exit.Of(err) != exit.Input || exit.HintOf(err) == "" {
			t.Errorf("%q: %v, want an input error with %q", text, err, want)
		}
	}
}

func TestFunctionsMayBeLeftOutByTheirFiles(t *testing.T) {
	s := newScope(t, scope.Options{Files: []string{"a.c"}, Except: func(file, function string) bool { return file == "src/a.c" && function == "main" }})
	for _, c := range []struct {
		file, function string
		want           bool
	}{{"src/a.c", "f", true}, {"src/a.c", "main", false}, {"lib/a.c", "main", true}, {"src/b.c", "f", false}} {
		m := in(c.file, c.function, 1)
		if d := s.Decide(&m); d.Keep() != c.want {
			t.Errorf("%s of %s is kept: %v (%s)", c.function, c.file, d.Keep(), d.Why)
		}
	}
}
