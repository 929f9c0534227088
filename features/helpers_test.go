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

// compile compiles a C program.
func compile(t testing.TB, source string) (*ir.Module, *csource.File) {
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
	c, err := csource.Parse(m.LLVM.SourceFilename, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

// generate compiles a C program and makes its mutants.
func generate(t testing.TB, source string) (*ir.Module, []mutant.Mutant) {
	t.Helper()
	m, _ := compile(t, source)
	return m, operator.Generate(m, operator.Options{}).Mutants
}

// extracted is a program with its mutants and their features.
type extracted struct {
	t       testing.TB
	mutants []mutant.Mutant
	table   *table.Table
}

func extract(t testing.TB, source string) *extracted {
	t.Helper()
	m, c := compile(t, source)
	mutants := operator.Generate(m, operator.Options{}).Mutants
	return &extracted{t, mutants, tableOf(t, m, mutants, features.WithSource(c))}
}

// tableOf puts the batches together.
func tableOf(t testing.TB, m *ir.Module, mutants []mutant.Mutant, options ...features.Option) *table.Table {
	t.Helper()
	var out *table.Table
	if err := features.Stream(m, mutants, func(batch *table.Table) error {
		if out == nil {
			out = batch
			return nil
		}
		return out.AppendTable(batch)
	}, options...); err != nil {
		t.Fatal(err)
	}
	return out
}

// find returns the row of the mutant with a type and an original text.
func (s *extracted) find(kind, original string) int {
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

func (s *extracted) value(row int, column string) float64 {
	s.t.Helper()
	values, err := s.table.Floats(column)
	if err != nil {
		s.t.Fatal(err)
	}
	return values[row]
}
