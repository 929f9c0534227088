package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shapes are ways to write the same function: what clang says of each must
// lead to the same expressions.
var shapes = map[string]string{
	"as usual":          "int f(int a, int b) {\n\tint c = a * b;\n\treturn c + (a < b);\n}\n",
	"carriage returns":  "int f(int a, int b) {\r\n\tint c = a * b;\r\n\treturn c + (a < b);\r\n}\r\n",
	"old Mac newlines":  "int f(int a, int b) {\r\tint c = a * b;\r\treturn c + (a < b);\r}\r",
	"no final newline":  "int f(int a, int b) {\n\tint c = a * b;\n\treturn c + (a < b);\n}",
	"tabs and UTF-8":    "int f(int a, int b) {\n\t/* é日本 */\tint c\t=\ta\t*\tb;\n\treturn /* ü */ c + (a < b);\n}\n",
	"UTF-8 string":      "int f(int a, int b) {\n\tconst char *s = \"é日本\"; int c = a * b;\n\treturn c + (a < b);\n}\n",
	"one line":          "int f(int a, int b) { int c = a * b; return c + (a < b); }",
	"spliced lines":     "int f(int a, int b) {\n\tint c = a \\\n * b;\n\treturn c \\\r\n+ (a \\\n < b);\n}\n",
	"line directive":    "int f(int a, int b) {\n#line 40\n\tint c = a * b;\n#line 7\n\treturn c + (a < b);\n}\n",
	"another file":      "int f(int a, int b) {\n#line 40 \"grammar.y\"\n\tint c = a * b;\n\treturn c + (a < b);\n#line 5 \"program.c\"\n}\n",
	"GNU line marker":   "# 30 \"grammar.y\"\nint f(int a, int b) {\n\tint c = a * b;\n\treturn c + (a < b);\n}\n",
	"repeated lines":    "int f(int a, int b) {\n#line 40\n\tint c = a * b;\n#line 40\n\treturn c + (a < b);\n}\n",
	"long line":         "int f(int a, int b) {" + strings.Repeat(" ", 60000) + "int c = a * b; return c + (a < b); }\n",
	"K&R":               "int f(a, b) int a; int b; {\n\tint c = a * b;\n\treturn c + (a < b);\n}\n",
	"byte order mark":   "\xef\xbb\xbfint f(int a, int b) { int c = a * b; return c + (a < b); }\n",
	"directives inside": "int f(int a, int b) {\n\tint c = a\n#if 1\n\t* b;\n#else\n\t/ b;\n#endif\n\treturn c + (a < b);\n}\n",
	"comment as space":  "int f(int a, int b) { int/**/c/**/=/**/a/**/*/**/b; return c/*\n*/+/**/(a<b); }\n",
	"form feed":         "int f(int a, int b) {\n\f\v\tint c = a * b;\n\treturn c + (a < b);\n}\n",
}

func TestDebugLocationsLeadToTheSameExpressionsHoweverTheSourceIsWritten(t *testing.T) {
	fold := strings.NewReplacer(" ", "")
	for shape, source := range shapes {
		t.Run(shape, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "program.c")
			if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			f := mustParse(t, path)
			if f.Untyped != nil {
				t.Errorf("no types: %v", f.Untyped)
			}
			want := map[string]string{"mul": "a*b", "add": "c+(a<b)", "icmp": "a<b"}
			for _, i := range compile(t, path) {
				text, ok := want[i.opcode]
				if !ok {
					continue
				}
				delete(want, i.opcode)
				file := f.In(i.file)
				if file == nil {
					t.Fatalf("no file %s", i.file)
				}
				var got []string
				for _, e := range file.At(i.spot.line, i.spot.column) {
					got = append(got, fold.Replace(e.Text()))
				}
				if !contains(got, text) {
					t.Errorf("%d:%d: want %s for %s, have %q", i.spot.line, i.spot.column, text, i.line, got)
				}
				if s := file.StatementAt(i.spot.line, i.spot.column); s == nil || s.Function.Name != "f" || s.Kind == Block {
					t.Errorf("%d:%d: statement %+v", i.spot.line, i.spot.column, s)
				}
			}
			if len(want) > 0 {
				t.Errorf("no instruction for %v", want)
			}
		})
	}
}

func TestTextFoldsWhiteSpaceAndCommentsToOneSpace(t *testing.T) {
	f := parseText(t, "int f(int a) {\n\treturn a /* one\n two */\t\t+ // three\n\n\t(a\\\n*2);\n}\n")
	e := f.functions[0].Body.Children[0].Exprs[0]
	if got, want := e.Text(), "a + (a*2)"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
}

func TestAnExpressionCutByDirectivesIsRenderedFromWhatWasCompiled(t *testing.T) {
	f := parseText(t, "int f(int a) {\n\treturn a\n#ifdef NEVER\n\t- 1\n#else\n\t+ 2\n#endif\n\t;\n}\n")
	if got, want := f.functions[0].Body.Children[0].Exprs[0].Text(), "a + 2"; got != want {
		t.Errorf("text is %q, want %q", got, want)
	}
}

func TestPositionsCountBytesOnTheLinesOfTheFile(t *testing.T) {
	source := "#line 90\nint f(int a) {\n\t/* é */ return a + 1;\n}\n"
	f := parseText(t, source)
	e := f.functions[0].Body.Children[0].Exprs[0]
	if e.At.Line != 3 || e.At.Column != 20 {
		t.Errorf("the operator lies at %v, want 3:20", e.At)
	}
	if got := source[e.Start.Offset:e.End.Offset]; got != "a + 1" {
		t.Errorf("offsets bound %q", got)
	}
	if len(f.At(91, 20)) != 1 {
		t.Errorf("nothing at the line that #line gives")
	}
}

// What a macro's definition goes on with may look like a line directive without its sign:
// "- 5", "(1 << x)". It was taken for one, and its line left out.
func TestADefinitionThatGoesOnIsNoLineDirective(t *testing.T) {
	f := parseText(t, "#define MINUS \\\n -5\n#define BIT(a, i) \\\n (a & \\\n (1 << (i)))\nint f(int a) {\n\treturn BIT(a, 2) + MINUS;\n}\n# 90\nint g(int a) { return a; }\n")
	e := f.functions[0].Body.Children[0].Exprs[0]
	if got, want := squeezed(e.Expanded()), "(a&(1<<(2)))+-5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if e.At.Line != 7 || len(f.At(90, 23)) != 1 {
		t.Errorf("the sum lies at %v; at the line that is called 90 there are %d", e.At, len(f.At(90, 23)))
	}
}

func squeezed(c string) string { return strings.ReplaceAll(c, " ", "") }

func TestFunctionsAreListedInSourceOrderWithTheirStatements(t *testing.T) {
	f := mustParse(t, "testdata/control.c")
	var names []string
	for _, fn := range f.Functions() {
		names = append(names, fn.Name)
		count := 0
		fn.Body.Walk(func(s *Stmt) bool {
			count++
			if s.Function != fn {
				t.Errorf("a statement of %s belongs to %s", fn.Name, s.Function.Name)
			}
			for _, e := range s.Exprs {
				e.Walk(func(e *Expr) bool {
					if e.Stmt != s {
						t.Errorf("%s does not belong to %s", e.Text(), s.Text())
					}
					return true
				})
			}
			return true
		})
		if count < 2 {
			t.Errorf("%s has %d statements", fn.Name, count)
		}
	}
	if got := strings.Join(names, " "); got != "control old" {
		t.Errorf("functions are %s", got)
	}
}

func TestTypesAreSpelledAsInACast(t *testing.T) {
	f := parseText(t, `
#include <stddef.h>
struct node { int v; };
enum colour { RED };
typedef unsigned long word;
int use(struct node *n, enum colour c, word w, const char *s, int (*fp)(double, ...), int m[3][4], char *names[2]) {
	n; c; w; s; *s; fp; m; m[1]; names; sizeof w; s - s; *n; 1.0f; 'x'; w + 1; (signed char)w;
	return 0;
}`)
	want := []string{
		"struct node *", "enum colour", "word", "const char *", "const char", "int (*)(double, ...)",
		"int (*)[4]", "int *", "char **", "size_t", "ptrdiff_t", "struct node", "float", "int", "unsigned long", "signed char",
	}
	for i, s := range f.functions[0].Body.Children {
		if s.Kind != ExprStmt {
			break
		}
		if got := s.Exprs[0].TypeName; got != want[i] {
			t.Errorf("the type of %s is %q, want %q", s.Exprs[0].Text(), got, want[i])
		}
	}
}
