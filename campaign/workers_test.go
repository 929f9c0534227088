package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
)

// One worker and two record the same tables, byte for byte, each time.
// WINNOW_REPEATS says how often (docs/results/execution.md).
func TestTheTablesOfARunDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	repeats := 1
	if n, err := strconv.Atoi(os.Getenv("WINNOW_REPEATS")); err == nil {
		repeats = n
	}
	project, err := project.Open("../examples/calendar")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := project.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	rules := programtest.Rules("ROR")
	if deep.Asked() {
		rules = programtest.Rules("ROR,CRCR,sdl")
	}
	builder, want, runs := buildtest.Builder(t), "", 0
	for repeat := range repeats {
		for _, workers := range []int{1, 2} {
			folder, history := t.TempDir(), t.TempDir()
			run, err := Record(t.Context(), builder.Below(folder), cases[0], filepath.Join(history, "calendar"), RecordOptions{
				Execute: execute.Options{Workers: workers}, Mutation: rules, Counts: true})
			if err != nil {
				t.Fatal(err)
			}
			hash := datasettest.Hash(t, history)
			if want == "" {
				want, runs = hash, run.Runs
			}
			if hash != want || run.Runs != runs || run.Runs == 0 {
				t.Errorf("repeat %d, %d workers: tables %s of %d runs, want %s of %d", repeat, workers, hash, run.Runs, want, runs)
			}
		}
	}
	t.Log(fmt.Sprintf("%d repeats with 1 and 2 workers: %d runs each, tables %s", repeats, runs, want))
}
