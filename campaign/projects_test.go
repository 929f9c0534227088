package campaign

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/project"
)

// gradeProject is a project with two faulty versions.
func gradeProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, project.File), `program = "grade"
sources = ["grade.c"]
[tests]
dir = "tests"
[[faults]]
name = "above"
source = "above.c"
[[faults]]
name = "below"
source = "below.c"
`)
	writeFile(t, filepath.Join(dir, "grade.c"), gradeSource)
	writeFile(t, filepath.Join(dir, "above.c"), strings.Replace(gradeSource, ">= 50", "> 50", 1))
	writeFile(t, filepath.Join(dir, "below.c"), strings.Replace(gradeSource, ">= 50", ">= 49", 1))
	for name, text := range map[string]string{"a": "49", "b": "50", "c": "51"} {
		writeFile(t, filepath.Join(dir, "tests", name+".in"), text)
	}
	return dir
}

func TestAnInterruptedRunKeepsWhatWasFinished(t *testing.T) {
	project, out := gradeProject(t), filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	runs, err := Run(ctx, toolchain(t), []string{project}, out, RunOptions{Faults: true, Record: RecordOptions{
		Pool: func(table fault.Table) ([]int, string) {
			if seen++; seen == 2 {
				cancel()
			}
			return []int{0, 1, 2}, ""
		},
	}})
	if exit.Of(err) != exit.Interrupted || len(runs) != 1 || runs[0].Fault != "above" {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	if got := runsOf(t, out); !slices.Equal(got, []string{"grade/above"}) {
		t.Errorf("kept %v", got)
	}
}

func TestARecordDoesNotDependOnWhereItWasMade(t *testing.T) {
	var hashes []string
	for range 2 {
		out := filepath.Join(t.TempDir(), "out")
		runs, err := Run(t.Context(), toolchain(t), []string{gradeProject(t)}, out, RunOptions{Faults: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) != 2 || runs[0].Revealing != 1 || runs[1].Revealing != 1 || runs[0].Audited == 0 && runs[0].Disagreed > 0 {
			t.Errorf("runs %+v", runs)
		}
		hashes = append(hashes, hashOf(t, out))
	}
	if hashes[0] != hashes[1] {
		t.Error("two folders, two records")
	}
}

func TestAReplacedFolderIsKeptUntilThereIsSomethingInItsPlace(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	old := filepath.Join(out, "p", "manifest.json")
	writeFile(t, old, "old")
	if _, err := newPlace(out, false, false); exit.Of(err) != exit.Output {
		t.Errorf("without leave to replace: %v", err)
	}
	p, err := newPlace(out, true, false)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(p.folder, "q", "manifest.json"), "new")
	p.discard()
	if text, err := os.ReadFile(old); err != nil || string(text) != "old" {
		t.Errorf("after a run that recorded nothing: %q, %v", text, err)
	}
	if p, err = newPlace(out, true, false); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(p.folder, "q", "manifest.json"), "new")
	if err := p.commit(); err != nil {
		t.Fatal(err)
	}
	p.discard()
	if text, err := os.ReadFile(filepath.Join(out, "q", "manifest.json")); err != nil || string(text) != "new" || project.Exists(old) {
		t.Errorf("after the replacement: %q, %v", text, err)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 1 {
		t.Errorf("beside it: %v, %v", left, err)
	}
	for _, name := range []string{"notes.txt", "p/data.csv", "link"} {
		other := t.TempDir()
		writeFile(t, filepath.Join(other, "p", "kills.parquet"), "")
		if name == "link" {
			if err := os.Symlink("/", filepath.Join(other, name)); err != nil {
				t.Fatal(err)
			}
		} else {
			writeFile(t, filepath.Join(other, name), "")
		}
		if _, err := newPlace(other, true, false); exit.Of(err) != exit.Output || !strings.Contains(err.Error(), name) {
			t.Errorf("a folder with %s: %v", name, err)
		}
	}
}
