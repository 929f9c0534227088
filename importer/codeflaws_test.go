package importer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program/programtest"
)

// benchmark lays out faults of two problems as Codeflaws does. Their names say
// what is to become of them.
func benchmark(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	// Each program adds one to what is below a bound; a fault moves the bound,
	// which as many tests reveal as inputs lie between the two.
	program := func(bound int) string {
		return fmt.Sprintf("#include <stdio.h>\nint main() { int x; scanf(\"%%d\", &x); printf(\"%%d\\n\", x < %d ? x + 1 : x); return 0; }\n", bound)
	}
	for id, bound := range map[string]int{
		"1-A-bug-11-12": 5,  // one of twelve inputs reveals it: hard
		"1-A-bug-13-14": 4,  // two
		"1-A-bug-15-16": 1,  // five: easy
		"2-B-bug-21-22": 5,  // hard
		"2-B-bug-23-24": 6,  // the same program: not revealed
		"2-B-bug-25-26": -1, // does not compile
		"3-C-bug-31-32": 4,  // hard
	} {
		var problem string
		var faulty, fixed int
		if _, err := fmt.Sscanf(id[3:], "-bug-%d-%d", &faulty, &fixed); err != nil {
			t.Fatal(err)
		}
		problem = id[:3]
		source := program(bound)
		if bound < 0 {
			source = "int main() { return nothing; }\n"
		}
		testfile.Write(t, filepath.Join(dir, id, fmt.Sprintf("%s-%d.c", problem, faulty)), source)
		testfile.Write(t, filepath.Join(dir, id, fmt.Sprintf("%s-%d.c", problem, fixed)), program(6))
		for i := range 12 {
			testfile.Write(t, filepath.Join(dir, id, fmt.Sprintf("input-pos%d", i+1)), fmt.Sprintln(i))
		}
	}
	return dir
}

func TestHardFaultsAreImportedAndTheOthersCountedByReason(t *testing.T) {
	history := t.TempDir()
	sum, err := Codeflaws(t.Context(), clangtest.Tools(t), benchmark(t), history, Options{Workers: 1, Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{"revealed by a quarter of the tests or more": 1, "not revealed": 1, "does not compile or run": 1}
	if sum.Imported != 4 || !reflect.DeepEqual(sum.LeftOut, left) || len(sum.Failed) > 0 || sum.Killed == 0 || sum.Killed > sum.Mutants {
		t.Errorf("summary %+v", sum)
	}
	if got, want := datasettest.Runs(t, history), []string{"1-A-bug-11-12", "1-A-bug-13-14", "2-B-bug-21-22", "3-C-bug-31-32"}; !slices.Equal(got, want) {
		t.Errorf("recorded %v, want %v", got, want)
	}
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	for i := range h.Runs {
		s, err := h.Runs[i].Load(dataset.FaultsFile)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"1-A-bug-11-12": 1, "1-A-bug-13-14": 2, "2-B-bug-21-22": 1, "3-C-bug-31-32": 2}[h.Runs[i].Path]
		if got := s.Faults.Revealing().Count(); got != want || len(s.Faults) != 12 {
			t.Errorf("%s: %d of %d tests reveal the fault, want %d of 12", h.Runs[i].Path, got, len(s.Faults), want)
		}
	}
}

func TestTheHistoryOfALimitedImportDoesNotDependOnWorkers(t *testing.T) {
	bench := benchmark(t)
	const limit = 2
	var hashes []string
	var sums []*Summary
	for _, workers := range []int{1, 3} {
		history := t.TempDir()
		sum, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, history, Options{Limit: limit, Workers: workers, Mutation: programtest.Rules("ROR,CRCR,sdl")})
		if err != nil {
			t.Fatal(err)
		}
		if got := datasettest.Runs(t, history); len(got) != limit || sum.Imported != limit {
			t.Errorf("%d workers: recorded %v, summary %+v", workers, got, sum)
		}
		if sum.Effort.CPU <= 0 || sum.Effort.Clock <= 0 {
			t.Errorf("%d workers: it took %+v", workers, sum.Effort)
		}
		sum.Surplus, sum.Effort = 0, effort{} // how far workers were ahead may differ
		hashes, sums = append(hashes, datasettest.Hash(t, history)), append(sums, sum)
	}
	if hashes[0] != hashes[1] || !reflect.DeepEqual(sums[0], sums[1]) {
		t.Errorf("histories %v, summaries %+v", hashes, sums)
	}
}

func TestAnInterruptedImportGoesOnToTheHistoryItWouldHaveMade(t *testing.T) {
	bench := benchmark(t)
	whole, cut := t.TempDir(), t.TempDir()
	opts := Options{Limit: 3, Workers: 1, Mutation: programtest.Rules("ROR,CRCR,sdl")}
	if _, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, whole, opts); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	interrupted := opts
	seen := 0
	interrupted.recorded = func(string) {
		if seen++; seen == 2 {
			cancel()
		}
	}
	if _, err := Codeflaws(ctx, clangtest.Tools(t), bench, cut, interrupted); exit.Of(err) != exit.Interrupted {
		t.Fatalf("the interrupted import: %v", err)
	}
	if got := datasettest.Runs(t, cut); len(got) != 2 {
		t.Fatalf("recorded before the interruption: %v, want two", got)
	}
	sum, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, cut, opts)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Before != 2 || sum.Imported != 1 {
		t.Errorf("summary %+v", sum)
	}
	if datasettest.Hash(t, whole) != datasettest.Hash(t, cut) {
		t.Errorf("the histories differ: %v and %v", datasettest.Runs(t, whole), datasettest.Runs(t, cut))
	}
}

func TestARunBeyondTheLimitIsSetAsideAndTakenBackWithoutBeingRunAgain(t *testing.T) {
	bench, history := benchmark(t), t.TempDir()
	if _, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, history, Options{Mutation: programtest.Rules("ROR,CRCR,sdl")}); err != nil {
		t.Fatal(err)
	}
	all := datasettest.Hash(t, history)
	sum, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, history, Options{Limit: 1, Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Before != 1 || sum.Surplus != 3 || len(datasettest.Runs(t, history)) != 1 {
		t.Errorf("with a limit: %+v, runs %v", sum, datasettest.Runs(t, history))
	}
	sum, err = Codeflaws(t.Context(), clangtest.Tools(t), bench, history, Options{Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Before != 4 || sum.Imported != 0 || datasettest.Hash(t, history) != all {
		t.Errorf("without: %+v, runs %v", sum, datasettest.Runs(t, history))
	}
}

func TestADamagedRunStopsTheImportAndIsNotOverwritten(t *testing.T) {
	bench, history := benchmark(t), t.TempDir()
	manifest := filepath.Join(history, "1-A-bug-11-12", dataset.ManifestFile)
	testfile.Write(t, manifest, "{")
	_, err := Codeflaws(t.Context(), clangtest.Tools(t), bench, history, Options{Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if exit.Of(err) != exit.Input || exit.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(manifest); err != nil || string(text) != "{" {
		t.Errorf("the manifest is now %q, %v", text, err)
	}
}
