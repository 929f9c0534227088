package csource

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestAFileThatIsNotCSaysWhereAndWhy(t *testing.T) {
	broken := map[string]struct{ source, where string }{
		"missing parenthesis": {"int f(void) {\n\treturn (1;\n}\n", "program.c:2:11"},
		"missing header":      {"#include \"absent.h\"\nint x;\n", "program.c:1:10"},
		"error directive":     {"int x;\n#error not here\n", "program.c:2:2"},
		"open comment":        {"int x; /* never closed", "program.c:1"},
		"deep nesting":        {"int x = " + strings.Repeat("(", 5000) + "1;\n", "program.c:1:1009"},
		"endless operators":   {"int f(int a) { return " + strings.Repeat("!", 60000) + "a; }\n", "program.c:1"},
		"macro bomb":          {macroBomb(), "program.c"},
	}
	for name, b := range broken {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "program.c")
			if err := os.WriteFile(path, []byte(b.source), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Parse(path, nil)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("error is %v", err)
			}
			if syntax.Path != path || !strings.Contains(syntax.Detail, b.where) || strings.Contains(syntax.Detail, ".go:") {
				t.Errorf("error does not name %s: %v", b.where, err)
			}
		})
	}
	if _, err := Parse(filepath.Join(t.TempDir(), "absent.c"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent file gives %v", err)
	}
}

// A header that wraps the one of its name in the folders after its own (gnulib) is found once,
// however often its folder is named.
func TestTheNextHeaderOfANameIsFoundBehindAFolderThatIsNamedTwice(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"program.c": "#include <wrapped.h>\nint x = WRAPPED + INNER;\n", "outer/wrapped.h": "#define WRAPPED 1\n#include_next <wrapped.h>\n", "inner/wrapped.h": "#define INNER 2\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	outer, inner := "-I"+filepath.Join(dir, "outer"), "-I"+filepath.Join(dir, "inner")
	if _, err := Parse(filepath.Join(dir, "program.c"), []string{outer, outer + "/", inner, outer}); err != nil {
		t.Error(err)
	}
}

func macroBomb() string {
	var b strings.Builder
	b.WriteString("#define A0 a\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "#define A%d A%d + A%d\n", i, i-1, i-1)
	}
	return b.String() + "int f(int a) { return A39; }\n"
}

func TestGarbageNeverPanics(t *testing.T) {
	for _, source := range []string{
		"", "\n", "\\", "\x00", "#", "#define", "#line", "#line 0", "# 1", "\"", "'", "/*", "}", "int", "int x = ",
		"int f() { case 1: ; }", "int f() { return 1 ? ; }", "struct s { struct s x; } y;", "int f() { goto nowhere; }",
		"int a[-1]; int f() { return a[0]; }", "\xff\xfe", "int f() { return \"\\x\"; }", "#include", "#if", "#pragma\n",
		"int f() { return f()()()(); }", "enum { A = 1/0 };", "int f() { switch (1) { case 1/0: ; } }",
	} {
		path := filepath.Join(t.TempDir(), "program.c")
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Parse(path, nil); err == nil && f == nil {
			t.Errorf("%q gives neither file nor error", source)
		}
	}
}

func TestAFileWhoseTypesFailIsIndexedWithoutThem(t *testing.T) {
	f := parseText(t, "char s[2] = { 'a', 'b', 'c' };\nint f(int a) { return a + undeclared; }\n")
	if f.Untyped == nil {
		t.Error("the file is said to have types")
	}
	if found := f.At(2, 25); len(found) != 1 || found[0].Text() != "a + undeclared" || found[0].TypeName != "" {
		t.Errorf("found %v", found)
	}
}

func TestFlagsChangeWhatIsParsed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("inc/used.h", "#define USED 1\n")
	write("sys/system.h", "static int in_system(int a) { return a * 2; }\n")
	forced := write("forced.h", "#define FORCED WIDTH\n")
	path := write("src/program.c", `#include <used.h>
#include <system.h>
#include "near.h"
int f(void) { return USED + WIDTH + FORCED + in_system(1) + NEAR; }
#ifndef __linux__
int undefined(void) { return 0; }
#endif
`)
	write("src/near.h", "#define NEAR 5\n")
	for _, flags := range [][]string{
		{"-I" + dir + "/inc", "-isystem", dir + "/sys", "-DWIDTH=8", "-include", forced, "-U__linux__", "-O2", "-Wall", "-c"},
		{"-I", dir + "/inc", "-isystem" + dir + "/sys", "-include", forced, "-D", "WIDTH", "-U", "__linux__", "-std=c99"},
	} {
		f := mustParse(t, path, flags...)
		if len(f.Functions()) != 2 {
			t.Errorf("with %q, %d functions", flags, len(f.Functions()))
		}
		if f.In("system.h") != nil {
			t.Errorf("with %q, the system header is indexed", flags)
		}
	}
	if _, err := Parse(path, nil); err == nil {
		t.Error("the headers are found without -I")
	}
}

func TestAStrictStandardFreesTheGNUWords(t *testing.T) {
	const source = "#include <stdio.h>\nint f(int typeof, int asm) { return typeof + asm; }\n"
	f := parseText(t, source, "-std=c99")
	if got := f.At(2, 44); len(got) != 1 || got[0].Expanded() != "typeof + asm" || got[0].Operands[0].InMacro {
		t.Errorf("found %v", got)
	}
	path := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(path, []string{"-std=gnu99"}); err == nil {
		t.Error("GNU words are names under a GNU standard")
	}
}

func TestManyParsesAtOnceAgree(t *testing.T) {
	want := mustParse(t, "testdata/operators.c").functions[0].Body.Text()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			f, err := Parse("testdata/operators.c", []string{"-std=gnu11"})
			if err != nil || f.functions[0].Body.Text() != want {
				t.Errorf("a concurrent parse differs: %v", err)
			}
		})
	}
	wait.Wait()
}

func TestTheCompilerIsAskedOnceAStandard(t *testing.T) {
	a, errA := hostConfigOf("-std=c11")
	b, errB := hostConfigOf("-std=c11")
	if errA != nil || errB != nil || a != b {
		t.Errorf("asked twice: %p %v, %p %v", a, errA, b, errB)
	}
}

func TestInFindsAFileHoweverTheCompilerNamedIt(t *testing.T) {
	f := mustParse(t, "testdata/macros.c")
	absolute, err := filepath.Abs("testdata/macros.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"testdata/macros.c", "./testdata/macros.c", "macros.c", absolute, "/elsewhere/testdata/macros.c"} {
		if f.In(name) != f {
			t.Errorf("%s is not found", name)
		}
	}
	if f.In("acros.c") != nil || f.In("stdio.h") != nil {
		t.Error("a file of the system is found")
	}
}

// BenchmarkParse measures a program of four system headers.
func BenchmarkParse(b *testing.B) {
	path := filepath.Join(b.TempDir(), "program.c")
	source := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n" +
		"int main(int argc, char **argv) {\n" + strings.Repeat("\targc = argc * 2 + (int)strlen(argv[0]);\n", 44) + "\treturn 0;\n}\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Parse(path, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Of a file that is included several times each function has its own code, at the same places.
func TestAFunctionHasItsOwnCodeOfAFileThatIsIncludedAgain(t *testing.T) {
	path := inFolder(t, "again.c", `#ifndef NAME
#define NAME one
#define STEP 1
#include __FILE__
#undef NAME
#undef STEP
#define NAME two
#define STEP 2
#include __FILE__
int three(int a) { return a + one(a); }
#else
int NAME(int a)
{
  return a + STEP;
}
#endif
`)
	f, err := Parse(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all := f.At(14, 12); len(all) != 2 {
		t.Fatalf("%d expressions in all", len(all))
	}
	for function, want := range map[string]string{"one": "a + 1", "two": "a + 2"} {
		own := f.Within(function)
		found := own.At(14, 12)
		if len(found) != 1 {
			t.Fatalf("%s: %d expressions", function, len(found))
		}
		if e := found[0]; e.Expanded() != want || e.Text() != "a + STEP" || e.InMacro {
			t.Errorf("%s: %s, which is %s", function, e.Text(), e.Expanded())
		}
		if s := own.StatementAt(14, 3); s == nil || s.Function.Name != function {
			t.Errorf("%s: the statement is another's", function)
		}
	}
	if f.Within("three") != f || (*File)(nil).Within("one") != nil {
		t.Error("another function has not the whole file")
	}
	for text, want := range map[string]bool{"a + STEP": false, "return a": true, "a + one(a)": true} {
		at := strings.Index(string(f.Content(f.Path)), text)
		if got := f.IsUniform(Change{Path: f.Path, Start: at, End: at + len(text)}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
