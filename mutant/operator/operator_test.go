package operator_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/origin"
	"github.com/winnow-mutants/winnow/mutant/rule"
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

// origins are the tokens of which a file's code was made.
func origins(t *testing.T, file string, m *ir.Module) origin.Map {
	t.Helper()
	out, err := origin.Of(t.Context(), toolchain(t), m, syntax(t, file), nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
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

func mutantsOf(t *testing.T, file string) []mutant.Mutant {
	t.Helper()
	m := module(t, file)
	return operator.Generate(m, operator.Options{Source: syntax(t, file), Origins: origins(t, file, m)}).Mutants
}

// ofFamily are the mutants of an operator family.
func ofFamily(mutants []mutant.Mutant, family string) []mutant.Mutant {
	var out []mutant.Mutant
	for _, m := range mutants {
		if m.Operator == family {
			out = append(out, m)
		}
	}
	return out
}

// listing shows each mutant on a line.
func listing(mutants []mutant.Mutant) []byte {
	var b bytes.Buffer
	for _, m := range mutants {
		fmt.Fprintf(&b, "%s:%d:%d %s `%s` => `%s`\n", m.Function, m.Line, m.Column, m.Type(), m.Original, m.Replacement)
	}
	return b.Bytes()
}

func TestEveryFamilyHasTheMutantsOfItsFile(t *testing.T) {
	for _, family := range rule.Families() {
		t.Run(family, func(t *testing.T) {
			mutants := ofFamily(mutantsOf(t, filepath.Join("testdata", family+".c")), family)
			if len(mutants) == 0 {
				t.Error("no mutants")
			}
			golden.Check(t, filepath.Join("testdata", family+".golden"), listing(mutants))
		})
	}
}

func TestEveryFamilyHasMutantsWithoutTheSource(t *testing.T) {
	for _, family := range rule.Families() {
		if family == "jump" {
			continue // the IR does not say what follows a jump
		}
		t.Run(family, func(t *testing.T) {
			file := filepath.Join("testdata", family+".c")
			mutants := ofFamily(operator.Generate(module(t, file), operator.Options{}).Mutants, family)
			golden.Check(t, filepath.Join("testdata", family+".nosource.golden"), listing(mutants))
		})
	}
}

func TestEveryTypeIsMadeOfTheFragmentsOfTheLanguage(t *testing.T) {
	for _, file := range corpus(t) {
		for _, m := range mutantsOf(t, file) {
			if !slices.Contains(mutant.Matchers(), m.Matcher) {
				t.Errorf("%s: matcher %s", file, m.Matcher)
			}
			if !slices.Contains(mutant.Replacers(), m.Replacer) {
				t.Errorf("%s: replacer %s", file, m.Replacer)
			}
			if !slices.Contains(rule.Families(), m.Operator) {
				t.Errorf("%s: family %s", file, m.Operator)
			}
		}
	}
}
