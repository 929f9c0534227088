package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/discover/discovertest"
)

func TestACMakeProjectRunsWithTheTestsOfCTest(t *testing.T) {
	folder := discovertest.CMake(t)
	g, err := Init(t.Context(), folder, Options{Tools: clangtest.Tools(t)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range p.Tests.Commands {
		names = append(names, c.Name)
	}
	if p.Program != "check" || !slices.Equal(p.Sources, []string{"src/ring.c"}) || !slices.Equal(p.Harness, []string{"test/check.c"}) ||
		!slices.Equal(names, []string{"fill", "trace", "nonsense"}) || !p.Tests.Commands[2].Fails || p.Tests.Writable {
		t.Errorf("%+v", p)
	}
	for _, want := range []string{"PASS_REGULAR_EXPRESSION", "it runs cmake", "tests of other", includeFolder + " holds"} {
		if !slices.ContainsFunc(g.Notes, func(note string) bool { return strings.Contains(note, want) }) {
			t.Errorf("no note says %q: %q", want, g.Notes)
		}
	}
	if got := testfile.Read(t, filepath.Join(folder, includeFolder, "limits", "ring_limits.h")); !strings.Contains(got, "RING_SIZE") {
		t.Errorf("the header that CMake makes holds %q", got)
	}
}

func TestWhatAProjectHasCMakeDoChangesNoFileOfTheUsers(t *testing.T) {
	folder := discovertest.CMake(t)
	tools, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	script := "#!/bin/sh\necho x > " + victim + " && echo it was written\necho x > " + folder + "/CMakeLists.txt && echo so was the project\nexit 1\n"
	if err := os.WriteFile(filepath.Join(tools, "cmake"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	before := testfile.Read(t, filepath.Join(folder, "CMakeLists.txt"))
	t.Setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	g, err := propose(t.Context(), folder, Options{Tools: clangtest.Tools(t)})
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Join(g.Notes, "\n")
	if !strings.Contains(told, "cannot configure") || strings.Contains(told, "it was written") || strings.Contains(told, "so was the project") || paths.Exist(victim) {
		t.Errorf("victim there: %v; %s", paths.Exist(victim), told)
	}
	if testfile.Read(t, filepath.Join(folder, "CMakeLists.txt")) != before {
		t.Error("the project is another")
	}
}

func TestAnotherProgramOfACMakeProjectCanBeChosen(t *testing.T) {
	folder := discovertest.CMake(t)
	g, err := propose(t.Context(), folder, Options{Tools: clangtest.Tools(t), Target: "other"})
	if err != nil || g.Project.Program != "other" || len(g.Project.Tests.Commands) != 1 {
		t.Errorf("%+v, %v", g, err)
	}
	_, err = propose(t.Context(), folder, Options{Tools: clangtest.Tools(t), Target: "ring"})
	if exit.Of(err) != exit.Input || !strings.Contains(exit.HintOf(err), "check, other") {
		t.Errorf("a library as the program: %v", err)
	}
}

func TestWithoutCMakeTheErrorSaysWhatToInstall(t *testing.T) {
	folder := discovertest.CMake(t)
	t.Setenv("PATH", t.TempDir())
	_, err := propose(t.Context(), folder, Options{})
	if exit.Of(err) != exit.Tool || !strings.Contains(exit.HintOf(err), "apt-get install cmake") {
		t.Errorf("%v", err)
	}
}

func TestAFolderIsGuessedFromItsFiles(t *testing.T) {
	const main, lib = "int main(void) { return 0; }\n", "int f(int x) { return x + 1; }\n"
	for name, c := range map[string]struct {
		files            map[string]string
		sources, harness string
		dir, test        string
		flags            string
		writable         bool
	}{
		"a filter with tests": {files: map[string]string{"a.c": main, "tests/1.in": "", "tests/1.out": "", "more/1.in": "", "tests/2.in": ""},
			sources: "a.c", dir: "tests"},
		"a library and its test": {files: map[string]string{"src/f.c": lib, "include/f.h": "", "test/try.c": "#include <f.h>\n#include <stdio.h>\nint main(void) { return !fopen(\"x\", \"w\"); }\n",
			"examples/demo.c": main}, sources: "src/f.c", harness: "test/try.c", test: "try", flags: "-Iinclude", writable: true},
		"tests beside what they test":                        {files: map[string]string{"f.c": lib, "f_test.c": main, "g.c": "int g;\n", "g_test.c": main}, sources: "f.c g.c", harness: "f_test.c", test: "f_test"},
		"a program by a test's name":                         {files: map[string]string{"test.c": main}, sources: "test.c", test: "run"},
		"a folder whose name is a source's, and a benchmark": {files: map[string]string{"f.c/f.c": lib, "tests/bench.c": main, "tests/try_f.c": main}, sources: "f.c/f.c", harness: "tests/try_f.c", test: "try_f"},
		"a main that is left out": {files: map[string]string{"f.c": "#ifdef MAKE_TABLE\n" + main + "#endif\n/* main() */\n" + lib, "prog.c": main},
			sources: "f.c prog.c", test: "run"},
		"a Makefile's flags": {files: map[string]string{"a.c": main, "Makefile": "CFLAGS = -O2 -Wall -DN=3 \\\n  -std=c99 $(MORE)\nLDLIBS += -lm\nall:\n\ttouch /tmp/never\n"},
			sources: "a.c", test: "run", flags: "-DN=3 -std=c99 -lm"},
		"compile_commands.json": {files: map[string]string{"a.c": main, "b.c": lib, "unused.c": lib,
			"compile_commands.json": `[{"directory":".","file":"a.c","command":"cc -c -Ix -DA a.c"},{"directory":".","file":"b.c","command":"cc -c -DB b.c"}]`},
			sources: "a.c b.c", test: "run", flags: "-Ix -DA -DB"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "my program")
			for file, text := range c.files {
				testfile.Write(t, filepath.Join(dir, file), text)
			}
			g, err := Init(t.Context(), dir, Options{Tools: clangtest.Tools(t)})
			if err != nil {
				t.Fatal(err)
			}
			p, err := project.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			test := ""
			for _, command := range p.Tests.Commands {
				test += command.Name
			}
			if got := strings.Join(p.Sources, " "); got != c.sources || strings.Join(p.Harness, " ") != c.harness || p.Tests.Dir != c.dir || test != c.test ||
				p.Tests.Writable != c.writable || p.Program != "my-program" {
				t.Errorf("%+v\n%s", p, g.Text())
			}
			if got := strings.Join(p.Flags, " "); got != c.flags {
				t.Errorf("flags %q, want %q", got, c.flags)
			}
			if _, err := Init(t.Context(), dir, Options{Tools: clangtest.Tools(t)}); exit.Of(err) != exit.Output {
				t.Errorf("a second time: %v", err)
			}
			if _, err := Init(t.Context(), dir, Options{Tools: clangtest.Tools(t), Replace: true}); err != nil {
				t.Errorf("a second time, with leave: %v", err)
			}
		})
	}
}

func TestFoldersWithoutAProgramAreRefused(t *testing.T) {
	empty, library := t.TempDir(), t.TempDir()
	testfile.Write(t, filepath.Join(library, "f.c"), "int f(void) { return 1; }\n")
	for want, dir := range map[string]string{"no C file": empty, "defines main": library, "not a folder": filepath.Join(library, "f.c")} {
		if _, err := Init(t.Context(), dir, Options{Tools: clangtest.Tools(t)}); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if paths.Exist(filepath.Join(dir, project.File)) {
			t.Errorf("%s: a project file was written", want)
		}
	}
}

func FuzzProjectFilesAreWrittenAsTheyAreRead(f *testing.F) {
	f.Add("a", "\"", "\\\n", 3)
	f.Add("ü", "\x00\x7f", "# x", 0)
	f.Fuzz(func(t *testing.T, name, a, b string, status int) {
		for _, s := range []*string{&name, &a, &b} {
			*s = strings.ToValidUTF8(*s, "?")
		}
		g := &Guess{Why: map[string]string{"sources": "why"}, Notes: []string{"two\nlines"}}
		g.Project = project.Project{Program: name, Sources: []string{a, b, "c", "d", "e"}, Flags: []string{b},
			Tests: project.Tests{Dir: a, Writable: true, Commands: []project.Command{{Name: name, Args: []string{a, b}, Status: &status, Input: b}}}}
		var back project.Project
		if err := toml.Unmarshal(g.Text(), &back); err != nil {
			t.Fatalf("%v\n%s", err, g.Text())
		}
		c := back.Tests.Commands[0]
		if back.Program != name || !slices.Equal(back.Sources, g.Project.Sources) || back.Flags[0] != b || back.Tests.Dir != a ||
			!slices.Equal(c.Args, []string{a, b}) || *c.Status != status || c.Input != b {
			t.Errorf("%+v became %+v", g.Project, back)
		}
	})
}

func FuzzCTestListsAreReadOrRefused(f *testing.F) {
	folder := f.TempDir()
	testfile.Extract(f, testfile.Read(f, filepath.Join("discovertest", "cmake.txtar")), folder)
	f.Add([]byte(testfile.Read(f, filepath.Join(folder, "replies", "ctest.json"))))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := readCTest(text); err != nil && exit.Of(err) != exit.Tool {
			t.Errorf("%v", err)
		}
	})
}
