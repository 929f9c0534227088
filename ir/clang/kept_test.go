package clang_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// ending are tools that refuse to work once end was called.
func ending(t *testing.T) (tools *clang.Toolchain, end func()) {
	t.Helper()
	folder := t.TempDir()
	ended := filepath.Join(folder, "ended")
	tools = toolchain(t)
	for _, tool := range []*string{&tools.Clang, &tools.Opt, &tools.Assemble} {
		script := filepath.Join(folder, filepath.Base(*tool))
		testfile.Write(t, script, fmt.Sprintf("#!/bin/sh\ntest ! -e %s && exec %s \"$@\"\n", ended, *tool))
		if err := os.Chmod(script, 0o755); err != nil {
			t.Fatal(err)
		}
		*tool = script
	}
	return tools, func() { testfile.Write(t, ended, "") }
}

// What is made of a text alone is made once, whatever the files are called, and again where
// anything of the question is another; what depends on headers or on the machine is made each time.
func TestWhatAToolMadeOfATextIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools, end := ending(t)
	const one, two = "define i32 @one() {\n  %a = add i32 1, 2\n  ret i32 %a\n}\n", "define i32 @two() {\n  ret i32 2\n}\n"
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		testfile.Write(t, path, text)
		return path
	}
	made := func(make func(out string) error) func() (string, error) {
		return func() (string, error) {
			out := filepath.Join(t.TempDir(), "out")
			if err := make(out); err != nil {
				return "", err
			}
			text, err := os.ReadFile(out)
			return string(text), err
		}
	}
	object := func(name, text string, flags ...string) func() (string, error) {
		return made(func(out string) error { return tools.Object(t.Context(), out, file(name, text), flags) })
	}
	optimize := func(text, passes string) func() (string, error) {
		return func() (string, error) {
			out, err := tools.Optimize(t.Context(), "text", []byte(text), passes)
			return string(out), err
		}
	}
	assemble := func(text string) func() (string, error) {
		return made(func(out string) error { return tools.AssembleFile(t.Context(), "text", []byte(text), out) })
	}
	verify := func(text string) func() (string, error) {
		return func() (string, error) { return "", tools.Verify(t.Context(), "text", []byte(text)) }
	}
	kept := map[string]func() (string, error){
		"an object": object("a.ll", one), "with flags": object("a.ll", one, "-O0", "-lm", "-L/usr/lib", "-DX=1"),
		"passes": optimize(one, "instcombine"), "bitcode": assemble(one), "a verdict": verify(one),
	}
	first := map[string]string{}
	for what, make := range kept {
		text, err := make()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		first[what] = text
	}
	again := map[string]func() (string, error){
		"another object": object("a.ll", two), "other flags": object("a.ll", one, "-O0"), "C": object("a.c", "int x;\n"),
		"for this processor": object("a.ll", one, "-march=native"), "with a file": object("a.ll", one, "-DWITH="+file("p", "")),
		"other passes": optimize(one, "gvn"), "another text": optimize(two, "instcombine"), "other bitcode": assemble(two),
		"bitcode of what is not IR": assemble("no"), "a verdict on another": verify(two), "a verdict on what is not IR": verify("no"),
	}
	for _, what := range []string{"for this processor", "with a file", "C"} {
		if _, err := again[what](); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for _, what := range []string{"bitcode of what is not IR", "a verdict on what is not IR"} {
		if _, err := again[what](); err == nil {
			t.Fatalf("%s: no error", what)
		}
	}
	end()
	for what, make := range kept {
		if text, err := make(); err != nil || text != first[what] {
			t.Errorf("%s is not what was kept: %v", what, err)
		}
	}
	for what, make := range again {
		if _, err := make(); err == nil {
			t.Errorf("%s: the tool was not asked", what)
		}
	}
	t.Setenv(clang.CacheVariable, "off")
	for what, make := range kept {
		if _, err := make(); err == nil {
			t.Errorf("%s: without the cache the tool was not asked", what)
		}
	}
}
