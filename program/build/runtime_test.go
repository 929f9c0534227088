package build_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

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
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	compiled := runtimeOf(t, tools)
	kept, err := filepath.Glob(filepath.Join(cache, "winnow", "runtime", "*", "*.o"))
	if err != nil || len(kept) != len(compiled) {
		t.Fatalf("%d of %d objects are kept: %v", len(kept), len(compiled), err)
	}
	mark := []byte("from the cache")
	if err := os.WriteFile(kept[0], mark, 0o644); err != nil {
		t.Fatal(err)
	}
	if again := runtimeOf(t, tools); !bytes.Equal(again[filepath.Base(kept[0])], mark) {
		t.Error("an object in the cache is compiled again")
	}
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
