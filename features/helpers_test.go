package features_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

// generate compiles a C program and makes its mutants.
func generate(t testing.TB, source string) (*ir.Module, []mutant.Mutant) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m, operator.Generate(m, operator.Options{}).Mutants
}

// subject is a program with its mutants and their features.
type subject struct {
	t       testing.TB
	mutants []mutant.Mutant
	table   *table.Table
}

func extract(t testing.TB, source string) *subject {
	t.Helper()
	m, mutants := generate(t, source)
	c, err := csource.Parse(m.LLVM.SourceFilename, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := features.Extract(m, mutants, features.WithSource(c))
	if err != nil {
		t.Fatal(err)
	}
	return &subject{t, mutants, out}
}

// find returns the row of the mutant with a type and an original text.
func (s *subject) find(kind, original string) int {
	s.t.Helper()
	for i := range s.mutants {
		if s.mutants[i].Type() == kind && s.mutants[i].Original == original {
			return i
		}
	}
	for i := range s.mutants {
		s.t.Logf("%s %q → %q", s.mutants[i].Type(), s.mutants[i].Original, s.mutants[i].Replacement)
	}
	s.t.Fatalf("no mutant %s of %q", kind, original)
	return -1
}

func (s *subject) value(row int, column string) float64 {
	s.t.Helper()
	values, err := s.table.Floats(column)
	if err != nil {
		s.t.Fatal(err)
	}
	return values[row]
}
