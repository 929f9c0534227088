package schemata_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func compile(t *testing.T, source string) []byte {
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
	return text
}

func parse(t *testing.T, text []byte) *ir.Module {
	t.Helper()
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func verify(t *testing.T, what string, m *ir.Module) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	if err := tools.Verify(context.Background(), what, []byte(m.String())); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func TestTheMetaMutantOfEveryProgramIsWellFormed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := parse(t, compile(t, string(source)))
		r := operator.Generate(m, operator.Options{})
		if len(r.Mutants) < 20 {
			t.Errorf("%s: only %d mutants", file, len(r.Mutants))
		}
		schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
		verify(t, file, m)
	}
}
