package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func toolchain(t testing.TB) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func newBuilder(t *testing.T) *build.Builder {
	t.Helper()
	b, err := build.New(t.Context(), toolchain(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// load reads the first run folder below a folder.
func load(t *testing.T, out string) *dataset.Subject {
	t.Helper()
	h, err := dataset.OpenHistory(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// comparisons are the mutants of these tests, which are about what is done with
// mutants and not about which there are.
var comparisons = func() program.Mutation {
	rules, err := rule.Lookup("ROR,CRCR,sdl")
	if err != nil {
		panic(err) // the presets exist
	}
	return program.Mutation{Rules: rules}
}()

// hashOf identifies what a history holds for those who read it.
func hashOf(t *testing.T, history string) string {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	return h.Hash()
}

func runsOf(t *testing.T, history string) []string {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range h.Runs {
		out = append(out, r.Path)
	}
	return out
}

// killsOf reads the kill matrix of a run folder.
func killsOf(t testing.TB, folder string) *kill.Matrix {
	t.Helper()
	m, err := kill.Read(filepath.Join(folder, dataset.KillsFile), kill.Everything)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sameVerdicts holds a record made with probing runs to one made without, and
// returns how many pairs are reached and how many of them were not run.
func sameVerdicts(t testing.TB, probed, all *kill.Matrix) (reached, skipped int) {
	t.Helper()
	for m, id := range all.Mutants() {
		for test, name := range all.Tests() {
			with, without := probed.Cell(m, test), all.Cell(m, test)
			with.Micros, without.Micros = 0, 0
			if with.Cause == matrix.NotInfected {
				with.Cause = matrix.NoCause
				skipped++
			}
			if with != without {
				t.Errorf("mutant %s, test %s: %+v with probing runs, %+v without", id, name, with, without)
			}
			if probed.Killed(m).Get(test) && !probed.Infected(m).Get(test) || probed.Infected(m).Get(test) && !probed.Reached(m).Get(test) {
				t.Errorf("mutant %s, test %s: killed %v, infected %v, reached %v", id, name,
					probed.Killed(m).Get(test), probed.Infected(m).Get(test), probed.Reached(m).Get(test))
			}
			if probed.Reached(m).Get(test) != all.Reached(m).Get(test) {
				t.Errorf("mutant %s, test %s: probing changes what is reached", id, name)
			}
			if all.Reached(m).Get(test) {
				reached++
			}
		}
	}
	return reached, skipped
}

// gradeSource is a program whose killing tests can be read off it.
const gradeSource = `#include <stdio.h>

int main(void) {
  int points;
  while (scanf("%d", &points) == 1)
    puts(points >= 50 ? "pass" : "fail");
  return 0;
}
`

// gradePair is a folder with a pair of which one test tells the faulty version, "above".
func gradePair(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "above", "faulty", "grade.c"), strings.Replace(gradeSource, ">= 50", "> 50", 1))
	writeFile(t, filepath.Join(folder, "above", "fixed", "grade.c"), gradeSource)
	for test, text := range map[string]string{"a": "49", "b": "50"} {
		writeFile(t, filepath.Join(folder, "above", "tests", test+".in"), text)
	}
	return folder
}
