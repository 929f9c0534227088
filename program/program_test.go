package program_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestALoadedProgramDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	var inputs []program.Input
	for _, file := range deep.Sample(t, 3, []string{
		"mutant/schemata/testdata/recursion.c", "examples/bst/bst.c", "mutant/schemata/testdata/strings.c",
		"examples/calendar/calendar.c", "mutant/schemata/testdata/records.c", "examples/justify/justify.c",
	}) {
		inputs = append(inputs, program.Input{Path: filepath.Join("..", file)})
	}
	var loaded [2]*program.Program
	for k := range loaded {
		p, err := program.Load(t.Context(), clangtest.Tools(t), inputs, program.LoadOptions{Workers: k + 1})
		if err != nil {
			t.Fatal(err)
		}
		loaded[k] = p
	}
	one, two := loaded[0].Mutants(), loaded[1].Mutants()
	if len(one) == 0 || len(one) != len(two) || loaded[0].Sites != loaded[1].Sites {
		t.Fatalf("%d and %d mutants", len(one), len(two))
	}
	ids := map[string]bool{}
	for i := range one {
		a, b := one[i], two[i]
		if a.ID != b.ID || a.Original != b.Original || a.Replacement != b.Replacement || a.Site.Ordinal != b.Site.Ordinal {
			t.Fatalf("mutant %d is %s with one worker and %s with two", i, a.ID, b.ID)
		}
		if int(a.Selector) != i+1 || ids[a.ID] {
			t.Fatalf("mutant %d has selector %d and id %s, which is used: %v", i, a.Selector, a.ID, ids[a.ID])
		}
		ids[a.ID] = true
	}
	a, err := program.Features(loaded[0])
	if err != nil {
		t.Fatal(err)
	}
	b, err := program.Features(loaded[1])
	if err != nil {
		t.Fatal(err)
	}
	if !a.Equal(b) || a.Rows() != len(one) {
		t.Errorf("features differ: %d and %d rows for %d mutants", a.Rows(), b.Rows(), len(one))
	}
}

// oddSource has what earlier versions stumbled over in real programs: a call
// that never returns where no attribute is left of its group, and a constant
// that is not finite.
const oddSource = `#include <math.h>
#include <stdlib.h>
__attribute__((noreturn)) void leave(int code);
__attribute__((pure)) int twice(int x) { return x + x; }
double bound(double x, int n) {
  if (n > 3) leave(n);
  return x < HUGE_VAL ? x : -HUGE_VAL + twice(n);
}
`

func TestOddProgramsHaveFiniteFeaturesAndValidMetaMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.c")
	testfile.Write(t, path, oddSource)
	tools := clangtest.Tools(t)
	p, err := program.Load(t.Context(), tools, []program.Input{{Path: path}}, program.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := program.Features(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rows.Schema().Names()[1:] {
		values, err := rows.Numbers(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if math.IsInf(v, 0) {
				t.Errorf("%s of %s → %s is %v", name, p.Units[0].Mutants[i].Original, p.Units[0].Mutants[i].Replacement, v)
			}
		}
	}
	u := p.Units[0]
	schemata.Build(u.Module, u.Mutants, schemata.Options{Sites: p.Sites, Define: true})
	if err := tools.Verify(t.Context(), path, []byte(u.Module.String())); err != nil {
		t.Error(err)
	}
}

func TestFilesOfOneNameInTwoFoldersHaveMutantsOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	var inputs []program.Input
	for _, folder := range []string{"a", "b"} {
		path := filepath.Join(dir, folder, "same.c")
		testfile.Write(t, path, "static int f(int x) { return x + 1; }\nint use_"+folder+"(int x) { return f(x); }\n")
		inputs = append(inputs, program.Input{Path: path})
	}
	p, err := program.Load(t.Context(), clangtest.Tools(t), inputs, program.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range p.Mutants() {
		if seen[m.ID] {
			t.Errorf("id %s occurs twice", m.ID)
		}
		seen[m.ID] = true
	}
	names := paths.Shortest([]string{inputs[0].Path, inputs[1].Path, filepath.Join(dir, "other.c")})
	if names[inputs[0].Path] != "a/same.c" || names[inputs[1].Path] != "b/same.c" || names[filepath.Join(dir, "other.c")] != "other.c" {
		t.Errorf("short names %v", names)
	}
}

func TestLinesOfARepositoryHaveAnAge(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "grade.c")
	commit := func(date, text string) {
		testfile.Write(t, source, text)
		for _, args := range [][]string{{"init", "-q"}, {"add", "grade.c"}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "x"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	commit("2020-01-01T00:00:00Z", projecttest.Source)
	commit("2020-01-04T00:00:00Z", strings.Replace(projecttest.Source, ">= 50", ">= 40", 1))
	for _, asked := range []bool{true, false} {
		p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: source}}, program.LoadOptions{Mutation: programtest.Rules("ROR"), Ages: asked})
		if err != nil {
			t.Fatal(err)
		}
		table, err := program.Features(p)
		if err != nil {
			t.Fatal(err)
		}
		ages, err := table.Numbers("line_age")
		if err != nil {
			t.Fatal(err)
		}
		commits, err := table.Numbers("line_commits")
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range p.Mutants() {
			want := [2]float64{2, 1} // the loop's head is three days older: log2(1 + 3)
			if !strings.Contains(m.Original, "scanf") {
				want = [2]float64{0, 2}
			}
			if !asked {
				want = [2]float64{math.NaN(), math.NaN()}
			}
			for k, got := range [2]float64{ages[i], commits[i]} {
				if got != want[k] && !(math.IsNaN(got) && math.IsNaN(want[k])) {
					t.Errorf("%s: age and commits %v and %v, want %v", m.Original, ages[i], commits[i], want)
				}
			}
		}
	}
}
