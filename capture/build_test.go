package capture

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	confined "github.com/winnow-mutants/winnow/internal/confine"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// withTools puts stand-ins for CMake, CTest, Meson and ninja first on PATH: they do
// what real ones were recorded to do (testdata/tools.txtar), so that no test needs these.
func withTools(t *testing.T) []string {
	t.Helper()
	tools := project(t, "tools")
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	return os.Environ()
}

func TestAProjectOfCMakeWhoseTestsAreOffByDefault(t *testing.T) {
	c := captured(t, project(t, "cmake"), Options{Env: withTools(t)})
	if c.System.Kind != "cmake" || c.System.Build != "build" || !slices.Contains(c.Notes, "Tests were switched on: -DSTACK_BUILD_TESTS=ON.") {
		t.Errorf("built by %s in %s; notes %q", c.System.Kind, c.System.Build, c.Notes)
	}
	same(t, "subject", c.Subject.String(), `
libstack
  made again: build/libstack.a build/libstack_shared.so
  mutated: source/stack.c
`)
	same(t, "tests", testsOf(c), `
ctest push passed: build/test_stack
ctest overflow passed: build/test_stack
ctest script passed: build/test_stack
ctest prints passed: build/test_stack
`)
	script := c.Tests[2]
	if script.Dir != "source" || !slices.Equal(script.Env, []string{"DEPTH=4", "MODE=full"}) || script.Skip != 5 || script.Seconds != 20 || !c.Tests[1].Fails {
		t.Errorf("the properties became %+v", c.Tests)
	}
	// A property that only CTest can judge leaves the test to CTest.
	if argv := c.Tests[3].Argv; argv[0] != "ctest" {
		t.Errorf("the test with a regular expression is %q", argv)
	}
	if u := c.Unit("source/stack.c"); !slices.Equal(u.Flags, []string{"-I{work}/source", "-I{work}/build"}) {
		t.Errorf("the flags are %q", u.Flags)
	}
	if in := c.Product("build/libstack_shared.so").Inputs[0]; in.Unit != "source/stack.c" || !slices.Contains(in.Position, "-Dstack_shared_EXPORTS") {
		t.Errorf("the shared library is made of %+v", in)
	}
}

func TestAProjectOfMesonWhoseTestsAreOffByDefault(t *testing.T) {
	c := captured(t, project(t, "meson"), Options{Env: withTools(t)})
	same(t, "products", products(c), `
program build/gen (generator): source/gen.c
archive build/libqueue.a (subject): source/queue.c
program build/test_queue (test program): source/test_queue.c build/libqueue.a
`)
	same(t, "tests", testsOf(c), `
meson tap passed: build/test_queue
meson skips skipped: build/test_queue
`)
	tap, skips := c.Tests[0], c.Tests[1]
	if tap.Dir != "build" || tap.Seconds != 30 {
		t.Errorf("the first test is %+v", tap)
	}
	if skips.Dir != "source" || !slices.Equal(skips.Env, []string{"WHY=none"}) || skips.Skip != 77 {
		t.Errorf("the second test is %+v", skips)
	}
}

func TestCompileCommandsWithoutABuild(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"main.c":   "int twice(int);\nint main(void) { return twice(0); }\n",
		"twice.c":  "int twice(int n) { return FACTOR * n; }\n",
		"other.c":  "int twice(int);\nint main(void) { return twice(1); }\n",
		"broken.c": "int\n",
	})
	err := os.WriteFile(filepath.Join(dir, "compile_commands.json"), []byte(`[
		{"directory": "`+dir+`/obj", "file": "../main.c", "arguments": ["cc", "-O2", "-c", "../main.c", "-o", "main.o"]},
		{"directory": "`+dir+`/obj", "file": "../twice.c", "command": "cc -DFACTOR=\"2\" -I`+dir+` -c ../twice.c -o twice.o"},
		{"directory": "`+dir+`/obj", "file": "../other.c", "command": "cc -c ../other.c -o other.o"},
		{"directory": "`+dir+`/obj", "file": "../broken.c", "command": "cc -c ../broken.c -o broken.o"},
		{"directory": "/usr", "file": "x.c", "command": "cc -c x.c"}]`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	before := hash(t, dir)
	c := captured(t, dir, Options{})
	if hash(t, dir) != before {
		t.Error("the project has changed")
	}
	same(t, "products", products(c), `
program build/main (subject): source/main.c source/twice.c
program build/other (program): source/other.c source/twice.c
`)
	if u := c.Unit("source/twice.c"); !slices.Equal(u.Flags, []string{"-DFACTOR=2", "-I{work}/source"}) || u.Dir != "source/obj" {
		t.Errorf("the unit is %+v", u)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"broken.c", "x.c is compiled outside", "assumed"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note about %q: %s", want, notes)
		}
	}
}

// Small libraries have makefiles in which all is empty and test compiles everything, often with
// sanitizers, which need more memory than a run has, and are no part of the program.
func TestWhatOnlyTestsBuildIsBuiltByThemAndWithoutSanitizers(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"Makefile": "all:\n\ntest: check\n\t./check\n\ncheck: a.c check.c\n\tcc -fsanitize=address,undefined -o $@ $^\n.PHONY: test\n",
		"a.c":      "int a(void) { return 1; }\n",
		"check.c":  "int a(void);\nint main(void) {\n#ifdef __SANITIZE_ADDRESS__\n  return 2;\n#endif\n  return a() != 1;\n}\n",
	}), Options{})
	same(t, "subject", c.Subject.String(), `
a
  made again: source/check
  mutated: source/a.c
`)
	if len(c.Tests) != 1 || c.Tests[0].Outcome != Passed {
		t.Errorf("the tests are %+v", c.Tests)
	}
	if link := c.Products[0].Link; slices.ContainsFunc(link, isSanitizer) {
		t.Errorf("it is linked by %q", link)
	}
	if notes := strings.Join(c.Notes, "\n"); strings.Count(notes, "sanitizers (-fsanitize=address,undefined)") != 1 {
		t.Errorf("the notes are %q", notes)
	}
}

// What this command says may go to a file of the project: winnow init . 2>&1 | tee log, winnow run . >> run.log.
func TestLogsInAProjectMayChangeAndOthersMustStayAsTheyAre(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"log": "", "kept": "begun\n", "closed.log": "another\n", "a.c": "int a;\n"})
	tee := exec.Command("sh", "-c", "cat >> kept")
	tee.Dir = dir
	said, err := tee.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := tee.Start(); err != nil {
		t.Fatal(err)
	}
	defer tee.Wait()
	defer said.Close()
	kept, err := os.Stat(filepath.Join(dir, "kept"))
	if err != nil {
		t.Fatal(err)
	}
	for !slices.ContainsFunc(writtenBySession(), func(f os.FileInfo) bool { return os.SameFile(f, kept) }) {
		time.Sleep(time.Millisecond) // until the shell has opened it
	}
	logs, err := logsOf(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	look := func() snapshot {
		t.Helper()
		seen, err := snapshotOf(dir, "", logs)
		if err != nil {
			t.Fatal(err)
		}
		return seen
	}
	before := look()
	for _, log := range []string{"log", "kept"} {
		if err := os.WriteFile(filepath.Join(dir, log), []byte("begun\nbuilding\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if name := before.changed(look()); name != "" {
		t.Errorf("%s counts as a change of the project", name)
	}
	for _, name := range []string{"closed.log", "a.c"} { // in the order in which they are named
		if err := os.WriteFile(filepath.Join(dir, name), []byte("int abc;\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if changed := before.changed(look()); changed != name {
			t.Errorf("%s has changed, said is %q", name, changed)
		}
	}
}

func TestWhatWasBuiltInTheProjectIsBuiltAgain(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"Makefile":  "prog: a.o\n\tcc -o prog a.o\n# clean forgets the object\nclean:\n\trm -f prog\n",
		"a.c":       "int main(void) { return 0; }\n",
		"a.o":       "newer than its source",
		"prog":      "newest of all",
		"empty.txt": "",
	})
	later := time.Now().Add(time.Minute)
	for i, name := range []string{"a.o", "prog"} {
		if err := os.Chtimes(filepath.Join(dir, name), later, later.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "products", products(captured(t, dir, Options{})), "program source/prog (subject): source/a.c\n")
}

func TestACompilerNamedByItsPathIsSeen(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("gcc")
	if err != nil {
		real, err = exec.LookPath("clang-14")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{
		"Makefile": "CC = " + real + " -DBY_PATH\nprog: a.c\n\t$(CC) -o prog a.c\n",
		"a.c":      "int main(void) { return 0; }\n",
	})
	c := captured(t, dir, Options{})
	if u := c.Unit("source/a.c"); u == nil || !slices.Equal(u.Flags, []string{"-DBY_PATH"}) {
		t.Errorf("the units are %+v", c.Units)
	}
}

func TestAConfigureIsCalledAsTheProjectWas(t *testing.T) {
	t.Parallel()
	dir := project(t, "autoshape")
	if err := os.WriteFile(filepath.Join(dir, "config.log"), []byte("It was created by configure.\n\n  $ ./configure --with-level=1 '--with-name=a b'\n\n## Platform\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := captured(t, dir, Options{})
	if argv := c.System.Steps[0].Argv; !slices.Equal(argv, []string{"./configure", "--with-level=1", "--with-name=a b"}) {
		t.Errorf("configured by %q", argv)
	}
}

func TestTheNextWayIsTakenWhereOneFailsOrHasNoTests(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"configure": "#!/bin/sh\necho 'checking for luck... no'\nexit 1\n",
		"Makefile":  "prog: a.c\n\tcc -o prog a.c\ncheck: prog\n\t./prog\n",
		"a.c":       "int main(void) { return 0; }\n",
	}), Options{})
	if c.System.Kind != "make" || len(c.Notes) == 0 || !strings.Contains(c.Notes[0], "configure was tried before, and failed") {
		t.Errorf("built by %s; notes %q", c.System.Kind, c.Notes)
	}
	without := files(t, map[string]string{
		"configure": "#!/bin/sh\nprintf 'prog: a.c\\n\\tcc -DCONFIGURED -o prog a.c\\n' >Makefile\n",
		"Makefile":  "prog: a.c\n\tcc -o prog a.c\n",
		"a.c":       "int main(void) { return 0; }\n",
	})
	c = captured(t, without, Options{})
	if c.System.Kind != "configure" || !slices.Contains(c.Unit("source/a.c").Flags, "-DCONFIGURED") {
		t.Errorf("without tests it is built by %s with %q", c.System.Kind, c.Units[0].Flags)
	}
}

// A makefile that its people have let go builds a part of what another way builds whole: its tests
// start a program that is not there.
func TestAWayWhoseTestsFailIsTakenWhereNoOtherIsBetter(t *testing.T) {
	t.Parallel()
	const tests = "check: one two three\none: prog\n\t./prog one\ntwo:\n\t./tool 2\nthree:\n\t./tool 3\n"
	sources := map[string]string{
		"configure": "#!/bin/sh\ncat >Makefile <<'END'\nall: prog\nprog: a.c\n\tcc -o prog a.c\n" + tests + "END\n",
		"Makefile":  "all: prog tool\nprog: a.c\n\tcc -o prog a.c\ntool: a.c\n\tcc -o tool a.c\n" + tests,
		"a.c":       "int main(void) { return 0; }\n",
	}
	c := captured(t, files(t, sources), Options{})
	if c.System.Kind != "make" || !slices.Contains(c.Notes, "configure was tried before: of its tests 2 fail, and 1 of the others reach what can be mutated.") {
		t.Errorf("built by %s; notes %q", c.System.Kind, c.Notes)
	}
	sources["Makefile"] = "all: prog\nprog: a.c\n\tcc -o prog a.c\ncheck: prog\n\t./tool 1\n"
	c = captured(t, files(t, sources), Options{})
	notes := strings.Join(c.Notes, "\n")
	if c.System.Kind != "configure" || len(c.Tests) != 3 || !strings.Contains(notes, "Makefile was tried before: of its tests 1 fail, and 0 of the others") ||
		strings.Contains(notes, "configure was tried") {
		t.Errorf("where neither is better it is built by %s, with %d tests; notes %q", c.System.Kind, len(c.Tests), c.Notes)
	}
}

// A folder below the project's own may hold its build, and write beside it, as those do that premake
// makes. Tests that are named run in the folder whose files they name.
func TestABuildBelowMayWriteBesideItself(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"projects/make/Makefile": "all: ../../lib/liba.a ../../bin/a\n../../lib/liba.a: ../../src/a.c\n\tmkdir -p ../../lib\n\tcc -c -o a.o $^\n\tar rc $@ a.o\n../../bin/a: ../../src/main.c ../../lib/liba.a\n\tmkdir -p ../../bin\n\tcc -o $@ $^\n",
		"src/a.c":                "int twice(int n) { return 2 * n; }\n",
		"src/main.c":             "int twice(int);\nint main(int argc, char **argv) { return twice(argc) != 4; }\n",
		"util/try.sh":            "bin/a one\n",
	})
	c := captured(t, dir, Options{Tests: []string{"sh util/try.sh", "../../bin/a one"}})
	if len(c.Products) != 2 || slices.ContainsFunc(c.Products, func(p Product) bool { return p.Gone }) {
		t.Errorf("products: %+v", c.Products)
	}
	for k, want := range []string{"source", "source/projects/make"} {
		if c.Tests[k].Dir != want || c.Tests[k].Failing {
			t.Errorf("%q runs in %s, want %s; it fails: %v", c.Tests[k].Argv, c.Tests[k].Dir, want, c.Tests[k].Failing)
		}
	}
	if len(c.Subject.Products) == 0 {
		t.Errorf("nothing is proposed: %q", c.Notes)
	}
}

// Who has no tests is told what made of them failed, by what the tool says of it.
func TestOfTestsThatCannotBeMadeTheReasonIsTold(t *testing.T) {
	t.Parallel()
	const lib = "int twice(int n) { return 2 * n; }\n"
	for name, c := range map[string]struct {
		files map[string]string
		notes []string
	}{
		"a target that needs what is not there": {map[string]string{"a.c": lib, "Makefile": "all: liba.a\nliba.a: a.o\n\tar rc $@ a.o\n.PHONY: tests\ntests: a.c contrib/list.c\n\tcc -o try $^\n\t./try\n"},
			[]string{"make tests fails: make: *** No rule to make target 'contrib/list.c', needed by 'tests'.", "No tests were found: make has no target check, test, tests that runs any."}},
		"a target that does not compile": {map[string]string{"a.c": lib, "try.c": "#include <nowhere.h>\nint main(void) { return 0; }\n", "Makefile": "all: liba.a\nliba.a: a.o\n\tar rc $@ a.o\ncheck: try\n\t./try\ntry: try.c a.c\n\tcc -o try try.c a.c\n"},
			[]string{"make check fails: try.c:1:10: fatal error: nowhere.h: No such file or directory"}},
		"a target whose source cannot be made": {map[string]string{"a.c": lib, "Makefile": "all: liba.a\nliba.a: a.o\n\tar rc $@ a.o\ncheck: try\n\t./try\ntry: try.c a.c\n\tcc -o try $^\ntry.c: a.c\n\t./make.sh $< $@\n", "make.sh": "#!/bin/sh\necho ModuleNotFoundError: No module named toml >&2; exit 1\n"},
			[]string{"make check fails: ModuleNotFoundError: No module named toml"}},
		"a package that CMake does not find": {map[string]string{"a.c": lib, "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(a C)\noption(WITH_TESTS \"tests\" OFF)\ninclude(CheckIPOSupported)\ncheck_ipo_supported(RESULT x OUTPUT y)\nadd_library(a STATIC a.c)\nenable_testing()\nif(WITH_TESTS)\n  function(want name)\nmessage(FATAL_ERROR \"${name} is not there\")\nendfunction()\nwant(Luck)\nendif()\n"},
			[]string{"-DWITH_TESTS=ON would switch tests on, but the project cannot be configured so: Luck is not there", "No tests were found: make has no target check, tests that runs any."}},
		"a way that fails before another": {map[string]string{"a.c": lib, "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(a C)\nfind_package(Nonsense REQUIRED)\n", "Makefile": "liba.a: a.o\n\tar rc $@ a.o\n"},
			[]string{"CMakeLists.txt was tried before, and failed: By not providing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := captured(t, files(t, c.files), Options{})
			for _, want := range c.notes {
				if !slices.ContainsFunc(got.Notes, func(note string) bool { return strings.HasPrefix(note, want) }) {
					t.Errorf("no note begins with %q: %q", want, got.Notes)
				}
			}
			if text := strings.Join(got.Notes, "\n"); strings.Contains(text, "Call Stack") {
				t.Errorf("a reason goes on with where in CMake it was: %q", text)
			}
			if len(got.Tests) > 0 {
				t.Errorf("tests: %+v", got.Tests)
			}
			for _, p := range got.Products {
				if !p.Gone && filepath.Base(p.Path) != "liba.a" {
					t.Errorf("%s is taken for a product", p.Path)
				}
			}
		})
	}
}

func TestTheReasonOfAFailedConfigurationIsFound(t *testing.T) {
	for output, want := range map[string]string{
		"-- Looking for x\nCMake Error at CMakeLists.txt:3 (find_package):\n  By not providing \"FindX.cmake\" this project has\n  asked CMake to find X.\n\n\n-- Configuring incomplete": "By not providing \"FindX.cmake\" this project has asked CMake to find X.",
		"checking for cc... cc\nconfigure: error: Package requirements (x) were not met:\n\nPackage 'x' not found\n":                                                                      "Package requirements (x) were not met:",
		"Run-time dependency x found: NO\n\n../meson.build:12:0: ERROR: Dependency \"x\" not found\n\nA full log can be found at log.txt\n":                                               "Dependency \"x\" not found",
		"make: *** [Makefile:3: all] Error 1": "",
	} {
		if got := reasonIn(output); got != want {
			t.Errorf("the reason is %q, want %q, in\n%s", got, want, output)
		}
	}
}

func TestFailuresSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		opts  Options
		code  exit.Code
		want  string
	}{
		{"nothing to build", map[string]string{"README": "hello"}, Options{}, exit.Input, "nothing here says"},
		{"a step that fails", map[string]string{"Makefile": "all:\n\t@echo no luck; exit 3\n"}, Options{}, exit.Input, "no luck"},
		{"nothing compiled", map[string]string{"Makefile": "all linux posix generic:\n\t@echo usage\n"}, Options{}, exit.Input, "no compile of C was seen"},
		{"a tool that is missing", map[string]string{"CMakeLists.txt": ""}, Options{}, exit.Tool, "not installed"},
		{"a system that it has not", map[string]string{"Makefile": "all:\n"}, Options{System: "cmake"}, exit.Input, "nothing here says"},
	} {
		opts := c.opts
		opts.Work = filepath.Join(t.TempDir(), "work")
		if c.code == exit.Tool {
			t.Setenv("PATH", t.TempDir())
		}
		_, err := Build(context.Background(), files(t, c.files), opts)
		if err == nil || exit.Of(err) != c.code || !strings.Contains(err.Error(), c.want) || exit.HintOf(err) == "" {
			t.Errorf("%s: %v (%v), hint %q", c.name, err, exit.Of(err), exit.HintOf(err))
		}
	}
}

// A build that is tried with the configure that is there and with one made anew fails for one
// reason, which is said once, with what to install.
func TestAProgramThatABuildLacksIsNamedOnce(t *testing.T) {
	t.Parallel()
	configure := "#!/bin/sh\nprintf 'all:\\n\\tno-such-generator table.in >table.c\\n' >Makefile\n"
	dir := files(t, map[string]string{"configure": configure, "autogen.sh": "exit 0\n", "table.in": "1\n"})
	if err := os.Chmod(filepath.Join(dir, "configure"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Build(context.Background(), dir, Options{Work: filepath.Join(t.TempDir(), "work")})
	if err == nil || strings.Count(err.Error(), "Error 127") != 1 {
		t.Errorf("the build fails with %v", err)
	}
	if hint := exit.HintOf(err); !strings.Contains(hint, "apt-get install no-such-generator") || !strings.Contains(hint, "output") {
		t.Errorf("the hint is %q", hint)
	}
}

func TestABuildIsEndedWithEverythingItStarted(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"Makefile": "all:\n\t@(sleep 300 & echo $$! >pid; wait)\n"})
	began := time.Now()
	work := filepath.Join(t.TempDir(), "work")
	_, err := Build(context.Background(), dir, Options{Time: time.Second, Work: work})
	var step *StepError
	if !errors.As(err, &step) || !strings.Contains(err.Error(), "not done after 1s") || time.Since(began) > 20*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if _, err := os.Stat(filepath.Join(work, "source", "pid")); err != nil {
		t.Errorf("the build had not begun: %v", err)
	}
	folders, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range folders {
		if cwd, err := os.Readlink(link); err == nil && strings.HasPrefix(cwd, work) {
			t.Errorf("%s is still in %s", link, cwd)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, dir, Options{Work: work}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestMemoryIsLimited(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"Makefile": "prog: a.c\n\tcc -o prog a.c\ncheck: prog\n\t./prog\n",
		"a.c":      "#include <stdlib.h>\nint main(void) { return malloc((size_t)3 << 30) == 0; }\n",
	})
	if c := captured(t, dir, Options{Memory: 2 << 30}); c.Tests[0].Outcome != Failed {
		t.Errorf("with 2 GB the test %s", c.Tests[0].Outcome)
	}
	if c := captured(t, dir, Options{}); c.Tests[0].Outcome != Passed {
		t.Errorf("with 8 GB the test %s", c.Tests[0].Outcome)
	}
}

func TestAFolderWithOtherThingsIsNoWorkFolder(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"Makefile": "prog: a.c\n\tcc -o prog a.c\n", "a.c": "int main(void) { return 0; }\n"})
	other := files(t, map[string]string{"precious": "1"})
	if _, err := Build(context.Background(), dir, Options{Work: other}); exit.Of(err) != exit.Output {
		t.Errorf("a folder with files: %v", err)
	}
	// Inside the project it is no part of the copy.
	work := filepath.Join(dir, "winnow-work")
	c := captured(t, dir, Options{Work: work})
	if exists(filepath.Join(c.Work, "source", "winnow-work")) {
		t.Error("the work folder was copied into itself")
	}
	if c = captured(t, dir, Options{Work: work}); c.Subject.Name != "prog" {
		t.Errorf("a second capture there proposes %q", c.Subject.Name)
	}
	if err := c.Remove(); err != nil || exists(work) {
		t.Errorf("Remove: %v", err)
	}
}

func TestStepsHaveNoNetwork(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"Makefile": "prog: a.c\n\tcat /proc/net/dev >devices\n\tcc -o prog a.c\n",
		"a.c":      "int main(void) { return 0; }\n",
	})
	c := captured(t, dir, Options{})
	text := readText(c.Path("source/devices"))
	r := &runner{}
	r.confine = confine(context.Background(), filepath.Join(c.Work, kitDir, "run", "launch"))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if alone := len(lines) == 3 && strings.Contains(lines[2], "lo:"); alone != (r.confine.name != "open") {
		t.Errorf("confined as %q, the build sees the devices\n%s", r.confine.name, text)
	}
}

func TestStepsChangeFilesInTheirFoldersAlone(t *testing.T) {
	t.Parallel()
	if confined.LandlockVersion() == 0 {
		t.Fatal("this machine has no Landlock: nothing is shown here")
	}
	cache, err := os.UserCacheDir() // for files below /tmp may be changed
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	other, err := os.MkdirTemp(cache, "winnow-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(other) })
	victim, precious := filepath.Join(other, "victim"), filepath.Join(other, "precious")
	if err := os.WriteFile(precious, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{
		"Makefile": "prog: a.c\n\t-echo x > " + victim + "\n\t-rm -f " + precious + "\n\techo x > own && mkdir -p $$HOME/sub && ln -s own way\n\tcc -o prog a.c\n",
		"a.c":      "int main(void) { return 0; }\n",
	})
	c := captured(t, dir, Options{})
	if exists(victim) || !exists(precious) {
		t.Error("a build has changed what is not its own")
	}
	if !exists(c.Path("source/own")) || c.Subject.Name != "prog" {
		t.Errorf("in its own folder it proposes %q", c.Subject.Name)
	}
}

// Make goes on after a manual that cannot be made: what the tests then build is the project's
// own program, and the note says why the manual was not made.
func TestAPartThatCannotBeBuilt(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"Makefile": `all: manual libversion.a prog
manual: ; no-such-makeinfo manual.texi
prog: a.o b.o libversion.a
	@test -e stamp
	cc -o prog a.o b.o libversion.a
libversion.a: version.o
	ar rc libversion.a version.o
version.c: ; echo 'const char *version = "1";' >version.c
check:
	@echo >stamp
	@$(MAKE) prog
	./prog <Makefile
`,
		"a.c": "int b(void);\nint main(void) { return b(); }\n",
		"b.c": "extern const char *version;\nint b(void) { return version[0] != '1'; }\n",
	}), Options{})
	same(t, "products", products(c), `
archive source/libversion.a (part of the subject): source/version.c
program source/prog (subject): source/a.c source/b.c source/libversion.a
`)
	if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "no-such-makeinfo: not found | make: *** [Makefile:2: manual] Error 127") {
		t.Errorf("the notes are %q", c.Notes)
	}
}

// A header's template has the name that configure.ac gives it, and make is not to make it
// again with autoheader either.
func TestGeneratedFilesThatAreOlderThanTheirSources(t *testing.T) {
	empty := t.TempDir() // no autoreconf at first, and then one that fails halfway
	for _, tool := range []string{"make", "cc", "ld", "as", "ar", "sh", "gcc", "clang", "cp", "cat", "rm", "mkdir", "touch", "env", "sed", "nm"} {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(empty, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := files(t, map[string]string{
		"configure.ac": "AC_INIT([p], [1])\nAC_CONFIG_HEADERS([config.h:config.hin other.h])\n",
		"Makefile.am":  "bin_PROGRAMS = p\n",
		"aclocal.m4":   "", "config.hin": "#define X 0\n", "other.h.in": "",
		"configure":   "#!/bin/sh\ncp config.hin config.h\ncp Makefile.in Makefile\n",
		"Makefile.in": "p: a.c config.h\n\tcc -o p a.c\nconfig.h: config.hin\n\tcp config.hin config.h\nconfig.hin: configure.ac aclocal.m4\n\tautoheader\naclocal.m4: configure.ac\n\taclocal\n",
		"a.c":         "#include \"config.h\"\nint main(void) { return X; }\n",
	})
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"aclocal.m4", "config.hin", "other.h.in", "configure", "Makefile.in"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", empty)
	for range 2 {
		c := captured(t, dir, Options{})
		same(t, "products", products(c), "program source/p (subject): source/a.c\n")
		if len(c.Notes) == 0 || !strings.Contains(c.Notes[0], "configure is older than what it is made from") {
			t.Errorf("the notes are %q", c.Notes)
		}
		if err := os.WriteFile(filepath.Join(empty, "autoreconf"), []byte("#!/bin/sh\nrm aclocal.m4\necho exit 1 >configure\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// Tests may have a makefile of their own, in a folder that the project's does not go to.
func TestAFolderOfTestsWithAMakefileOfItsOwnIsTested(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile":       "libtwice.a: twice.o\n\tar rc $@ twice.o\n",
		"twice.c":        "int twice(int n) { return 2 * n; }\n",
		"tests/Makefile": "all: t1 t2\nt1: t1.c ../libtwice.a\n\tcc -o t1 $^\nt2: t2.c ../libtwice.a\n\tcc -o t2 $^\n",
		"tests/t1.c":     "int twice(int);\nint main(void) { return twice(2) != 4; }\n",
		"tests/t2.c":     "int twice(int);\nint main(void) { return twice(0) != 0; }\n",
		"docs/Makefile":  "all:\n\tfalse\n",
	}
	c := captured(t, files(t, texts), Options{})
	if !slices.Equal(c.Subject.Products, []string{"source/libtwice.a"}) || !slices.Contains(c.Notes, "The tests are those of the makefile in tests.") {
		t.Errorf("proposed: %+v; notes %q", c.Subject, c.Notes)
	}
	var names []string
	for _, one := range c.Tests {
		if names = append(names, one.Name); one.Dir != "source/tests" || one.Failing {
			t.Errorf("a test is %+v", one)
		}
	}
	if !slices.Equal(names, []string{"t1", "t2"}) {
		t.Errorf("the tests are %q", names)
	}
	texts["tests/Makefile"] += "check: all\n\t./t2\n"
	if c = captured(t, files(t, texts), Options{}); len(c.Tests) != 1 || c.Tests[0].From != "make" || c.Tests[0].Dir != "source/tests" {
		t.Errorf("of a target check the tests are %+v", c.Tests)
	}
}
