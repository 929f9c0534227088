package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// leftOut holds what a run left out as equal to something to another run of the same project with
// the same tests, which left nothing out: an equivalent mutant may be killed by no test, and a duplicate by the tests
// alone that kill the mutant that it equals, as far as these have verdicts of both.
func leftOut(run, all string, out io.Writer) error {
	s, err := loaded(run, dataset.RemovedFile)
	if err != nil {
		return err
	}
	whole, err := loaded(all)
	if err != nil {
		return err
	}
	return held(s.Manifest.Name(), s.Removed, whole.Kills, out)
}

// held prints how many of the mutants that were left out are what they were called, by the verdicts
// of all; an error where some are not.
func held(name string, removed *table.Table, all *kill.Matrix, out io.Writer) error {
	place := map[string]int{}
	for k, id := range all.Mutants() {
		place[id] = k
	}
	var columns [3][]string
	for i, name := range []string{"id", "kind", "of"} {
		var err error
		if columns[i], err = removed.Strings(name); err != nil {
			return err
		}
	}
	counts := map[string]int{}
	pairs, absent := 0, 0
	var wrong []string
	for i, id := range columns[0] {
		kind, of := columns[1][i], columns[2][i]
		if kind != equiv.Equivalent.String() && kind != equiv.Duplicate.String() {
			continue
		}
		k, there := place[id]
		other, same := place[of]
		if !there || kind == equiv.Duplicate.String() && !same {
			absent++
			continue
		}
		counts[kind]++
		for t, test := range all.Tests() {
			got, want := all.Cell(k, t).Verdict, matrix.Survived
			if kind == equiv.Duplicate.String() {
				want = all.Cell(other, t).Verdict
			}
			if got == matrix.Unknown || want == matrix.Unknown {
				continue
			}
			if pairs++; got != want {
				wrong = append(wrong, fmt.Sprintf("%s, %s of %q: %v by test %s, want %v", id, kind, of, got, test, want))
			}
		}
	}
	fmt.Fprintf(out, "%s: %d equivalent and %d duplicate mutants, %d not in the other run; %d pairs with tests, wrong: %d\n",
		name, counts[equiv.Equivalent.String()], counts[equiv.Duplicate.String()], absent, pairs, len(wrong))
	slices.Sort(wrong)
	for _, line := range wrong {
		fmt.Fprintln(out, line)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d verdicts are wrong", len(wrong))
	}
	return nil
}

// loaded is the only run of a folder, with its kills as they are on disk.
func loaded(folder string, files ...string) (*dataset.Subject, error) {
	h, err := dataset.OpenHistory(folder)
	if err != nil {
		return nil, err
	}
	if len(h.Runs) != 1 {
		return nil, fmt.Errorf("%s has %d runs, want one", folder, len(h.Runs))
	}
	s, err := h.Runs[0].Load(files...)
	if err != nil {
		return nil, err
	}
	s.Kills, err = kill.Read(filepath.Join(h.Runs[0].Dir, dataset.KillsFile), kill.Everything)
	return s, err
}
