package dataset_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// recorded is a run folder with one mutant, which the test empty kills.
func recorded(folder string) error {
	mutants, err := table.New(dataset.MutantsSchema())
	if err != nil {
		return err
	}
	if err := mutants.Append("4f1c", 1, 0, 0, "relational", "LT", "LE", "LT!LE", "main", "sum.c", 3, 7, "i < n", "i <= n", false, false, ""); err != nil {
		return err
	}
	kills, err := kill.New([]string{"4f1c"}, []string{"empty"})
	if err != nil {
		return err
	}
	if err := kills.Set(0, 0, kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}); err != nil {
		return err
	}
	return dataset.WriteSubject(folder, &dataset.Subject{Manifest: dataset.Manifest{Program: "sum"}, Mutants: mutants, Kills: kills})
}

// Let a history grow by a run, and ask what there is to learn from it.
func ExampleAdd() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := recorded(filepath.Join(folder, "run")); err != nil {
		panic(err)
	}
	run, err := dataset.OpenHistory(filepath.Join(folder, "run"))
	if err != nil {
		panic(err)
	}
	added, err := dataset.Add(context.Background(), filepath.Join(folder, "history"), &run.Runs[0])
	if err != nil {
		panic(err)
	}
	fmt.Println(added.Subject, "version", added.Version)
	history, err := dataset.OpenHistory(filepath.Join(folder, "history"))
	if err != nil {
		panic(err)
	}
	stats, err := history.Stats(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(stats.Mutants, "mutant of", stats.Runs, "run")
	// Output:
	// sum version 1
	// 1 mutant of 1 run
}
