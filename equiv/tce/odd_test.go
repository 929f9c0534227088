package tce_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir"
)

// expected is the first line of a function that gets no verdict, and why.
var expected = regexp.MustCompile(`(?m)^[^/\s].*?(\w+)\(.*\{.*// unknown: (.*)$`)

// TestWhatCannotBeSeenThroughGetsNoVerdict reads programs that do what passes do not
// know of. Some functions have to be left alone, for the reason that a comment
// gives. In the others, every mutant that is tied to the original or to another one
// is run, and has to print what that one prints.
func TestWhatCannotBeSeenThroughGetsNoVerdict(t *testing.T) {
	files, err := filepath.Glob("testdata/odd/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			p := load(t, file)
			reasons := reasonsIn(t, file)
			whole, windows := p.decide(t, tce.Options{}), p.decide(t, tce.Options{Large: 1, Window: 12})
			p.expectReasons(t, whole, reasons)
			p.expectAlike(t, append(p.outsideMain(whole), p.outsideMain(windows)...))
		})
	}
}

// TestWhatOtherFilesDefineIsKnown asks the stage about one file of a program of two.
func TestWhatOtherFilesDefineIsKnown(t *testing.T) {
	p, other := load(t, "testdata/linked/one.c"), load(t, "testdata/linked/two.c")
	p.beside = []string{other.file}
	verdicts := make([]equiv.Verdict, len(p.mutants))
	linked := equiv.Program{Modules: []*ir.Module{p.module, other.module}}
	_, err := tce.Stage(toolchain(t), tce.Options{}).Decide(t.Context(), linked, tce.BatchesOf(p.module, p.mutants, verdicts))
	if err != nil {
		t.Fatal(err)
	}
	p.expectReasons(t, verdicts, reasonsIn(t, p.file))
	if p.expectAlike(t, p.outsideMain(verdicts)) == 0 {
		t.Error("no mutant is tied to another: the program shows nothing")
	}
	p.generate(t)
	for i, v := range p.decide(t, tce.Options{}) {
		if p.mutants[i].Function == "aliased" && v.Kind == equiv.Equivalent && verdicts[i].Kind == equiv.Unknown {
			return
		}
	}
	t.Error("one file alone gives the same verdicts: the test shows nothing")
}

// reasonsIn reads which functions of a file get no verdict, and why.
func reasonsIn(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range expected.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = m[2]
	}
	return out
}

// expectReasons compares the verdicts on the mutants of each function: either all
// are unknown for the given reason, or the function is looked at.
func (p *program) expectReasons(t *testing.T, verdicts []equiv.Verdict, reasons map[string]string) {
	t.Helper()
	seen := map[string]bool{}
	for i, v := range verdicts {
		function := p.mutants[i].Function
		want, opaque := reasons[function]
		seen[function] = seen[function] || v.Evidence != ""
		if opaque && v != (equiv.Verdict{Mutant: v.Mutant, Reason: want}) {
			t.Errorf("%s: %+v, want no verdict: %s", function, v, want)
			return
		}
	}
	for function, examined := range seen {
		if reasons[function] == "" && !examined {
			t.Errorf("%s is not looked at", function)
		}
	}
	for function := range reasons {
		if _, ok := seen[function]; !ok {
			t.Errorf("%s has no mutants", function)
		}
	}
}

// outsideMain are the verdicts on the functions under test.
func (p *program) outsideMain(verdicts []equiv.Verdict) []equiv.Verdict {
	var out []equiv.Verdict
	for i, v := range verdicts {
		if p.mutants[i].Function != "main" {
			out = append(out, v)
		}
	}
	return out
}
