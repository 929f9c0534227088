package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAFileHasItsNameOnlyOnceItIsCommitted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("whole"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 1 || !Unfinished(got[0]) {
		t.Fatalf("before Commit the folder holds %v, want one unfinished file", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort() // as a deferred call does
	if data, err := os.ReadFile(path); err != nil || string(data) != "whole" {
		t.Fatalf("after Commit: %q, %v", data, err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Fatalf("after Commit the folder holds %v", got)
	}
	if err := f.Commit(); err == nil {
		t.Error("a second Commit gives no error")
	}
}

func TestWhatAKilledWriterLeftGoesAndWhatAnotherWritesStays(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	left := []string{Prefix + "a.txt-123", Prefix + "a.txt-mine", Prefix + "b.txt-123"}
	for _, name := range left {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := other.Commit(); err != nil {
		t.Errorf("of two that write one file the first: %v", err)
	}
	if got, want := names(t, dir), append(left[1:], "a.txt"); len(got) != len(want) {
		t.Errorf("there is %v, want %v", got, want)
	}
}

func TestAnAbortedFileLeavesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	f.Abort()
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("after Abort the file reads %q, want old", data)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("after Abort the folder holds %v", got)
	}
}

func TestWritingIntoAMissingFolderIsAnError(t *testing.T) {
	if err := Write(filepath.Join(t.TempDir(), "none", "a.txt"), nil); err == nil {
		t.Error("no error")
	}
}
