package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/winnow-mutants/winnow/internal/deep"
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
// other, on short programs with the names of the examples or, where everything is asked
// for, on the examples with fewer tests and faults.
func TestTheCommandsOfTheManualWork(t *testing.T) {
	dir := t.TempDir()
	if examples := filepath.Join(dir, "examples"); deep.Asked() {
		smallExamples(t, examples)
	} else {
		shortPrograms(t, examples)
	}
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

// revealing is a test that reveals the fault that smallExamples keeps, of the program
// from which the manual makes a pair.
var revealing = map[string]string{"bst": "026-deep-next-ranks"}

// smallExamples copies the examples that the manual names with one test in
// sixteen of their file, those that are revealing, and one fault each; and the
// tests of the folder, where there is one, which the manual copies.
func smallExamples(t *testing.T, to string) {
	t.Helper()
	for _, name := range []string{"bst", "calendar", "justify", "uncomment"} {
		from := filepath.Join(repository, "examples", name)
		p, err := project.Open(from)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("program = %q\nsources = [%q]\n[tests]\nfile = \"tests.txt\"\n", p.Program, p.Sources[0])
		copyFile(t, from, filepath.Join(to, name), p.Sources[0])
		for _, f := range p.Faults[:1] {
			text += fmt.Sprintf("[[faults]]\nname = %q\nsource = %q\n", f.Name, f.Source)
			copyFile(t, from, filepath.Join(to, name), f.Source)
		}
		all, err := txtar.ParseFile(filepath.Join(from, p.Tests.File))
		if err != nil {
			t.Fatal(err)
		}
		var few txtar.Archive
		for i, part := range all.Files {
			if test, _, _ := strings.Cut(part.Name, "."); i/2%16 == 0 || test == revealing[name] {
				few.Files = append(few.Files, part)
			}
		}
		if err := os.WriteFile(filepath.Join(to, name, p.Tests.File), txtar.Format(&few), 0o644); err != nil {
			t.Fatal(err)
		}
		if p.Tests.Dir != "" {
			if err := os.CopyFS(filepath.Join(to, name, p.Tests.Dir), os.DirFS(filepath.Join(from, p.Tests.Dir))); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(to, name, project.File), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
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
