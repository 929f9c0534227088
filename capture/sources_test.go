package capture

import (
	"slices"
	"strings"
	"testing"
)

// cJSON's tests include cJSON.c by way of a header, to come to what is static there. Others have the folder of the sources
// in a flag.
func TestSourcesThatTestsIncludeAreMutatedThereToo(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile": "all: libx.a tests/plain tests/inside tests/again tests/flag\nlibx.a: src/x.o src/y.o\n\tar rc libx.a src/x.o src/y.o\n" +
			"tests/plain: libx.a tests/plain.c\n\tcc -o tests/plain tests/plain.c libx.a\n" +
			"tests/inside.o: tests/inside.c\n\tcc -c -o tests/inside.o tests/inside.c\n" +
			"tests/inside: tests/inside.o\n\tcc -o tests/inside tests/inside.o\ntests/again: tests/inside.o tests/more.c\n\tcc -o tests/again tests/inside.o tests/more.c\n" +
			"tests/flag: libx.a tests/flag.c\n\tcc -Isrc -o tests/flag tests/flag.c\n" +
			"check: all\n\ttests/plain\n\ttests/inside\n\ttests/again\n\ttests/flag\n",
		"src/x.c":        "static int twice(int x) { return 2 * x; }\nint four(void) { return twice(2); }\n",
		"src/y.c":        "int five(void) { return 5; }\n",
		"tests/common.h": "#include \"../src/x.c\"\n",
		"tests/more.c":   "int more(void) { return 1; }\n",
		"tests/inside.c": "#include \"common.h\"\nint main(void) { return twice(3) != 6; }\n",
		"tests/flag.c":   "#include \"y.c\"\n#include \"x.c\"\nint main(void) { return four() + five() != 9; }\n",
		"tests/plain.c":  "int four(void);\nint main(void) { return four() != 4; }\n",
	}
	including := func(c *Capture) (out []string) {
		for _, in := range c.Subject.Including {
			out = append(out, c.Unit(in.Unit).Source+" includes "+strings.Join(in.Sources, ", "))
		}
		slices.Sort(out)
		return out
	}
	c := captured(t, files(t, texts), Options{})
	if want := []string{"source/tests/flag.c includes source/src/x.c, source/src/y.c", "source/tests/inside.c includes source/src/x.c"}; !slices.Equal(including(c), want) ||
		len(c.Subject.Units) != 2 || !slices.Contains(c.Subject.Products, "source/tests/inside") || !slices.Contains(c.Subject.Products, "source/tests/again") || slices.Contains(c.Subject.Products, "source/tests/plain") {
		t.Errorf("proposed: %+v\nincluded %q", c.Subject, including(c))
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "Test programs that include x.c, y.c as text: 3.") {
		t.Errorf("notes %q", notes)
	}
	if c = captured(t, files(t, texts), Options{Exclude: []string{"tests/flag.c"}}); len(including(c)) != 1 {
		t.Errorf("one is excluded, and included are %q", including(c))
	}
	texts["tests/common.h"] = "#include <stdio.h>\nstatic int twice(int x) { return 2 * x; }\n"
	texts["tests/flag.c"] = "int four(void) { return 4; }\nint main(void) { return four() != 4; }\n"
	if c = captured(t, files(t, texts), Options{}); len(including(c)) > 0 || strings.Contains(strings.Join(c.Notes, "\n"), "as text") {
		t.Errorf("included %q, notes %q", including(c), c.Notes)
	}
}

// The tests of libogg are its own two sources, compiled with a main.
func TestSourcesThatHoldTheirOwnTestsAreMutatedAndToldOf(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"Makefile": "all: libx.a\nlibx.a: x.o y.o\n\tar rc libx.a x.o y.o\nx.o: x.c\n\tcc -c x.c\ny.o: y.c\n\tcc -c y.c\n" +
			"check: test_x\n\t./test_x\ntest_x: x.c\n\tcc -DSELF_CHECK -o test_x x.c\n",
		"x.c": "int twice(int x) { return 2 * x; }\n#ifdef SELF_CHECK\nint main(void) { return twice(3) != 6; }\n#endif\n",
		"y.c": "int thrice(int x) { return 3 * x; }\n",
	}), Options{})
	if notes := strings.Join(c.Notes, "\n"); len(c.Subject.Units) != 1 || !strings.Contains(notes, "x.c: sources that hold their own tests") {
		t.Errorf("mutated %q, tests %q, notes %q", c.Subject.Units, testsOf(c), notes)
	}
}

// The makefile of sds makes a test program of its one source, and runs nothing.
func TestATestProgramOfTheSourceItselfIsFoundAndRun(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"Makefile": "all: x-test\nx-test: x.c\n\tcc -DSELF_CHECK -o x-test x.c\n",
		"x.c":      "int twice(int x) { return 2 * x; }\n#ifdef SELF_CHECK\nint main(void) { return twice(3) != 6; }\n#endif\n",
	}), Options{})
	if len(c.Subject.Units) != 1 || c.Subject.Name != "x" || len(c.Tests) != 1 || c.Tests[0].Name != "x-test" || !slices.Equal(c.Subject.OwnTests, []string{"x.c"}) {
		t.Errorf("mutated %q of %s, tests %q, notes %q", c.Subject.Units, c.Subject.Name, testsOf(c), c.Notes)
	}
	if !strings.HasPrefix(c.Subject.Why, "Source files that are no tests, in the test programs that are made of them: x.c. ") {
		t.Errorf("it is told: %s", c.Subject.Why)
	}
}

// What a source that holds its own tests calls so is one of them.
func TestFunctionsAreTestsByTheirNames(t *testing.T) {
	for function, want := range map[string]bool{"main": true, "sdsTest": true, "test_range": true, "sdsrange": false, "latest": false, "attest_all": false} {
		if IsTest(function) != want {
			t.Errorf("%s is a test: %v", function, !want)
		}
	}
}

// Of a library that is one header, the code of the header is mutated, and not that of its tests.
func TestHeadersWithCodeAreMutatedWhereThereIsNothingElse(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile": "check: test/plain test/strict\n\ttest/plain\n\ttest/strict\n" +
			"test/plain: test/tests.c x.h\n\tcc -o test/plain test/tests.c\ntest/strict: test/tests.c x.h\n\tcc -DSTRICT -o test/strict test/tests.c\n",
		"x.h":          "#include \"limits.h\"\nint\ntwice(int x) {\n  return 2 * x;\n}\n",
		"limits.h":     "#define MOST 8\nint half(int);\n",
		"test/check.h": "static int fails(int is) { return !is; }\n",
		"test/tests.c": "#include \"../x.h\"\n#include \"check.h\"\n#ifdef STRICT\nint strict = 1;\n#endif\nint main(void) { return fails(twice(3) == 6); }\n",
	}
	c := captured(t, files(t, texts), Options{})
	if !slices.Equal(c.Subject.Headers, []string{"x.h"}) || c.Subject.Name != "x" || len(c.Subject.Units) != 2 || len(c.Subject.Products) != 2 {
		t.Errorf("mutated %+v, tests %q, notes %q", c.Subject, testsOf(c), c.Notes)
	}
	texts["x.h"] = "#define twice(x) (2 * (x))\nint half(int x);\n"
	if c := captured(t, files(t, texts), Options{}); len(c.Subject.Headers)+len(c.Subject.Units) > 0 || !strings.Contains(strings.Join(c.Notes, "\n"), "nothing is proposed to mutate") {
		t.Errorf("of no code is mutated %+v, notes %q", c.Subject, c.Notes)
	}
}

// The makefile of tinyexpr runs its tests as it builds them, and has no target of tests.
func TestProgramsThatTheBuildRunsAreTestsWhereThereAreNoOthers(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile": "all: smoke smoke_low show\nsmoke: smoke.c x.c\n\tcc -o $@ $^\n\t./$@\nsmoke_low: smoke.c x.c\n\tcc -DLOW -o $@ $^\n\t./$@\n" +
			"show: show.c x.c\n\tcc -o $@ $^\n",
		"x.c":     "#ifdef LOW\nint most = 5;\n#else\nint most = 9;\n#endif\nint limit(int x) { return x > most ? most : x; }\n",
		"smoke.c": "int limit(int);\nextern int most;\nint main(void) { return limit(7) != (most < 7 ? most : 7); }\n",
		"show.c":  "int limit(int);\nint main(void) { return limit(3); }\n",
	}
	c := captured(t, files(t, texts), Options{})
	if len(c.Tests) != 2 || len(c.Subject.Units) != 2 || !slices.IsSortedFunc(c.Subject.Units, strings.Compare) || !strings.HasPrefix(c.Subject.Units[0], "source/x.c") {
		t.Errorf("mutated %q, tests %q, notes %q", c.Subject.Units, testsOf(c), c.Notes)
	}
	// One whose output is kept makes something, and one that is given words is told what to do.
	texts["Makefile"] = "all: smoke table.txt\nsmoke: smoke.c x.c\n\tcc -o $@ $^\ntable.txt: smoke\n\t./smoke >table.txt\n\t./smoke table\n"
	if c := captured(t, files(t, texts), Options{}); len(c.Tests) > 0 {
		t.Errorf("tests %q", testsOf(c))
	}
}

// Of utf8.h the folder of tests has the only build, and its tests include the header by a flag.
func TestAFolderOfTestsMayHaveTheOnlyBuild(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"x.h":           "static int twice(int x) { return 2 * x; }\n",
		"docs/Makefile": "all:\n\ttrue\n", "fonts/Makefile": "all:\n\tfalse\n", "tutorials/one/Makefile": "all:\n\tfalse\n", "tutorials/one/y.c": "int y;\n",
		"test/Makefile": "all: test_x test_y\ntest_x: test_x.c\n\tcc -I.. -o $@ test_x.c\ntest_y: test_y.c\n\tcc -I .. -o $@ test_y.c\n",
		"test/test_x.c": "#include \"x.h\"\nint main(void) { return twice(3) != 6; }\n",
		"test/test_y.c": "#include \"x.h\"\nint main(void) { return twice(2) != 4; }\n",
	}), Options{})
	if !slices.Equal(c.Subject.Headers, []string{"x.h"}) || len(c.Subject.Units) != 2 || len(c.Tests) != 2 || !strings.Contains(strings.Join(c.Notes, "\n"), "make builds 2 test programs and runs nothing") {
		t.Errorf("mutated %+v, tests %q, notes %q", c.Subject, testsOf(c), c.Notes)
	}
}

// The only test is one file with what it tests, included as text, and the program that the build makes of
// that is run by no test: the file is mutated as the test has it.
func TestASourceThatOnlyATestIncludesIsMutatedThere(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile":    "all: calc calc_test\ncalc: calc.c\n\tcc -o calc calc.c\ncalc_test: calc_test.c calc.c\n\tcc -o calc_test calc_test.c\ntest: calc_test\n\t./calc_test\n",
		"calc.c":      "int twice(int n) { return 2 * n; }\n#ifndef TESTED\nint main(int argc, char **argv) { return twice(argc); }\n#endif\n",
		"calc_test.c": "#define TESTED\n#include \"calc.c\"\nint main(void) { return twice(2) != 4; }\n",
	}
	c := captured(t, files(t, texts), Options{})
	if c.Subject.Name != "calc" || !slices.Equal(c.Subject.Headers, []string{"calc.c"}) || !slices.Equal(c.Subject.Products, []string{"source/calc_test"}) ||
		!strings.Contains(c.Subject.Why, "of these files, in the test programs that include them: calc.c.") {
		t.Errorf("proposed: %+v", c.Subject)
	}
	texts["Makefile"] += "\t./calc a b c; test $$? = 8\n"
	if c = captured(t, files(t, texts), Options{}); len(c.Subject.Headers) > 0 || !slices.Equal(c.Subject.Products, []string{"source/calc", "source/calc_test"}) ||
		len(c.Subject.Units) != 1 || len(c.Subject.Including) != 1 || !slices.Equal(c.Subject.Including[0].Sources, []string{"source/calc.c"}) {
		t.Errorf("proposed where a test runs the program, too: %+v", c.Subject)
	}
}
