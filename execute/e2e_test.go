//go:build linux

package execute_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// metaMutant takes testdata/name from C to an executable.
func metaMutant(t *testing.T, name string) (binary string, mutants []mutant.Mutant) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(t.Context(), filepath.Join("testdata", name), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	r := operator.Generate(m, operator.Options{})
	schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
	folder := t.TempDir()
	sources, err := execute.RuntimeSources(folder)
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(folder, "module.ll")
	if err := os.WriteFile(module, []byte(m.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(folder, "meta")
	if err := tools.Link(t.Context(), binary, append(sources, module), nil); err != nil {
		t.Fatal(err)
	}
	return binary, r.Mutants
}

func TestTheMutantsOfACProgramGetTheVerdictsThatReadingThemGives(t *testing.T) {
	binary, mutants := metaMutant(t, "larger.c")
	tests := inputs(t, "1 2\n", "2 1\n", "3 3\n", "")
	var toRun []execute.Mutant
	for _, m := range mutants {
		toRun = append(toRun, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	result := kill(t, start(t, binary, tests, execute.Options{AuditEvery: 1}), toRun)
	if len(result.Audit.Disagreements) > 0 {
		t.Errorf("the judge disagrees: %+v", result.Audit.Disagreements)
	}

	const s, k = execute.Survived, execute.Killed
	wanted := map[string][]execute.Verdict{
		"a >= b": {s, s, s, s}, // equivalent: the same number either way
		"a < b":  {k, k, s, s},
		"a <= b": {k, k, s, s},
		"a != b": {k, s, s, s},
	}
	seen := 0
	for i, m := range mutants {
		want, ok := wanted[m.Replacement]
		if m.Original != "a > b" || !ok {
			continue
		}
		seen++
		for test, verdict := range want {
			if got := result.Verdict(i, test); got != verdict {
				t.Errorf("%s instead of a > b, test %d: %v, want %v", m.Replacement, test, got, verdict)
			}
		}
		if result.Reached[i].Has(3) {
			t.Errorf("%s is reached by an empty input", m.Replacement)
		}
	}
	if seen != len(wanted) {
		t.Errorf("%d of the %d mutants looked for exist", seen, len(wanted))
	}
}
