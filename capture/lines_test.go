package capture

import (
	"slices"
	"strings"
	"testing"
)

// makeTests builds a project of a makefile and some files, and prints its tests.
func makeTests(t *testing.T, makefile string, more map[string]string) *Capture {
	t.Helper()
	texts := map[string]string{
		"Makefile": "prog: a.c\n\tcc -o prog a.c\n" + makefile,
		"a.c":      "#include <stdio.h>\nint main(int argc, char **argv) {\n\tint c;\n\tif (argc > 2) return 1;\n\twhile (argc == 1 && (c = getchar()) != EOF) putchar(c);\n\treturn argv == 0;\n}\n",
	}
	for name, text := range more {
		texts[name] = text
	}
	return captured(t, files(t, texts), Options{})
}

func TestLinesThatDependOnEachOtherInSecretAreOneTest(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "check: prog\n\t./prog <Makefile >/dev/null\n\tdd if=Makefile of=secret 2>/dev/null\n\t./prog <secret\n\trm secret\n", nil)
	same(t, "tests", testsOf(c), "make check passed: source/prog\n")
	if script := c.Tests[0].Argv[2]; !strings.Contains(script, "of=secret") || !strings.Contains(script, "|| exit") {
		t.Errorf("the test is %q", script)
	}
}

func TestWhatOnlyMakeCanDoIsLeftToIt(t *testing.T) {
	t.Parallel()
	// The file is there while make reads the line, and is removed by what it runs.
	c := makeTests(t, "check: setup below\nbelow: prog\n\t./prog <secret\n\tdd if=/dev/null of=other 2>/dev/null\n\t./prog <other && rm secret other\n"+
		"setup:\n\t@cp Makefile secret\n.PHONY: setup below\nbelow: setup\n", nil)
	same(t, "tests", testsOf(c), "target below passed: source/prog\n")
	if argv := c.Tests[0].Argv; !slices.Equal(argv, []string{"make", "below"}) {
		t.Errorf("the test is %q", argv)
	}
}

func TestALineWhoseFailureIsIgnoredIsIgnoredInTheTestToo(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "test: prog\n\t-./prog 1 2 >out\n\t./prog <Makefile >out\n", nil)
	same(t, "tests", testsOf(c), "make test passed: source/prog\n")
	c = makeTests(t, "test: prog\n\t./prog 1 2 3\n\t./prog 1\n", nil)
	same(t, "tests", testsOf(c), "make test failed: source/prog\n")
}

func TestWhatIsBuiltForTheTestsIsNoTest(t *testing.T) {
	t.Parallel()
	c := makeTests(t, `check: helper version.h prog
	./helper ./prog
	cmp a.c a.c
helper: helper.c
	cc -o helper helper.c
	strip helper || true
version.h:
	awk 'BEGIN { print 1 }' >version.h
`, map[string]string{"helper.c": "#include <stdlib.h>\nint main(int argc, char **argv) { return argc < 2 || system(argv[1]); }\n"})
	same(t, "tests", testsOf(c), "make helper passed: source/helper source/prog\nmake cmp passed: \n")
	same(t, "products", products(c), "program source/helper (test program): source/helper.c\nprogram source/prog (subject): source/a.c\n")
}

func TestATargetThatOnlyLinksATestStandsForRunningIt(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "test: test.c prog\n\tcc -o test test.c\n", map[string]string{"test.c": "int main(void) { return 0; }\n"})
	same(t, "tests", testsOf(c), "program test passed: source/test\n")
}

// libmspack's test programs are linked again each time, for they name a library as a source.
func TestATargetThatLinksWithLibtoolEachTimeIsNoTest(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "check: x_test prog\n\t./prog <Makefile >/dev/null\nx_test: FORCE\n\trm -f x_test\n\t$(SHELL) ./libtool --tag=CC --mode=link cc -o x_test x_test.c\nFORCE:\n",
		map[string]string{"libtool": "#!/bin/sh\nshift 2\nexec \"$@\"\n", "x_test.c": "int main(void) { return 0; }\n"})
	same(t, "tests", testsOf(c), "make check passed: source/prog\n")
}

func TestTestsOfMakefilesBelowHaveTheirFolder(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "check: prog\n\t$(MAKE) -C sub check LEVEL=2\n", map[string]string{
		"sub/Makefile": "export LEVEL\ncheck:\n\ttest $$LEVEL = 2 && ../prog <Makefile\n",
	})
	same(t, "tests", testsOf(c), "make check passed: source/prog\n")
	if got := c.Tests[0]; got.Dir != "source/sub" || !slices.Equal(got.Env, []string{"LEVEL=2"}) {
		t.Errorf("the test is %+v", got)
	}
}

func TestAutomakesWithoutDriversAreAskedByTheirEnvironment(t *testing.T) {
	t.Parallel()
	c := makeTests(t, `# as automake 1.9 wrote it
TESTS_ENVIRONMENT = LEVEL=3 \
	sh
check-TESTS:
	@for t in one.sh two.sh; do if $(TESTS_ENVIRONMENT) ./$$t; then echo PASS; else echo FAIL; fi; done
check: check-am
check-am: prog
	@$(MAKE) check-TESTS
`, map[string]string{"one.sh": "test $LEVEL = 3 && ./prog <one.sh\n", "two.sh": "exit 1\n"})
	same(t, "tests", testsOf(c), "automake one.sh passed: source/prog\nautomake two.sh failed: \n")
	if got := c.Tests[0]; !slices.Equal(got.Argv, []string{"sh", "./one.sh"}) || !slices.Equal(got.Env, []string{"LEVEL=3"}) {
		t.Errorf("the first test is %+v", got)
	}
}

func TestAShellThatIsNotKnownIsLeftAlone(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "SHELL = /usr/bin/env sh\ncheck: prog\n\t./prog <Makefile\n", nil)
	if len(c.Tests) != 0 || !strings.Contains(strings.Join(c.Notes, " "), "/usr/bin/env sh") {
		t.Errorf("tests %q, notes %q", testsOf(c), c.Notes)
	}
	if c = makeTests(t, "SHELL = /bin/bash\n.SHELLFLAGS = -e -c\ncheck: prog\n\t[[ -f Makefile ]] && ./prog <Makefile\n", nil); len(c.Tests) != 1 || c.Tests[0].Outcome != Passed {
		t.Errorf("with bash the tests are %q", testsOf(c))
	}
}

// Makefiles of byacc, cproto and many others start their scripts by $(SHELL), which is a stand-in
// while they are watched.
func TestARecipeThatNamesTheShellIsATest(t *testing.T) {
	t.Parallel()
	c := makeTests(t, "SHELL = /bin/sh\ncheck: prog\n\t@V=1 $(SHELL) ./run.sh .\n", map[string]string{"run.sh": "./prog <Makefile >/dev/null\n"})
	same(t, "tests", testsOf(c), "make check passed: source/prog\n")
	if text := strings.Join(c.Tests[0].Argv, " "); !strings.Contains(text, "/bin/sh ./run.sh") {
		t.Errorf("the test is %s", text)
	}
}

func TestNamesSayWhatIsATest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"test": true, "tests": true, "test_array": true, "test-reader": true, "runtests": true, "runtestspp": true, "api_test": true,
		"hiredis-test": true, "mytest": true, "frametest": true, "unittest": true, "check_csv": true, "fpe_check": true, "checker": false, "regression": true,
		"latest": false, "contest": false, "fastest": false, "attestation": false, "testament": false, "protest": false, "jq": false,
		"checksum": false, "tester": true, "selftest": true, "testmxml": true, "libtinytest": true, "checkpoint": false, "estimate": false,
	} {
		if got := isTestName(name); got != want {
			t.Errorf("isTestName(%s) is %v", name, got)
		}
	}
}
