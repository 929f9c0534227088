package operator_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// compiled and parsed keep what the tests share: the IR of a file and its
// syntax tree, which nobody changes.
var compiled, parsed sync.Map

// module compiles and parses a C file.
func module(t *testing.T, file string) *ir.Module {
	t.Helper()
	text, ok := compiled.Load(file)
	if !ok {
		// Without contraction x * y + z is two operations, as it is written.
		ll, err := toolchain(t).Compile(context.Background(), file, []string{"-ffp-contract=off"})
		if err != nil {
			t.Fatal(err)
		}
		text = ll
		compiled.Store(file, text)
	}
	m, err := ir.Parse(file, text.([]byte))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func syntax(t *testing.T, file string) *csource.File {
	t.Helper()
	if source, ok := parsed.Load(file); ok {
		return source.(*csource.File)
	}
	source, err := csource.Parse(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Store(file, source)
	return source
}

// write makes a C file of a text.
func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func mutantsOf(t *testing.T, file string, families ...operator.Operator) []mutant.Mutant {
	t.Helper()
	return operator.Generate(module(t, file), operator.Options{Operators: families, Source: syntax(t, file)}).Mutants
}

// listing shows each mutant on a line.
func listing(mutants []mutant.Mutant) []byte {
	var b bytes.Buffer
	for _, m := range mutants {
		fmt.Fprintf(&b, "%s:%d:%d %s `%s` => `%s`\n", m.Function, m.Line, m.Column, m.Type(), m.Original, m.Replacement)
	}
	return b.Bytes()
}

func TestEveryOperatorMakesTheMutantsOfItsFile(t *testing.T) {
	for _, op := range operator.All() {
		t.Run(op.Name, func(t *testing.T) {
			mutants := mutantsOf(t, filepath.Join("testdata", op.Name+".c"), op)
			if len(mutants) == 0 {
				t.Error("no mutants")
			}
			golden.Check(t, filepath.Join("testdata", op.Name+".golden"), listing(mutants))
		})
	}
}

func TestEveryOperatorMakesTheSameMutantsWithoutTheSource(t *testing.T) {
	for _, op := range operator.All() {
		t.Run(op.Name, func(t *testing.T) {
			file := filepath.Join("testdata", op.Name+".c")
			mutants := operator.Generate(module(t, file), operator.Options{Operators: []operator.Operator{op}}).Mutants
			golden.Check(t, filepath.Join("testdata", op.Name+".nosource.golden"), listing(mutants))
		})
	}
}

func TestEveryOperatorIsNamedAndDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range operator.All() {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(op.Name) || seen[op.Name] {
			t.Errorf("%q is not one lower-case word of its own", op.Name)
		}
		seen[op.Name] = true
		if !strings.Contains(op.Doc, "`") || len(op.Doc) < 20 {
			t.Errorf("%s: the documentation has no example: %q", op.Name, op.Doc)
		}
		if op.Match == nil {
			t.Errorf("%s matches nothing", op.Name)
		}
	}
}

func TestEveryTypeIsMadeOfTheFragmentsOfTheLanguage(t *testing.T) {
	for _, op := range operator.All() {
		for _, m := range mutantsOf(t, filepath.Join("testdata", op.Name+".c")) {
			if !slices.Contains(mutant.Matchers(), m.Matcher) {
				t.Errorf("%s: matcher %s", op.Name, m.Matcher)
			}
			if !slices.Contains(mutant.Replacers(), m.Replacer) {
				t.Errorf("%s: replacer %s", op.Name, m.Replacer)
			}
		}
	}
}
