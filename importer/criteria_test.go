package importer

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestARecordSaysWhichBranchesEachTestTakes(t *testing.T) {
	dir := t.TempDir()
	c := project.Case{Program: "kinds", Folder: dir, Inputs: []program.Input{{Path: filepath.Join(dir, "kinds.c")}, {Path: filepath.Join(dir, "print.c"), Harness: true}}}
	testfile.Write(t, c.Inputs[0].Path, `#include <stdio.h>
void print(const char *);
int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  switch (n) {
  case 0: print("none"); break;
  case 1: case 2: print("few"); break;
  default: if (n > 0 && n < 100) print("many");
  }
  return 0;
}
`)
	testfile.Write(t, c.Inputs[1].Path, "#include <stdio.h>\nvoid print(const char *s) { if (s) puts(s); }\n")
	for _, in := range []string{"", "0", "1", "2", "7", "-1", "200"} {
		path := filepath.Join(dir, "in"+in)
		testfile.Write(t, path, in)
		c.Tests = append(c.Tests, execute.Test{Name: "in" + in, Input: path})
	}
	out := filepath.Join(dir, "run")
	if _, err := campaign.Record(t.Context(), buildtest.Builder(t), c, out, campaign.RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl"), NoFeatures: true}); err != nil {
		t.Fatal(err)
	}
	s := datasettest.First(t, out)
	want := map[string][]string{ // read off the source
		"kinds.c:5 true":      {"in"},
		"kinds.c:5 false":     {"in0", "in1", "in2", "in7", "in-1", "in200"},
		"kinds.c:6 default":   {"in7", "in-1", "in200"},
		"kinds.c:6 case 0":    {"in0"},
		"kinds.c:6 case 1, 2": {"in1", "in2"},
		"kinds.c:9 n > 0":     {"in7", "in200"},
		"kinds.c:9 n <= 0":    {"in-1"},
		"kinds.c:9 n < 100":   {"in7"},
		"kinds.c:9 n >= 100":  {"in200"},
	}
	order := []string{"kinds.c:5 true", "kinds.c:5 false", "kinds.c:6 default", "kinds.c:6 case 0", "kinds.c:6 case 1, 2",
		"kinds.c:9 n > 0", "kinds.c:9 n <= 0", "kinds.c:9 n < 100", "kinds.c:9 n >= 100"}
	if s.Branches.Sites() != len(order) || s.Features != nil {
		t.Fatalf("sides %v", s.Branches.Names())
	}
	for side, name := range s.Branches.Names() {
		var got []string
		for test := range s.Branches.Reaching(side).All() {
			got = append(got, s.Branches.Tests()[test])
		}
		if place, _, _ := strings.Cut(order[side], " "); !strings.HasPrefix(name, place+":") || !strings.Contains(name, " in main: ") || !slices.Equal(got, want[order[side]]) {
			t.Errorf("side %d, %s: taken by %v, want %v (%s)", side, name, got, want[order[side]], order[side])
		}
	}
	if !s.Branches.Unmeasured().Empty() {
		t.Errorf("unmeasured %v", s.Branches.Unmeasured())
	}
}

// withoutBranches makes the runs of a history those of a winnow that recorded no
// branches.
func withoutBranches(t *testing.T, history string) {
	t.Helper()
	for _, id := range datasettest.Runs(t, history) {
		path := filepath.Join(history, id, dataset.ManifestFile)
		var m dataset.Manifest
		if err := json.Unmarshal([]byte(testfile.Read(t, path)), &m); err != nil {
			t.Fatal(err)
		}
		delete(m.Files, dataset.BranchesFile)
		text, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, path, string(text)+"\n")
		if err := os.Remove(filepath.Join(history, id, dataset.BranchesFile)); err != nil {
			t.Fatal(err)
		}
	}
}

// faultyFiles are those of a history's faulty versions.
func faultyFiles(t *testing.T, history string) map[string]string {
	t.Helper()
	out := filesOf(t, history)
	for path := range out {
		if strings.Contains(path, dataset.FixedSuffix+"/") {
			delete(out, path)
		}
	}
	return out
}

func TestCriteriaAddToAHistoryAndChangeNothingElse(t *testing.T) {
	bench, history, fresh := agedHistory(t)
	for path, text := range fresh {
		testfile.Write(t, filepath.Join(history, path), text)
	}
	withoutBranches(t, history)
	opts := CriteriaOptions{Limit: 2, Seed: 1, Mutation: programtest.Rules("ROR,CRCR,sdl"), Tool: "0.2"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CriteriaCodeflaws(ctx, clangtest.Tools(t), bench, history, opts); exit.Of(err) != exit.Interrupted {
		t.Errorf("interrupted: %v", err)
	}
	sum, err := CriteriaCodeflaws(t.Context(), clangtest.Tools(t), bench, history, opts)
	if err != nil || sum.Branches != 4 || sum.Fixed != 2 || len(sum.Left) > 0 || sum.Mutants == 0 || sum.Killed == 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	for path, text := range faultyFiles(t, history) {
		if fresh[path] != text {
			t.Errorf("%s is not what an import writes", path)
		}
	}
	opts.Limit = 0
	again, err := CriteriaCodeflaws(t.Context(), clangtest.Tools(t), bench, history, opts)
	if err != nil || again.Branches != 0 || again.BranchesBefore != 4 || again.Fixed != 2 || again.FixedBefore != 2 {
		t.Errorf("again: %+v, %v", again, err)
	}
	h, err := dataset.OpenHistory(history)
	if err != nil || len(h.Runs) != 4 || len(h.Fixed) != 4 {
		t.Fatalf("%d runs, %d of fixed versions, %v", len(h.Runs), len(h.Fixed), err)
	}
	builder := buildtest.Builder(t)
	for _, run := range h.Fixed {
		holdsFixed(t, builder, bench, h, run)
	}
}

// holdsFixed holds the run of a fixed version to a record of that program alone.
func holdsFixed(t *testing.T, builder *build.Builder, bench string, h *dataset.History, run dataset.Run) {
	t.Helper()
	at := slices.IndexFunc(h.Runs, func(r dataset.Run) bool { return r.Manifest.Name()+dataset.FixedSuffix == run.Manifest.Name() })
	faulty, err := h.Runs[at].Load()
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := run.Load()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fixed.Kills.Tests(), faulty.Kills.Tests()) || len(fixed.Faults) != len(faulty.Faults) || fixed.Features != nil || fixed.Branches == nil {
		t.Errorf("%s: tests %v, %d judged", run.Path, fixed.Kills.Tests(), len(fixed.Faults))
	}
	source, err := codeflawsSource(bench)
	if err != nil {
		t.Fatal(err)
	}
	c, err := source(run.Manifest.Program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := fixed.Kills.Tests()
	alone := project.Case{Program: c.Program, Folder: c.Folder, Inputs: c.Fixed}
	for _, name := range names {
		alone.Tests = append(alone.Tests, c.Tests[slices.IndexFunc(c.Tests, func(test execute.Test) bool { return test.Name == name })])
	}
	dir := filepath.Join(t.TempDir(), "alone")
	if _, err := campaign.Record(t.Context(), builder, alone, dir, campaign.RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl"), NoProbe: true}); err != nil {
		t.Fatal(err)
	}
	want, got := datasettest.Kills(t, dir), datasettest.Kills(t, run.Dir)
	if !slices.Equal(want.Mutants(), got.Mutants()) {
		t.Fatalf("%s: other mutants", run.Path)
	}
	datasettest.SameVerdicts(t, got, want)
}

func TestFixedVersionsOfPairsAreRecordedBesideTheFaultyOnes(t *testing.T) {
	folder, history := projecttest.Pair(t), t.TempDir()
	if _, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{Record: campaign.RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl")}}); err != nil {
		t.Fatal(err)
	}
	sum, err := CriteriaPairs(t.Context(), clangtest.Tools(t), folder, history, CriteriaOptions{Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if err != nil || sum.BranchesBefore != 1 || sum.Fixed != 1 || len(sum.Left) > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	testfile.Write(t, filepath.Join(folder, "above", "fixed", "grade.c"), projecttest.Source+"\n")
	if err := os.RemoveAll(filepath.Join(history, "above.fixed")); err != nil {
		t.Fatal(err)
	}
	sum, err = CriteriaPairs(t.Context(), clangtest.Tools(t), folder, history, CriteriaOptions{Mutation: programtest.Rules("ROR,CRCR,sdl")})
	if err != nil || sum.Fixed != 0 || len(sum.Left) != 1 || !strings.Contains(sum.Left[0], "not those that were recorded") {
		t.Errorf("other sources: %+v, %v", sum, err)
	}
}
