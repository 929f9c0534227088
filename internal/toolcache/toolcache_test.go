package toolcache

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func keeps(t *testing.T, e *Entry, want string) {
	t.Helper()
	if got, ok := e.Read(); !ok || string(got) != want {
		t.Errorf("%q is kept (%v), not %q", got, ok, want)
	}
}

// What is kept for one tool, one environment and one question is not found for another.
func TestEachQuestionHasAnAnswerOfItsOwn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tool := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(tool, []byte("one"), 0o755); err != nil {
		t.Fatal(err)
	}
	of := func(kind string, texts ...string) *Entry { return Of(kind, []string{tool}, texts...) }
	first := of("a", "-v", "x")
	if _, ok := first.Read(); ok {
		t.Error("there is an answer before the first")
	}
	first.Write([]byte("said"))
	keeps(t, of("a", "-v", "x"), "said")
	first.Write(nil)
	keeps(t, first, "")
	differs := func(what string, e *Entry) {
		t.Helper()
		if content, ok := e.Read(); e == nil || ok {
			t.Errorf("%s: it has the answer %q", what, content)
		}
		e.Write([]byte(what))
		keeps(t, first, "")
	}
	differs("another kind", of("b", "-v", "x"))
	differs("words in other places", of("a", "-vx"))
	differs("more words", of("a", "-v", "x", ""))
	t.Setenv("CPATH", "/elsewhere")
	differs("another search path", of("a", "-v", "x"))
	if err := os.Chtimes(tool, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	differs("a newer tool", of("a", "-v", "x"))
	first.Remove()
	if _, ok := first.Read(); ok {
		t.Error("what was forgotten is there")
	}
}

func TestWhatIsNotWholeIsNotAnAnswer(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	e := Of("a", nil, "x")
	content := bytes.Repeat([]byte("a compiler's words, "), 1000)
	e.Write(content)
	keeps(t, e, string(content))
	whole, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		spoiled := bytes.Clone(whole)
		if rand.IntN(2) == 0 {
			spoiled = spoiled[:rand.IntN(len(whole))]
		} else {
			spoiled[rand.IntN(len(whole))] ^= 1 << rand.IntN(8)
		}
		if err := os.WriteFile(e.path, spoiled, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := e.Read(); ok && !bytes.Equal(got, content) {
			t.Fatalf("of %d bytes %x are read as %.40q", len(whole), spoiled, got)
		}
	}
}

func TestNothingIsKeptWhereThereIsNoCacheOrNoTool(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if e := Of("a", []string{filepath.Join(t.TempDir(), "none")}); e != nil {
		t.Errorf("of a tool that is not there: %v", e)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	e := Of("a", nil)
	e.Write([]byte("x"))
	e.Remove()
	if _, ok := e.Read(); e != nil || ok {
		t.Errorf("of a cache that is a file: %v", e)
	}
}

// A cache stays below its bound, and what was asked for last stays.
func TestWhatNobodyAsksForGoesFirst(t *testing.T) {
	defer func(before int64) { bounds.most = before }(bounds.most)
	bounds.most = 16 << 10
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	random := rand.NewChaCha8([32]byte{})
	entry := func(i int) *Entry { return Of("a", nil, fmt.Sprint(i)) }
	for i := range 200 {
		content := make([]byte, 500) // that no compression makes smaller
		random.Read(content)
		e := entry(i)
		e.Write(content)
		keeps(t, e, string(content))
		old := time.Now().Add(time.Duration(i-1000) * time.Second)
		if err := os.Chtimes(e.path, old, old); err != nil {
			t.Fatal(err)
		}
		if _, ok := entry(0).Read(); !ok {
			t.Fatalf("after %d the first, which is asked for each time, is gone", i)
		}
		entries, err := os.ReadDir(filepath.Dir(e.path))
		if size := int64(len(entries)) * 500; err != nil || size > bounds.most {
			t.Fatalf("%d bytes are kept, %v", size, err)
		}
	}
	if _, ok := entry(199).Read(); !ok {
		t.Error("the last is gone")
	}
	if _, ok := entry(100).Read(); ok {
		t.Error("one that nobody asked for is there")
	}
	big := make([]byte, 2<<10)
	random.Read(big)
	e := Of("big", nil)
	e.Write(big)
	if _, ok := e.Read(); ok {
		t.Error("one is kept that takes an eighth of all")
	}
}

// Of what a killed process was writing nothing stays; of what another is writing, all.
func TestWhatWasNeverFinishedGoes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	e := Of("a", nil)
	folder := filepath.Dir(e.path)
	old, young := filepath.Join(folder, unfinished+"1"), filepath.Join(folder, unfinished+"2")
	for path, age := range map[string]time.Duration{old: 2 * stale, young: 0} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	e.Write([]byte("whole"))
	keeps(t, e, "whole")
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old one: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the young one: %v", err)
	}
}
