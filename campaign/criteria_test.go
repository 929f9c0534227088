package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/project/projecttest"
	"github.com/winnow-mutants/winnow/report"
)

// criteriaOf are the own criteria and those of other tools of the one run in out.
func criteriaOf(t *testing.T, out string) map[string]*criterion.Matrix {
	t.Helper()
	history, err := dataset.OpenHistory(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := history.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	own, err := s.OwnCriteria()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*criterion.Matrix{}
	for _, m := range append(own, s.Criteria...) {
		all[m.Name()] = m
	}
	return all
}

// Acceptance test F2.3 of Muteria's specification: weak mutation says which runs strong
// mutation needs.
func TestOfEachMutantOnlyTheTestsThatInfectItAreRun(t *testing.T) {
	run, out := runOne(t, projecttest.Folder(t), RunOptions{})
	all := criteriaOf(t, out)
	weak, strong := all["weak mutation (winnow)"], all["strong mutation (winnow)"]
	infected, some := 0, false
	for e := range weak.Elements {
		covering := weak.Covering(e).Count()
		infected += covering
		some = some || covering > 0 && covering < len(weak.Tests)
		at := slices.Index(strong.Elements, weak.Elements[e])
		for test := range weak.Tests {
			if at >= 0 && weak.Cell(e, test) == matrix.Survived && strong.Cell(at, test) != matrix.Survived {
				t.Errorf("%s is not infected by %s, and yet %v there", weak.Elements[e], weak.Tests[test], strong.Cell(at, test))
			}
		}
	}
	if run.Runs != infected || !some {
		t.Errorf("%d runs, %d pairs that infect; of some mutant a part of its tests: %v", run.Runs, infected, some)
	}
}

// broken is a tool that cannot compile.
type broken struct{ coverage.Instrument }

func (broken) Compile(context.Context, coverage.Unit, string) error { return errors.New("no licence") }

// F2.1 again, of a whole run.
func TestARunIsWholeWhereAToolFailsAndSaysSo(t *testing.T) {
	tools, err := coverage.Find([]string{"gcov", "llvm-cov"})
	if err != nil {
		t.Fatal(err)
	}
	works := tools[1].Instrument
	tools[1].Instrument = broken{works}
	folder, out := projecttest.Folder(t), filepath.Join(t.TempDir(), "out")
	opts := RunOptions{Record: RecordOptions{Criteria: &coverage.Wanted{Tools: tools}}}
	runs, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts)
	if exit.Of(err) != exit.Tool || !strings.Contains(err.Error(), "llvm-cov: no licence") || len(runs) != 1 || runs[0].Killed == 0 {
		t.Fatalf("%d runs, %v, want one and that llvm-cov failed", len(runs), err)
	}
	all := criteriaOf(t, out)
	if m := all["line (llvm-cov)"]; m == nil || m.Failed != "no licence" {
		t.Errorf("of llvm-cov the record has %+v", m)
	}
	// The loop's two sides and the choice's; to winnow a choice between constants is no branch.
	for name, want := range map[string]criterion.Score{"branch (gcov)": {Elements: 4, Covered: 4}, "branch (winnow)": {Elements: 2, Covered: 2}, "function (gcov)": {Elements: 1, Covered: 1}} {
		if got := all[name].Score(); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}

	tools[1].Instrument, opts.Resume = works, true
	again, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, opts)
	if err != nil || len(again) != 1 || again[0].Killed != runs[0].Killed {
		t.Fatalf("gone on with when the tool works: %d runs, %v", len(again), err)
	}
	if m := criteriaOf(t, out)["line (llvm-cov)"]; m == nil || m.Failed != "" || m.Score().Covered == 0 {
		t.Errorf("of llvm-cov the record then has %+v", m)
	}
}

// What a project's own build made is measured by the tests that are its own commands: winnow and gcov
// find the same side of a branch that none takes.
func TestOfAProjectWithABuildOfItsOwnBranchesAreMeasured(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	files := projecttest.WithBuild()
	files["check.sh"] = "for x in 3 99; do ./check $x; done > out.txt\nprintf '3\\n10\\n' | cmp - out.txt\n"
	for name, text := range files {
		testfile.Write(t, filepath.Join(folder, name), text)
	}
	tools, err := coverage.Find([]string{"gcov"})
	if err != nil {
		t.Fatal(err)
	}
	_, out := runOne(t, folder, RunOptions{Record: RecordOptions{Criteria: &coverage.Wanted{Tools: tools}}})
	all := criteriaOf(t, out)
	want := criterion.Score{Elements: 4, Covered: 3}
	for name, side := range map[string]string{"branch (winnow)": "clamp.c:3:7 in clamp: true", "branch (gcov)": "clamp.c:3 branch 1"} {
		m := all[name]
		if m == nil || m.Score() != want {
			t.Errorf("%s: %+v, want %+v", name, m, want)
			continue
		}
		if lives := report.CoverageOf(m).Uncovered; !slices.Equal(lives, []string{side}) {
			t.Errorf("%s: no test takes %q, want %q", name, lives, side)
		}
	}
}

// Acceptance test F2.7: process 2 checks first, and stops before coverage; process 1 reports
// coverage, and then stops.
func TestASuiteThatFailsIsMeasuredOnlyWhereThatComesFirst(t *testing.T) {
	folder := projecttest.Folder(t)
	testfile.Write(t, filepath.Join(folder, "tests", "a.out"), "pass\n") // it fails: 49 points do not pass
	for _, first := range []bool{false, true} {
		tools, err := coverage.Find([]string{"gcov"})
		if err != nil {
			t.Fatal(err)
		}
		var told []report.Coverage
		wanted := &coverage.Wanted{Tools: tools, First: first, Told: func(all []*criterion.Matrix) {
			for _, m := range all {
				told = append(told, report.CoverageOf(m))
			}
		}}
		_, err = Run(t.Context(), clangtest.Tools(t), []string{folder}, filepath.Join(t.TempDir(), "out"), RunOptions{Record: RecordOptions{Criteria: wanted}})
		if exit.Of(err) != exit.Baseline {
			t.Errorf("first %v: %v, want that tests fail", first, err)
		}
		if measured := len(told) == 3 && told[0].Covered > 0; measured != first {
			t.Errorf("first %v: told %+v", first, told)
		}
	}
}
