package program_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
)

// Make the mutants of a C file by some operators.
func ExampleLoad() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "smaller.c")
	if err := os.WriteFile(file, []byte("int smaller(int a, int b) { return a < b; }\n"), 0o644); err != nil {
		panic(err)
	}
	tools, err := clang.Find()
	if err != nil {
		panic(err)
	}
	operators, err := rule.Lookup("ROR")
	if err != nil {
		panic(err)
	}
	made, err := program.Load(context.Background(), tools, []program.Input{{Path: file}}, program.LoadOptions{Mutation: program.Mutation{Rules: operators}})
	if err != nil {
		panic(err)
	}
	for _, m := range made.Mutants()[:2] {
		fmt.Println(m.Function, m.Original, "→", m.Replacement)
	}
	// Output:
	// smaller a < b → a == b
	// smaller a < b → a != b
}
