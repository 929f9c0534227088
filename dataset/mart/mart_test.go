package mart

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
)

const (
	infos = `{"1": {"Type": "ARITH", "FuncName": "f", "IRPosInFunc": [3], "SrcLoc": "a:b.c:7:3"},
 "10": {"Type": "SDL", "FuncName": "f", "IRPosInFunc": [3], "SrcLoc": ""},
 "2": {"Type": "REL", "FuncName": "g", "IRPosInFunc": [0, 1], "SrcLoc": "x.c:9:1"}}`
	strong = "key t1 t2 t3\nmart_0:2 1 0 -1\nmart_0:10 0 0 1\n"
	weak   = "key t2 t3\nmart_0:2 0 1\nmart_0:10 1 0\n"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMartsMutantsAndMatricesAreRead(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"Mart":    {infosFile: infos, "SM.dat": strong, "WM.dat": weak},
		"Muteria": {infosFile: infos, "STRONG_MUTATION.csv": strong, "WEAK_MUTATION.csv": weak},
	} {
		s, err := Read(folder(t, files))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ids, _ := s.Mutants.Strings("id")
		places, _ := s.Mutants.Strings("file")
		if !slices.Equal(ids, []string{"1", "2", "10"}) || !slices.Equal(places, []string{"a:b.c", "x.c", ""}) {
			t.Errorf("%s: mutants %q in %q", name, ids, places)
		}
		for _, want := range []struct {
			mutant, test int
			verdict      matrix.Verdict
			cause        matrix.Cause
		}{
			{0, 0, matrix.Killed, matrix.Output}, {0, 1, matrix.Survived, matrix.NotInfected}, {0, 2, matrix.Unknown, matrix.NotRun},
			{1, 0, matrix.Survived, matrix.NoCause}, {1, 1, matrix.Survived, matrix.NoCause}, {1, 2, matrix.Killed, matrix.Output},
		} {
			if c := s.Kills.Cell(want.mutant, want.test); c.Verdict != want.verdict || c.Cause != want.cause {
				t.Errorf("%s: mutant %d, test %d: %v by %v", name, want.mutant, want.test, c.Verdict, c.Cause)
			}
		}
	}
}

func TestWhatDoesNotFitTogetherIsRefused(t *testing.T) {
	for reason, files := range map[string]map[string]string{
		"there is no matrix": {infosFile: infos},
		infosFile:            {"SM.dat": strong},
		"is not in":          {infosFile: `{"1": {}}`, "SM.dat": strong},
		"a number from 1":    {infosFile: `{"x": {}}`, "SM.dat": strong},
		"line 3 has 1 cells": {infosFile: infos, "SM.dat": "key a b\n1 0 0\n2 0\n"},
		"is no number":       {infosFile: infos, "SM.dat": "key a\n1 yes\n"},
		"key of its own":     {infosFile: infos, "SM.dat": "key a\nx:1 0\ny:1 0\n"},
		"no tests or no":     {infosFile: infos, "SM.dat": "key a\n"},
	} {
		if _, err := Read(folder(t, files)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

func FuzzAMatrixIsReadOrRefused(f *testing.F) {
	f.Add(strong)
	f.Add("a\nb\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMatrix(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range m.Keys {
			if len(m.Cells[i]) != len(m.Tests) {
				t.Errorf("mutant %s has %d cells for %d tests", m.Keys[i], len(m.Cells[i]), len(m.Tests))
			}
		}
	})
}
