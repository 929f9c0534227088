package importer

import (
	"bytes"
	"context"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// filesOf are the files of a history by path within, but for what imports note of
// themselves.
func filesOf(t *testing.T, history string) map[string]string {
	t.Helper()
	out := testfile.Below(t, history)
	delete(out, effortFile)
	return out
}

// age gives the runs of a history the features of an older winnow: one that lacks
// some columns, means something else by another, and has one that is gone.
func age(t *testing.T, history string) {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	for i := range h.Runs {
		s, err := h.Runs[i].Load(dataset.FeaturesFile, dataset.ProbeFile)
		if err != nil {
			t.Fatal(err)
		}
		var schema table.Schema
		var columns []any
		for k, c := range s.Features.Schema() {
			if k == 0 {
				ids, _ := s.Features.Strings("id")
				schema, columns = append(schema, c), append(columns, ids)
				continue
			}
			if k%7 == 3 {
				continue
			}
			if k == 2 {
				c.Doc = "what it was"
			}
			values, _ := s.Features.Floats(c.Name)
			schema, columns = append(schema, c), append(columns, values)
		}
		gone := make([]float64, s.Features.Rows())
		former, err := table.FromColumns(append(schema, table.Column{Name: "gone", Type: table.Float64}), append(columns, gone)...)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Runs[i].ReplaceFeatures(former, agedProbe(t, s.Probe), "0.1"); err != nil {
			t.Fatal(err)
		}
	}
}

// agedProbe is a probe without its last column.
func agedProbe(t *testing.T, probe *table.Table) *table.Table {
	t.Helper()
	columns, err := columnsOfProbe(probe)
	if err != nil {
		t.Fatal(err)
	}
	former, err := table.FromColumns(dataset.ProbeSchema()[:len(columns)], columns...)
	if err != nil {
		t.Fatal(err)
	}
	return former
}

// imported are the files of a history of the benchmark, which the first test that
// needs them records.
var imported struct {
	sync.Once
	files map[string]string
}

// agedHistory is a history, its files as they were imported, and what it was
// imported from.
func agedHistory(t *testing.T) (bench, history string, fresh map[string]string) {
	t.Helper()
	bench, history = benchmark(t), t.TempDir()
	imported.Do(func() {
		folder := t.TempDir()
		if _, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, folder, Options{Mutation: programtest.Rules("ROR,CRCR,sdl"), Tool: "0.2"}); err != nil {
			t.Fatal(err)
		}
		imported.files = filesOf(t, folder)
	})
	for path, text := range imported.files {
		testfile.Write(t, filepath.Join(history, path), text)
	}
	age(t, history)
	return bench, history, imported.files
}

func renewOptions() RenewOptions {
	return RenewOptions{Mutation: programtest.Rules("ROR,CRCR,sdl"), MaxUnmade: 0.1, Tool: "0.2"}
}

func TestRenewedFeaturesAreThoseOfAFreshImport(t *testing.T) {
	bench, history, fresh := agedHistory(t)
	if maps.Equal(filesOf(t, history), fresh) {
		t.Fatal("the history did not age")
	}
	sum, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, renewOptions())
	if err != nil || sum.Err() != nil {
		t.Fatal(err, sum.Err())
	}
	if sum.Renewed != 4 || sum.Current != 0 || sum.Unmade != 0 || sum.Mutants == 0 {
		t.Errorf("%+v", sum)
	}
	for path, text := range filesOf(t, history) {
		if fresh[path] != text {
			t.Errorf("%s is not what an import writes", path)
		}
	}
	again, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, renewOptions())
	if err != nil || again.Renewed != 0 || again.Current != 4 || !maps.Equal(filesOf(t, history), fresh) {
		t.Errorf("renewed twice: %+v, %v", again, err)
	}
}

func TestARenewalThatIsInterruptedGoesOnWhereItStopped(t *testing.T) {
	bench, history, fresh := agedHistory(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RenewCodeflaws(ctx, clangtest.Tools(t), bench, history, renewOptions()); exit.Of(err) != exit.Interrupted {
		t.Errorf("interrupted: %v", err)
	}
	// One subject of which nothing is left but its recorded run is named, the
	// others are renewed; with its sources back it is the only one left to do.
	hidden := filepath.Join(bench, "2-B-bug-21-22")
	if err := os.Rename(hidden, hidden+"-hidden"); err != nil {
		t.Fatal(err)
	}
	sum, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, renewOptions())
	if err != nil || sum.Renewed != 3 || len(sum.Left) != 1 || !strings.Contains(sum.Left[0], "2-B-bug-21-22") || exit.Of(sum.Err()) != exit.Input {
		t.Errorf("%+v, %v", sum, err)
	}
	if _, err := dataset.OpenHistory(history); err == nil || !strings.Contains(err.Error(), "have other columns") {
		t.Errorf("a history with two sets of columns: %v", err)
	}
	if err := os.Rename(hidden+"-hidden", hidden); err != nil {
		t.Fatal(err)
	}
	sum, err = RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, renewOptions())
	if err != nil || sum.Renewed != 1 || sum.Current != 3 || !maps.Equal(filesOf(t, history), fresh) {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestMutantsThatAreNoLongerMadeKeepWhatIsKnownOfThem(t *testing.T) {
	bench, history, _ := agedHistory(t)
	aged := filesOf(t, history)
	rules, err := rule.Lookup("ROR,CRCR")
	if err != nil {
		t.Fatal(err)
	}
	opts := renewOptions()
	opts.Mutation = program.Mutation{Rules: rules}
	sum, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, opts)
	if err != nil || len(sum.Left) != 4 || !strings.Contains(sum.Left[0], "are not made today") || !maps.Equal(filesOf(t, history), aged) {
		t.Fatalf("more unmade than allowed: %+v, %v", sum, err)
	}
	former := datasettest.First(t, filepath.Join(history, "1-A-bug-11-12"))
	opts.MaxUnmade, opts.Tool = 1, "0.3"
	sum, err = RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, opts)
	if err != nil || sum.Renewed != 4 || sum.UnmadeIn != 4 || sum.Unmade == 0 || sum.Unmade >= sum.Mutants {
		t.Fatalf("%+v, %v", sum, err)
	}
	s := datasettest.First(t, filepath.Join(history, "1-A-bug-11-12"))
	if s.Manifest.FeaturesTool != "0.3" || s.Manifest.Tool != "0.2" || s.Features.Rows() != s.Mutants.Rows() {
		t.Errorf("%+v with %d rows", s.Manifest, s.Features.Rows())
	}
	operators, _ := s.Mutants.Strings("rule")
	unmade := 0
	for row := range operators {
		missing := math.IsNaN(s.Features.Value(row, 3).(float64)) // a column that the former ones lack
		if missing != math.IsNaN(s.Features.Value(row, 2).(float64)) {
			t.Errorf("row %d: a column with another meaning is kept", row)
		}
		if !missing {
			continue
		}
		unmade++
		name := features.Schema()[1].Name
		was, _ := former.Features.Floats(name)
		if now, _ := s.Features.Floats(name); now[row] != was[row] || math.IsNaN(now[row]) {
			t.Errorf("row %d: %s was %v and is %v", row, name, was[row], now[row])
		}
		if !strings.HasPrefix(operators[row], "STMT!") {
			t.Errorf("row %d: a mutant of %s has no features", row, operators[row])
		}
	}
	if unmade == 0 {
		t.Error("no row is of an unmade mutant")
	}
}

func TestRenewingNeedsTheSourcesThatWereRecorded(t *testing.T) {
	bench, history, fresh := agedHistory(t)
	testfile.Write(t, filepath.Join(bench, "3-C-bug-31-32", "3-C-31.c"), "int main() { return 0; }\n")
	features := filepath.Join(history, "1-A-bug-11-12", dataset.FeaturesFile)
	whole, err := os.ReadFile(features)
	if err != nil {
		t.Fatal(err)
	}
	// What is damaged is made anew, for all its mutants are.
	testfile.Write(t, features, string(bytes.Repeat(whole[:8], 9)))
	testfile.Write(t, filepath.Join(history, "1-A-bug-13-14", dataset.FeaturesFile+".next"), "cut short")
	sum, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, history, renewOptions())
	if err != nil || sum.Renewed != 3 || len(sum.Left) != 1 || !strings.Contains(sum.Left[0], "3-C-bug-31-32/faulty: its sources are not those") {
		t.Errorf("%+v, %v", sum, err)
	}
	for path, text := range filesOf(t, history) {
		if !strings.Contains(path, "3-C") && fresh[path] != text {
			t.Errorf("%s is not what an import writes", path)
		}
	}
	if _, err := RenewCodeflaws(t.Context(), clangtest.Tools(t), bench, t.TempDir(), renewOptions()); exit.Of(err) != exit.Input {
		t.Errorf("an empty history: %v", err)
	}
}

func TestPairsAreRenewedToo(t *testing.T) {
	folder, history := projecttest.Pair(t), t.TempDir()
	if _, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{Record: campaign.RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl")}}); err != nil {
		t.Fatal(err)
	}
	fresh := filesOf(t, history)
	age(t, history)
	opts := renewOptions()
	opts.Tool = ""
	sum, err := RenewPairs(t.Context(), clangtest.Tools(t), folder, history, opts)
	if err != nil || sum.Renewed != 1 || !maps.Equal(filesOf(t, history), fresh) {
		t.Errorf("%+v, %v; files %v", sum, err, slices.Sorted(maps.Keys(filesOf(t, history))))
	}
}
