package clang_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// parts are the files of a program in all the forms that are linked, and flags to link them with.
func parts(t *testing.T, tools *clang.Toolchain) (folder string, inputs, flags []string) {
	t.Helper()
	folder = t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	testfile.Write(t, at("main.c"), "#include <math.h>\nint one(int), two(int);\nint main(int argc, char **argv) { return one(argc) + two(argc) + (int)sqrt(argc + 3.0); }\n")
	testfile.Write(t, at("one.c"), "int one(int n) { return n * 3; }\n")
	testfile.Write(t, at("two.c"), "int two(int n) { return n + 40; }\n")
	text, err := tools.Compile(t.Context(), at("one.c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, at("one.ll"), string(text))
	if err := tools.Object(t.Context(), at("two.o"), at("two.c"), nil); err != nil {
		t.Fatal(err)
	}
	return folder, []string{at("main.c"), at("one.ll"), at("two.o")}, []string{"-lm", "-pthread", `-Wl,-rpath,/some "where" \else`}
}

func TestAProgramIsLinkedAsClangItselfLinksIt(t *testing.T) {
	tools := toolchain(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder, inputs, flags := parts(t, tools)
	whole := filepath.Join(folder, "whole")
	if said, err := exec.Command(tools.Clang, append(append([]string{"-O1", "-w", "-o", whole}, inputs...), flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"asked", "kept"} {
		out := filepath.Join(folder, what)
		if err := tools.Link(t.Context(), out, inputs, flags); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("how to link was %s: the program is another than clang's", what)
		}
	}
}

// compilingOnly are tools whose clang, once the file is there, does no more than make one object of
// one input.
func compilingOnly(t *testing.T, file string) *clang.Toolchain {
	t.Helper()
	tools := *toolchain(t)
	path := filepath.Join(t.TempDir(), "clang-14")
	testfile.Write(t, path, fmt.Sprintf(`#!/bin/sh
case " $* " in *" -c "*) ;; *) test ! -e %s || { echo no more than an object >&2; exit 1; } ;; esac
exec %s "$@"
`, file, tools.Clang))
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	tools.Clang = path
	return &tools
}

func TestHowToLinkIsAskedOnce(t *testing.T) {
	cache, only := t.TempDir(), filepath.Join(t.TempDir(), "only")
	t.Setenv("XDG_CACHE_HOME", cache)
	tools := compilingOnly(t, only)
	folder, inputs, flags := parts(t, tools)
	link := func() error { return tools.Link(t.Context(), filepath.Join(folder, "out"), inputs, flags) }
	if err := link(); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, only, "")
	if err := link(); err != nil {
		t.Errorf("with what was kept: %v", err)
	}
	if err := tools.Link(t.Context(), filepath.Join(folder, "out"), inputs, []string{"-lm"}); err == nil || !strings.Contains(err.Error(), "no more than an object") {
		t.Errorf("with other flags: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := link(); err == nil || !strings.Contains(err.Error(), "no more than an object") {
		t.Errorf("with nothing kept: %v", err)
	}
}

// A linker that is updated may have its files elsewhere.
func TestAKeptLinkThatHasBecomeWrongIsForgotten(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools := toolchain(t)
	folder, inputs, flags := parts(t, tools)
	out := filepath.Join(folder, "out")
	for name, spoil := range map[string]func(text string) string{
		"a file that is gone": func(text string) string { return strings.ReplaceAll(text, "crt1.o", "crt0.o") },
		"half a file":         func(text string) string { return text[:len(text)/2] },
	} {
		if err := tools.Link(t.Context(), out, inputs, flags); err != nil {
			t.Fatal(err)
		}
		kept := clang.KeptLinker(tools, flags)
		text, ok := kept.Read()
		if !ok {
			t.Fatalf("%s: no command is kept", name)
		}
		kept.Write([]byte(spoil(string(text))))
		os.Remove(out)
		if err := tools.Link(t.Context(), out, inputs, flags); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, ok := kept.Read(); ok && string(now) != string(text) {
			t.Errorf("%s: it is still kept", name)
		}
	}
}

func TestOfALinkThatFailsClangsWordsAreTold(t *testing.T) {
	folder := t.TempDir()
	source := filepath.Join(folder, "lonely.c")
	testfile.Write(t, source, "int missing(void);\nint main(void) { return missing(); }\n")
	err := toolchain(t).Link(t.Context(), filepath.Join(folder, "out"), []string{source}, nil)
	if err == nil || !strings.Contains(err.Error(), "undefined reference to `missing'") || !strings.Contains(err.Error(), "clang: error: linker command failed") {
		t.Errorf("got %v", err)
	}
}
