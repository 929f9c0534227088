package selfcheck

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// TestTheCTextOfMutantsIsWhatIsRun compares a sample of mutants with their C,
// compiled and run. make verify-patches does it for a thousand.
func TestTheCTextOfMutantsIsWhatIsRun(t *testing.T) {
	var cases []project.Case
	for _, name := range deep.Sample(t, 1, []string{"codec", "bst"}) {
		p, err := project.Open("../examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Cases(false)
		if err != nil {
			t.Fatal(err)
		}
		c[0].Tests = c[0].Tests[:4]
		cases = append(cases, c...)
	}
	// Equal mutants are compared as well: to find them costs more than they do.
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	sample := deep.Count(12, 40)
	r, err := VerifyPatches(t.Context(), clangtest.Tools(t), cases, PatchOptions{Sample: sample, Seed: 3, Mutation: program.Mutation{Passes: none}})
	if err != nil {
		t.Fatal(err)
	}
	mutants, placed := 0, 0
	for _, count := range r.Operators {
		mutants += count.Mutants
		placed += count.Placed
	}
	if r.Compared != sample || r.Pairs != 4*sample || placed*100 < mutants*98 {
		t.Errorf("%d mutants compared on %d pairs; %d of %d have C text", r.Compared, r.Pairs, placed, mutants)
	}
	for _, f := range r.Disagreements() {
		t.Errorf("%s: %s %s `%s` => `%s`: %s %v\n%s", f.Program, f.Mutant.Operator, f.Mutant.Type(), f.Mutant.Original, f.Mutant.Replacement, f.Error, f.Tests, f.Diff)
	}
}

// TestTheCTextOfMutantsInMacrosIsWhatIsRun has programs whose code macros make: nested
// ones, arguments used twice, several statements on a line, loops and cases, stringification,
// pasting, __LINE__; and wide integers and assembly, whose text is no standard C. Mutants of
// which the text is not known say so, and are few.
func TestTheCTextOfMutantsInMacrosIsWhatIsRun(t *testing.T) {
	var cases []project.Case
	for _, name := range []string{"values", "statements", "pointers", "wide"} {
		p, err := project.Open("testdata/macros/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Cases(false)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c...)
	}
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	sample := deep.Count(16, 40)
	r, err := VerifyPatches(t.Context(), clangtest.Tools(t), cases, PatchOptions{Sample: sample, Seed: 2, Mutation: program.Mutation{Passes: none}})
	if err != nil {
		t.Fatal(err)
	}
	mutants, placed := 0, 0
	for _, count := range r.Operators {
		mutants += count.Mutants
		placed += count.Placed
	}
	if r.Compared != sample || placed*100 < mutants*93 {
		t.Errorf("%d mutants compared; %d of %d have C text: %v", r.Compared, placed, mutants, r.Reasons)
	}
	for reason, n := range r.Reasons {
		if reason != patch.InIR {
			t.Errorf("%d mutants have no C text and do not say so: %s", n, reason)
		}
	}
	for _, f := range r.Disagreements() {
		t.Errorf("%s: %s %s `%s` => `%s`: %s %v\n%s", f.Program, f.Mutant.Operator, f.Mutant.Type(), f.Mutant.Original, f.Mutant.Replacement, f.Error, f.Tests, f.Diff)
	}
}

// TestTheCTextOfNarrowNumbersIsWhatIsRun has chars, shorts and bit-fields, which C widens to
// int: abs(c) of an unsigned char is c, and a mutant that takes the byte for a negative
// number is another.
func TestTheCTextOfNarrowNumbersIsWhatIsRun(t *testing.T) {
	p, err := project.Open("testdata/narrow")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := p.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	signs, err := rule.Parse("signs", []byte("@ --> abs, ABS(@); nabs, NEGABS(@);\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, try := range []struct {
		rules  *rule.Set
		sample int
	}{{signs, deep.Count(20, 40)}, {nil, deep.Count(20, 200)}} {
		r, err := VerifyPatches(t.Context(), clangtest.Tools(t), cases, PatchOptions{Sample: try.sample, Seed: 2, Mutation: program.Mutation{Rules: try.rules, Passes: none}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Compared < 20 {
			t.Errorf("only %d mutants were compared", r.Compared)
		}
		for _, f := range r.Disagreements() {
			t.Errorf("%s: %s %s `%s` => `%s`: %s %v\n%s", f.Program, f.Mutant.Operator, f.Mutant.Type(), f.Mutant.Original, f.Mutant.Replacement, f.Error, f.Tests, f.Diff)
		}
	}
}

// TestAPatchThatLiesIsFound: the comparison can fail.
func TestAPatchThatLiesIsFound(t *testing.T) {
	dir := t.TempDir()
	testfile.Write(t, dir+"/grade.c", projecttest.Source)
	testfile.Write(t, dir+"/winnow.toml", "program = \"grade\"\nsources = [\"grade.c\"]\n[tests]\ndir = \"tests\"\n")
	testfile.Write(t, dir+"/tests/a.in", "49 50 51\n")
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := p.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]struct {
		from, to string
		error    bool
	}{
		"other C":    {">= 50", "> 49", false}, // survives, and the mutant does not
		"no C":       {">= 50", ">=", true},
		"what it is": {},
	} {
		r, err := VerifyPatches(t.Context(), clangtest.Tools(t), cases, PatchOptions{Sample: 2, change: func(one *patched) {
			if want.from != "" {
				one.text = []byte(strings.Replace(projecttest.Source, want.from, want.to, 1))
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		found := r.Disagreements()
		if (len(found) > 0) != (want.from != "") {
			t.Errorf("%s: %d disagreements of %d", change, len(found), r.Compared)
		}
		for _, f := range found {
			if (f.Error != "") != want.error {
				t.Errorf("%s: %q %v", change, f.Error, f.Tests)
			}
		}
	}
}
