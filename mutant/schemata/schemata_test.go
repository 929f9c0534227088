package schemata_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func compile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := toolchain(t).Compile(context.Background(), file, nil)
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

func syntax(t *testing.T, file string) *csource.File {
	t.Helper()
	source, err := csource.Parse(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func verify(t *testing.T, what, text string) {
	t.Helper()
	if err := toolchain(t).Verify(context.Background(), what, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	return files
}

func TestTheMetaMutantOfEveryProgramIsWellFormed(t *testing.T) {
	for _, file := range programs(t) {
		m := parse(t, compile(t, file))
		r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
		if len(r.Mutants) < 20 {
			t.Errorf("%s: only %d mutants", file, len(r.Mutants))
		}
		schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
		verify(t, file, m.String())
	}
}

func TestTheMetaMutantOfOptimisedCodeIsWellFormed(t *testing.T) {
	for _, file := range programs(t) {
		for _, flags := range [][]string{{"-O1"}, {"-O2", "-g"}} {
			out := filepath.Join(t.TempDir(), "program.ll")
			cmd := exec.Command(toolchain(t).Clang, append(flags, "-w", "-S", "-emit-llvm", "-o", out, file)...)
			if message, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, message)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			m := parse(t, text)
			r := operator.Generate(m, operator.Options{})
			schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
			verify(t, file, m.String())
		}
	}
}
