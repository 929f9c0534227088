package toolcache_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/toolcache"
)

// What is kept for one tool, one environment and one question is not found for another.
func TestEachQuestionHasAFolderOfItsOwn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tool := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(tool, []byte("one"), 0o755); err != nil {
		t.Fatal(err)
	}
	folder := func(kind string, texts ...string) string { return toolcache.Folder(kind, []string{tool}, texts...) }
	first := folder("a", "-v", "x")
	if info, err := os.Stat(first); err != nil || !info.IsDir() || folder("a", "-v", "x") != first {
		t.Fatalf("no folder that stays: %q, %v", first, err)
	}
	seen := map[string]bool{first: true}
	differs := func(what, folder string) {
		t.Helper()
		if folder == "" || seen[folder] {
			t.Errorf("%s: the folder %q is another's", what, folder)
		}
		seen[folder] = true
	}
	differs("another kind", folder("b", "-v", "x"))
	differs("words in other places", folder("a", "-vx"))
	differs("more words", folder("a", "-v", "x", ""))
	t.Setenv("CPATH", "/elsewhere")
	differs("another search path", folder("a", "-v", "x"))
	if err := os.Chtimes(tool, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	differs("a newer tool", folder("a", "-v", "x"))
}

func TestNothingIsKeptWhereThereIsNoCacheOrNoTool(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if folder := toolcache.Folder("a", []string{filepath.Join(t.TempDir(), "none")}); folder != "" {
		t.Errorf("of a tool that is not there: %q", folder)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	if folder := toolcache.Folder("a", nil); folder != "" {
		t.Errorf("of a cache that is a file: %q", folder)
	}
}
