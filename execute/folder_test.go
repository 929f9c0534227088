//go:build linux

package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// fileTest is a test of testdata/files.c, and a file that no run may touch.
func fileTest(t *testing.T) (execute.Test, string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o777); err != nil { // what protects the file must not be its owner
		t.Fatal(err)
	}
	victim := filepath.Join(folder, "victim")
	for name, text := range map[string]string{victim: "precious", filepath.Join(folder, "in.txt"): "1 2 3"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return execute.Test{Name: "sum", Args: []string{victim}, Files: []execute.File{{Name: "data/in.txt", Path: filepath.Join(folder, "in.txt")}},
		Outputs: []string{"out.txt"}}, folder
}

var fileMutants = []struct {
	what    string
	verdict execute.Verdict
	cause   execute.Cause
}{
	1:  {what: "writes another sum", verdict: killed, cause: execute.CauseExit},
	2:  {what: "does not write the file", verdict: killed, cause: execute.CauseExit},
	3:  {what: "tries to write elsewhere", verdict: survived},
	4:  {what: "fills the disk", verdict: killed, cause: execute.CauseOutput},
	5:  {what: "makes files without end", verdict: killed, cause: execute.CauseOutput},
	6:  {what: "changes a file that is no output", verdict: survived},
	7:  {what: "writes more white space", verdict: survived},
	8:  {what: "fills removed files that it keeps open", verdict: killed, cause: execute.CauseOutput},
	9:  {what: "opens nothing, and finds that it cannot", verdict: survived},
	10: {what: "reads before its arguments", verdict: survived},
}

func TestRunsThatMayWriteFilesAreJudgedByThemAndKeptInTheirFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, tier := range []execute.Tier{execute.InProcess, execute.Fork, execute.Fresh} {
		t.Run(tier.Name, func(t *testing.T) {
			test, folder := fileTest(t)
			e := start(t, link(t, "files.c"), []execute.Test{test}, execute.Options{
				Workers: 2, Writable: true, Tier: tier, OutputBytes: 1 << 20, WallFloor: 30 * time.Second})
			var mutants []execute.Mutant
			for selector := 1; selector < len(fileMutants); selector++ {
				if selector == 8 && !execute.HasVolumes() {
					continue // what removed files hold is not counted there
				}
				mutants = append(mutants, execute.Mutant{Selector: int32(selector)})
			}
			result := kill(t, e, mutants)
			for i, m := range mutants {
				want := fileMutants[m.Selector]
				cell, _ := result.Cell(i, 0)
				if result.Verdict(i, 0) != want.verdict || cell.Cause != want.cause {
					t.Errorf("mutant that %s: %v by %v", want.what, result.Verdict(i, 0), cell.Cause)
				}
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
				t.Errorf("beside the file that nobody may touch: %v, %v", left, err)
			}
			if text, err := os.ReadFile(filepath.Join(folder, "victim")); err != nil || string(text) != "precious" {
				t.Errorf("it holds %q, %v", text, err)
			}
		})
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "winnow-run-*")); err != nil || len(left) > 0 {
		t.Errorf("folders of runs are left: %v, %v", left, err)
	}
}

func TestAFileOfATestIsThereAlsoWhereNothingMayBeWritten(t *testing.T) {
	test, _ := fileTest(t)
	test.Outputs = nil
	held := test
	held.Name, held.Files = "held", []execute.File{{Name: "data/in.txt", Text: "1 2 3"}}
	e := start(t, link(t, "files.c"), []execute.Test{test, held}, execute.Options{Workers: 1})
	for _, selector := range []int32{0, 4} {
		for at := range 2 {
			// The log cannot be made, so that every mutant ends with 9 like the original.
			outcome, _, err := e.Observe(context.Background(), selector, at)
			if err != nil || outcome.Cause != execute.CauseExit || outcome.Status != 9 {
				t.Errorf("mutant %d, test %d: %v, %v", selector, at, outcome, err)
			}
		}
	}
}

func TestFilesOutsideOfTheFolderAndOutputsThatCannotBeAreRefused(t *testing.T) {
	good, _ := fileTest(t)
	for reason, spoil := range map[string]func(*execute.Test){
		"does not lie":      func(test *execute.Test) { test.Files[0].Name = "../in.txt" },
		"output \"/x\"":     func(test *execute.Test) { test.Outputs = []string{"/x"} },
		"looking at its":    func(test *execute.Test) { test.Files[0].Path += ".gone" },
		"not a regular":     func(test *execute.Test) { test.Files[0].Path = "." },
		"may not write fil": func(*execute.Test) {},
	} {
		test := good
		test.Files = []execute.File{good.Files[0]}
		spoil(&test)
		writable := reason != "may not write fil"
		_, err := execute.Start(context.Background(), link(t, "files.c"), []execute.Test{test}, execute.Options{Writable: writable})
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// Files of a run in a runner are in memory; those of the other tiers are the kernel's. Each
// test draws what is done to them; a runner in which the original does not print and leave
// what it does elsewhere hands the test on.
func TestFilesInMemoryAreLikeThoseOfTheKernel(t *testing.T) {
	const draws, odd = 300, 20
	binary := link(t, "folder.c")
	for _, writable := range []bool{true, false} {
		var tests []execute.Test
		for i := range draws + odd {
			test := execute.Test{Name: strconv.Itoa(i), Args: []string{strconv.Itoa(i)}, Files: []execute.File{
				{Name: "in.txt", Text: strings.Repeat("a line of the input\n", 30)}, {Name: "data/in.txt", Text: "few"}}}
			if i >= draws {
				test.Args = append(test.Args, "odd")
			}
			if writable {
				test.Outputs = []string{"out.txt", "data/new", "./new", "in.txt"}
			}
			tests = append(tests, test)
		}
		result := kill(t, start(t, binary, tests, execute.Options{Workers: 2, Writable: writable, AuditEvery: 7, OutputBytes: 1 << 20}), []execute.Mutant{{Selector: 1}})
		for i := range tests {
			if v := result.Verdict(0, i); v != survived {
				t.Errorf("writable %t, draw %d: %v", writable, i, v)
			}
		}
		if len(result.Audit.Disagreements) > 0 {
			t.Errorf("writable %t: %+v", writable, result.Audit)
		}
		if runtime.GOARCH == "amd64" && (result.HandedOn == 0 || result.HandedOn > odd) {
			t.Errorf("writable %t: %d of %d runs were handed on to fork, %d of them for what a runner does not know", writable, result.HandedOn, len(tests), odd)
		}
	}
}
