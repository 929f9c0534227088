// Package datasettest reads the histories that tests make.
package datasettest

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// First reads the first run folder below a folder.
func First(t testing.TB, out string) *dataset.Subject {
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

// Runs are the paths of a history's runs.
func Runs(t testing.TB, history string) []string {
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

// Hash identifies what a history holds for those who read it.
func Hash(t testing.TB, history string) string {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	return h.Hash()
}

// Kills reads the kill matrix of a run folder.
func Kills(t testing.TB, folder string) *kill.Matrix {
	t.Helper()
	m, err := kill.Read(filepath.Join(folder, dataset.KillsFile), kill.Everything)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// SameVerdicts holds a record made with probing runs to one made without, and
// returns how many pairs are reached and how many of them were not run.
func SameVerdicts(t testing.TB, probed, all *kill.Matrix) (reached, skipped int) {
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
