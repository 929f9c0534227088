package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const small = `int clamp(int n, int most) {
  if (n > most)
    return most;
  return n < 0 ? 0 : n * 1;
}
`

// cells are those of the last row that a run printed.
func cells(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(t.Context(), args, &out, &errs); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var list []string
	for cell := range strings.SplitSeq(strings.Trim(lines[len(lines)-1], "|"), "|") {
		list = append(list, strings.TrimSpace(cell))
	}
	return list
}

func TestRowsCountTheMutantsOfTheFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clamp.c")
	if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	once := cells(t, "-operators", "ROR,AOR", "-passes", "default", "clamp", file)
	if once[0] != "clamp" || once[1] != "default" || once[2] != "1" || once[3] != "0" || once[4] == "0" {
		t.Errorf("one file: %q", once)
	}
	figure := filepath.Join(t.TempDir(), "growth.svg")
	thrice := cells(t, "-operators", "ROR,AOR", "-passes", "default", "-copies", "1,3", "-svg", figure, "clamp", file)
	if thrice[0] != "clamp, 3 times" || thrice[2] != "3" {
		t.Errorf("three copies: %q", thrice)
	}
	if drawn, err := os.ReadFile(figure); err != nil || !bytes.Contains(drawn, []byte("<svg")) {
		t.Errorf("the figure: %v", err)
	}
	// In bulk all is found that one process a mutant finds.
	alone := cells(t, "-operators", "ROR,AOR", "-passes", "default", "-alone", "clamp", file)
	if alone[2] != once[4] || alone[3] == "0" || alone[3] != alone[4] || alone[5] != alone[4] {
		t.Errorf("compared twice: %q", alone)
	}
}

func TestWhatCannotBeMeasuredIsSaid(t *testing.T) {
	var out, errs bytes.Buffer
	for _, args := range [][]string{{"title"}, {"-passes", "none-such", "t", "f.c"}, {"-copies", "0", "t", "f.c"}, {"-operators", "none-such", "t", "f.c"}} {
		if err := run(t.Context(), args, &out, &errs); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
