package build_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program/build"
)

// TestTheRuntimeIsCompiledOnceAndAgainWhereTheCacheIsOfNoUse builds with an empty cache,
// from it, and without one.
func TestTheRuntimeIsCompiledOnceAndAgainWhereTheCacheIsOfNoUse(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ended := filepath.Join(t.TempDir(), "ended")
	testfile.Write(t, filepath.Join(filepath.Dir(ended), "clang"), fmt.Sprintf("#!/bin/sh\ntest ! -e %s && exec %s \"$@\"\n", ended, tools.Clang))
	tools.Clang = filepath.Join(filepath.Dir(ended), "clang")
	if err := os.Chmod(tools.Clang, 0o755); err != nil {
		t.Fatal(err)
	}
	compiled := runtimeOf(t, tools)
	testfile.Write(t, ended, "")
	if diff := cmp.Diff(compiled, runtimeOf(t, tools)); diff != "" {
		t.Errorf("from the cache (-compiled +kept):\n%s", diff)
	}
	os.Remove(ended)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", blocked)
	for name, object := range runtimeOf(t, tools) {
		if !bytes.Equal(object, compiled[name]) {
			t.Errorf("%s is another object without a cache", name)
		}
	}
}

// runtimeOf returns the objects that a new builder has, by their names.
func runtimeOf(t *testing.T, tools *clang.Toolchain) map[string][]byte {
	t.Helper()
	b, err := build.New(t.Context(), tools, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, path := range b.Runtime {
		object, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = object
	}
	return out
}
