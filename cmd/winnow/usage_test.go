package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/project"
)

const repository = "../.."

func usage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "usage.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns the fenced blocks of a document that are marked as a language.
func blocks(document, language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(document, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestTheCommandsOfTheManualWork runs the manual's shell blocks one after the
// other, on short programs with the names of the examples.
func TestTheCommandsOfTheManualWork(t *testing.T) {
	dir := t.TempDir()
	shortPrograms(t, filepath.Join(dir, "examples"))
	scripts := blocks(usage(t), "sh")
	if len(scripts) < 5 {
		t.Fatalf("the manual has %d shell blocks", len(scripts))
	}
	for _, script := range scripts {
		cmd := exec.Command("sh", "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s%v", script, out, err)
		}
	}
}

// fileBegins is a line of testdata/manual.txtar that begins a file. The names of tests
// have no folder: a file of tests is such an archive itself.
var fileBegins = regexp.MustCompile(`(?m)^-- (\w+/\S+) --\n`)

// shortPrograms writes the files of testdata/manual.txtar.
func shortPrograms(t *testing.T, to string) {
	t.Helper()
	text := testfile.Read(t, filepath.Join("testdata", "manual.txtar"))
	begins := fileBegins.FindAllStringSubmatchIndex(text, -1)
	for i, at := range begins {
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		testfile.Write(t, filepath.Join(to, text[at[2]:at[3]]), text[at[1]:end])
	}
}

func TestTheProjectFileOfTheManualIsOne(t *testing.T) {
	examples := blocks(usage(t), "toml")
	if len(examples) != 1 {
		t.Fatalf("%d project files in the manual", len(examples))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, project.File), []byte(examples[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sources) != 2 || len(p.Harness) != 1 || len(p.Tests.Commands) != 1 || p.Tests.Commands[0].Outputs[0] != "list.txt" || len(p.Flags) != 2 || len(p.Faults) != 1 || p.Faults[0].Replaces != "date.c" || p.Faults[0].Description == "" {
		t.Errorf("%+v", p)
	}
}

func TestTheManualNamesEveryCommandAndStrategy(t *testing.T) {
	text := usage(t)
	for _, cmd := range verbs() {
		if cmd.Name() != "version" && !strings.Contains(text, "winnow "+cmd.Name()) {
			t.Errorf("the manual does not name winnow %s", cmd.Name())
		}
	}
	for _, s := range predict.All() {
		if !strings.Contains(text, "| `"+s.Name+"`") {
			t.Errorf("the manual does not name strategy %s", s.Name)
		}
	}
}
