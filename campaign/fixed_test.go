package campaign

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestMadeTestsAreThoseOfTheFaultyVersionInTheFixedOneToo(t *testing.T) {
	c := grade(t)
	c.Fault = "faulty" + dataset.FixedSuffix
	for _, test := range c.Tests {
		c.Judged = append(c.Judged, fault.Result{Test: test.Name, Verdict: matrix.Survived, Augmented: test.Name == "none"})
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Record(t.Context(), buildtest.Builder(t), c, dir, RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl"), NoFeatures: true}); err != nil {
		t.Fatal(err)
	}
	m, err := dataset.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for pool, want := range map[dataset.Pool]int{dataset.AllTests: 4, dataset.OriginalTests: 3} {
		s, err := (&dataset.Run{Dir: dir, Manifest: m, Pool: pool}).Load()
		if err != nil || len(s.Faults) != want || len(s.Kills.Tests()) != want || len(s.Branches.Tests()) != want {
			t.Errorf("pool %s: %d judged tests, %v", pool, len(s.Faults), err)
		}
	}
}

func TestARunOfFaultsCanRecordTheFixedVersionsToo(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	folder := projecttest.Folder(t)
	opts := RunOptions{Faults: true, FixedVersions: true, Record: RecordOptions{Mutation: programtest.Rules("ROR,CRCR,sdl"), Tool: "1"}}
	runs, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts)
	if err != nil {
		t.Fatal(err)
	}
	h, err := dataset.OpenHistory(out)
	if err != nil || len(runs) != 2*len(h.Runs) || len(h.Fixed) != len(h.Runs) {
		t.Fatalf("%d runs recorded, %d of faults and %d of fixed versions, %v", len(runs), len(h.Runs), len(h.Fixed), err)
	}
	for _, run := range h.Runs {
		faulty, fixed := datasettest.Kills(t, run.Dir), datasettest.Kills(t, run.Dir+dataset.FixedSuffix)
		if !slices.Equal(faulty.Tests(), fixed.Tests()) {
			t.Errorf("%s: tests %v and %v", run.Path, faulty.Tests(), fixed.Tests())
		}
	}
	before := testfile.Below(t, out)
	opts.Resume = true
	if _, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts); err != nil {
		t.Fatal(err)
	}
	for path, text := range testfile.Below(t, out) {
		if before[path] != text {
			t.Errorf("%s was recorded again", path)
		}
	}
}
