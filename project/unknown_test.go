package project_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/project"
)

// A key that stands in each of hundreds of tests is told once, with where it belongs.
func TestAnUnknownKeyIsToldOnceWithWhereItBelongs(t *testing.T) {
	dir := t.TempDir()
	text := "program = \"p\"\nsorces = [\"a.c\"]\n" + strings.Repeat("[[tests.command]]\nname = \"a\"\ncompare = \"both\"\n", 3)
	testfile.Write(t, filepath.Join(dir, project.File), text)
	_, err := project.Open(dir)
	want := "unknown keys: sorces (line 2); tests.command.compare (line 5, and 2 more); there is build.compare, tests.compare, faults.tests.compare"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
