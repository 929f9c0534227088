package campaign

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestAnInterruptedRunKeepsWhatWasFinished(t *testing.T) {
	project, out := projecttest.Folder(t), filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	runs, err := Run(ctx, clangtest.Tools(t), []string{project}, out, RunOptions{Faults: true, Record: RecordOptions{
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
	if got := datasettest.Runs(t, out); !slices.Equal(got, []string{"grade/above"}) {
		t.Errorf("kept %v", got)
	}
}

func TestARecordDoesNotDependOnWhereItWasMade(t *testing.T) {
	var hashes []string
	for range 2 {
		out := filepath.Join(t.TempDir(), "out")
		runs, err := Run(t.Context(), clangtest.Tools(t), []string{projecttest.Folder(t)}, out, RunOptions{Faults: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(runs) != 2 || runs[0].Revealing != 1 || runs[1].Revealing != 1 || runs[0].Audited == 0 && runs[0].Disagreed > 0 {
			t.Errorf("runs %+v", runs)
		}
		hashes = append(hashes, datasettest.Hash(t, out))
	}
	if hashes[0] != hashes[1] {
		t.Error("two folders, two records")
	}
}

func TestAReplacedFolderIsKeptUntilThereIsSomethingInItsPlace(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	old := filepath.Join(out, "p", "manifest.json")
	testfile.Write(t, old, "old")
	if _, err := newPlace(out, false, false); exit.Of(err) != exit.Output {
		t.Errorf("without leave to replace: %v", err)
	}
	p, err := newPlace(out, true, false)
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(p.folder, "q", "manifest.json"), "new")
	p.close()
	if text, err := os.ReadFile(old); err != nil || string(text) != "old" {
		t.Errorf("after a run that recorded nothing: %q, %v", text, err)
	}
	if p, err = newPlace(out, true, false); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(p.folder, "q", "manifest.json"), "new")
	if err := p.commit(); err != nil {
		t.Fatal(err)
	}
	p.close()
	if text, err := os.ReadFile(filepath.Join(out, "q", "manifest.json")); err != nil || string(text) != "new" || paths.Exist(old) {
		t.Errorf("after the replacement: %q, %v", text, err)
	}
	if left, err := os.ReadDir(filepath.Dir(out)); err != nil || len(left) != 1 {
		t.Errorf("beside it: %v, %v", left, err)
	}
	for _, name := range []string{"notes.txt", "p/data.csv", "link"} {
		other := t.TempDir()
		testfile.Write(t, filepath.Join(other, "p", "kills.parquet"), "")
		if name == "link" {
			if err := os.Symlink("/", filepath.Join(other, name)); err != nil {
				t.Fatal(err)
			}
		} else {
			testfile.Write(t, filepath.Join(other, name), "")
		}
		if _, err := newPlace(other, true, false); exit.Of(err) != exit.Output || !strings.Contains(err.Error(), name) {
			t.Errorf("a folder with %s: %v", name, err)
		}
	}
}
