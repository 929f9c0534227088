package main

import (
	"bytes"
	"os"
	"path/filepath"
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
