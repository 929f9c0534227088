package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sampledModule is a module whose tests ask for samples in each way in which they can.
func sampledModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"go.mod":                "module example.com/gated\n\ngo 1.26\n",
		"internal/deep/deep.go": "package deep\n\nfunc Count(few, all int) int { return all }\n",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

const sampledTests = `package a

import (
	"testing"

	"example.com/gated/internal/deep"
)

var most = deep.Count(1, 2)

func TestDirectly(t *testing.T) { _ = deep.Count(1, 2) }
func TestByAVariable(t *testing.T) { _ = most }
func TestByAFunction(t *testing.T) { helper() }
func TestTheSameTwice(t *testing.T) { t.Fatal("this has no sample") }

func helper() { further{}.one() }

type further struct{}

func (further) one() int { return deep.Count(1, 2) }
`

func TestOnlyTestsWithASampleRunWhereThatIsAskedFor(t *testing.T) {
	sampledModule(t, map[string]string{
		"a/a.go":      "package a\n",
		"a/a_test.go": sampledTests,
		"a/x_test.go": "package a_test\n\nimport (\n\t\"testing\"\n\n\tsampled \"example.com/gated/internal/deep\"\n)\n\nfunc TestOfAnotherName(t *testing.T) { _ = sampled.Count(1, 2) }\n",
		"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestDirectly(t *testing.T) { t.Fatal(\"of a package without samples\") }\n",
	})
	var out bytes.Buffer
	if err := run([]string{"-sampled", "-count=1", "-vet=off"}, true, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !strings.HasSuffix(out.String(), "\n4 passed, 0 failed, 0 skipped\n") {
		t.Errorf("not the four with a sample:\n%s", out.String())
	}
}

func TestGateStaysShutWhereItCannotTellWhoHasASample(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no test has a sample": {"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"},
		"only tests may":       {"a/a.go": "package a\n\nimport \"example.com/gated/internal/deep\"\n\nvar A = deep.Count(1, 2)\n"},
		"listing packages":     {"a/a_test.go": "// nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			sampledModule(t, files)
			var out bytes.Buffer
			if err := run([]string{"-sampled"}, true, &out); err == nil || !strings.Contains(err.Error()+out.String(), name) {
				t.Errorf("err %v, output:\n%s", err, out.String())
			}
		})
	}
}

// Which tests come first is the seed's, and no more begin than there is time for; with a seed a
// commit each has its turn.
func TestWhereTimeIsShortTheSeedSaysWhichTestsComeFirst(t *testing.T) {
	sampledModule(t, map[string]string{
		"a/a.go": "package a\n",
		"a/a_test.go": `package a

import (
	"os"
	"testing"

	"example.com/gated/internal/deep"
)

func ran(name string) { os.WriteFile(name, make([]byte, deep.Count(1, 2)), 0o644) }

func TestA(t *testing.T) { ran("A") }
func TestB(t *testing.T) { ran("B") }
func TestC(t *testing.T) { ran("C") }
func TestD(t *testing.T) { ran("D") }
`,
	})
	names := []string{"A", "B", "C", "D"}
	ran := func(within, seed string) (which []string) {
		t.Helper()
		var said bytes.Buffer
		if err := run([]string{"-sampled", "-within", within, "-seed", seed, "-count=1", "-vet=off"}, true, &said); err != nil {
			t.Fatalf("%v\n%s", err, said.String())
		}
		for _, name := range names {
			if os.Remove(filepath.Join("a", name)) == nil {
				which = append(which, name)
			}
		}
		if n := len(which); !strings.Contains(said.String(), fmt.Sprintf("%d of the 4 tests with a sample", n)) || !strings.HasSuffix(said.String(), fmt.Sprintf("\n%d passed, 0 failed, 0 skipped\n", n)) {
			t.Errorf("%d ran:\n%s", n, said.String())
		}
		return which
	}
	if all := ran("10m", "x"); !slices.Equal(all, names) {
		t.Errorf("with time for all %v ran", all)
	}
	seen := map[string]bool{}
	for seed := 0; len(seen) < len(names) && seed < 20; seed++ {
		short := ran("1ns", fmt.Sprint(seed))
		if len(short) != atOnce {
			t.Fatalf("with time for %d %v ran", atOnce, short)
		}
		if seed == 0 && !slices.Equal(ran("1ns", "0"), short) {
			t.Error("the same seed chose others")
		}
		for _, name := range short {
			seen[name] = true
		}
	}
	if len(seen) != len(names) {
		t.Errorf("of %v twenty seeds chose only %v", names, seen)
	}
}

func TestATestThatFailsEndsARunWithinATime(t *testing.T) {
	sampledModule(t, map[string]string{"a/a.go": "package a\n", "a/a_test.go": `package a

import (
	"testing"

	"example.com/gated/internal/deep"
)

func TestA(t *testing.T) { t.Fatal(deep.Count(1, 2)) }
`})
	var out bytes.Buffer
	if err := run([]string{"-sampled", "-within", "1m", "-count=1", "-vet=off"}, true, &out); err == nil || !strings.HasSuffix(out.String(), "\n0 passed, 1 failed, 0 skipped\n") {
		t.Errorf("err %v:\n%s", err, out.String())
	}
}
