package project_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestATestThatIsTheSameAsAnotherIsNamedAndLeftOut(t *testing.T) {
	dir := projecttest.Folder(t)
	testfile.Write(t, filepath.Join(dir, "tests", "z.in"), "49")
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := p.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	if c := cases[0]; len(c.Tests) != 3 || len(c.Repeated) != 1 || c.Repeated[0] != "z: it runs the program as a does" {
		t.Errorf("%d tests, %v", len(c.Tests), c.Repeated)
	}
}

func TestProjectFilesWithoutASenseAreRefused(t *testing.T) {
	for reason, text := range map[string]string{
		"there are no tests":     "[tests]\nwritable = true",
		"want output, exit":      "[tests]\ndir = \"t\"\ncompare = \"all\"",
		"a name of its own":      "[[tests.command]]\nname = \"a\"\n[[tests.command]]\nname = \"a\"",
		"tests.writable = true":  "[[tests.command]]\nname = \"a\"\noutputs = [\"o\"]",
		"none is compared":       "[tests]\nwritable = true\ncompare = \"exit\"\n[[tests.command]]\nname = \"a\"\noutputs = [\"o\"]",
		"ends with status 256":   "[[tests.command]]\nname = \"a\"\nstatus = 256",
		"outside of the project": "[[tests.command]]\nname = \"a\"\nfiles = [\"../x\"]",
		"which is not":           "harness = [\"a.c\"]\n[tests]\ndir = \"t\"",
		"unknown keys":           "[[tests.command]]\nname = \"a\"\nargz = []",
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, project.File), "program = \"p\"\nsources = [\"a.c\"]\n"+text)
		if _, err := project.Open(dir); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
