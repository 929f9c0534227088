package kill_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// Write who kills whom, and read it again.
func ExampleRead() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	made, err := kill.New([]string{"m1", "m2"}, []string{"empty", "one"})
	if err != nil {
		panic(err)
	}
	for test, cell := range []kill.Cell{{Verdict: matrix.Survived}, {Verdict: matrix.Killed, Cause: matrix.Output}} {
		if err := made.Set(0, test, cell); err != nil {
			panic(err)
		}
	}
	file := filepath.Join(folder, "kills.parquet")
	if err := kill.Write(file, made); err != nil {
		panic(err)
	}
	read, err := kill.Read(file, kill.VerdictsOnly)
	if err != nil {
		panic(err)
	}
	for m, id := range read.Mutants() {
		fmt.Println(id, read.Verdict(m))
	}
	// Output:
	// m1 killed
	// m2 unknown
}
