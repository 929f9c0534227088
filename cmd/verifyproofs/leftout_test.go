package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

func TestWhatWasLeftOutIsHeldToRuns(t *testing.T) {
	kills, err := kill.New([]string{"same", "other", "kept", "killed"}, []string{"one", "two"})
	if err != nil {
		t.Fatal(err)
	}
	for m, row := range []string{"--", "-k", "-k", "k-"} {
		for test, letter := range row {
			cell := kill.Cell{Verdict: matrix.Survived}
			if letter == 'k' {
				cell = kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}
			}
			if err := kills.Set(m, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	removed := func(rows ...string) *table.Table {
		out, err := table.New(dataset.RemovedSchema())
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := strings.Split(row, " ")
			if err := out.Append(f[0], f[1], f[2], "tce", "AOR", "ADD", "SUB", "ADD!SUB", "f", "a.c", int64(1), int64(1), "x", "y"); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	var out bytes.Buffer
	if err := held("demo", removed("same equivalent ", "other duplicate kept", "absent equivalent ", "killed undefined "), kills, &out); err != nil {
		t.Error(err)
	}
	if want := "demo: 1 equivalent and 1 duplicate mutants, 1 not in the other run; 4 pairs with tests, wrong: 0\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
	for _, wrong := range []string{"killed equivalent ", "killed duplicate kept"} {
		out.Reset()
		if err := held("demo", removed(wrong), kills, &out); err == nil || !strings.Contains(out.String(), "killed, "+strings.Fields(wrong)[1]) {
			t.Errorf("%s: %v, %q", wrong, err, out.String())
		}
	}
}
