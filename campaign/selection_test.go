package campaign

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/rank"
)

// A ranking of the first three mutants is run: just those have verdicts, the same
// as when all are run, and the others stay in the record.
func TestOnlyTheMutantsOfARankingAreRun(t *testing.T) {
	c := grade(t)
	p, err := program.Load(t.Context(), clangtest.Tools(t), c.Inputs, program.LoadOptions{Mutation: programtest.Rules("ROR")})
	if err != nil {
		t.Fatal(err)
	}
	top, err := predict.ParseTop("3")
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := rank.Order(t.Context(), rank.OfProgram(p, nil), rank.Options{Strategy: predict.SDL, Top: top})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := ranking.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ranking.json")
	testfile.Write(t, file, text.String())
	only, err := ReadSelection(file)
	if err != nil {
		t.Fatal(err)
	}
	record := func(only *Selection) (killed map[string]int, all int, option string) {
		out := t.TempDir()
		dir := filepath.Join(out, "run")
		if _, err := Record(t.Context(), buildtest.Builder(t), c, dir, RecordOptions{Mutation: programtest.Rules("ROR"), Only: only}); err != nil {
			t.Fatal(err)
		}
		s := datasettest.First(t, out)
		killed = map[string]int{}
		for i, id := range s.Kills.Mutants() {
			killed[id] = s.Kills.Killed(i).Count()
		}
		return killed, s.Mutants.Rows(), s.Manifest.Options["only"]
	}
	whole, n, none := record(nil)
	part, all, option := record(only)
	if len(part) != 3 || all != n || none != "" || !strings.HasPrefix(option, "3 ids, sha256 ") {
		t.Errorf("%d mutants of %d were run, of %d in the whole record; option %q, and %q without", len(part), all, n, option, none)
	}
	for _, m := range ranking.Mutants {
		if got, known := part[m.ID]; !known || got != whole[m.ID] {
			t.Errorf("%s: killed by %d tests (known: %v), with all others by %d", m.ID, got, known, whole[m.ID])
		}
	}
	if _, err := Record(t.Context(), buildtest.Builder(t), c, filepath.Join(t.TempDir(), "run"), RecordOptions{Only: &Selection{map[string]bool{"gone": true}}}); exit.Of(err) != exit.Input {
		t.Errorf("a selection of another program: %v", err)
	}
}

func TestASelectionIsARankingOrIDs(t *testing.T) {
	for text, want := range map[string]string{
		"# of yesterday\n\n  b \na\na\n":               "a b",
		`{"mutants":[{"id":"x","rank":1},{"id":"y"}]}`: "x y",
	} {
		got, err := parseSelection([]byte(text))
		if err != nil || strings.Join(slices.Sorted(maps.Keys(got)), " ") != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"a b\n":                  "line 1",
		`{"mutants":[{"id":1}]}`: "ranking",
		`{"mutants":[{}]}`:       "mutant 1 has no id",
		"":                       "names no mutant",
		`{"programs":[]}`:        "names no mutant",
	} {
		file := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSelection(file); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ReadSelection(filepath.Join(t.TempDir(), "none")); exit.Of(err) != exit.Input {
		t.Errorf("no file: %v", err)
	}
}

func FuzzParseSelection(f *testing.F) {
	f.Add([]byte(`{"mutants":[{"id":"x"}]}`))
	f.Add([]byte("a\n#b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		ids, err := parseSelection(text)
		if err != nil && ids != nil {
			t.Errorf("%q: ids %v and error %v", text, ids, err)
		}
		for id := range ids {
			if id == "" {
				t.Errorf("%q: an empty id", text)
			}
		}
	})
}
