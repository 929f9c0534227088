package built

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// unitOf is a unit of one file with a mutant at each site, on the lines.
func unitOf(path string, firstSite int, lines ...int) *program.Unit {
	u := &program.Unit{Input: program.Input{Path: path}}
	for k, line := range lines {
		u.Mutants = append(u.Mutants, mutant.Mutant{File: path, Line: line, Selector: int32(firstSite + k + 1), Site: mutant.Site{Ordinal: firstSite + k}})
	}
	return u
}

func TestLinesAreRunWhereATestThatIsUsedComesToOneOfTheirMutants(t *testing.T) {
	p := &program.Program{Units: []*program.Unit{unitOf("a.c", 0, 1, 2, 2), unitOf("b.c", 3, 1), unitOf("d.c", 4, 10, 20, 30)}, Sites: 7}
	used, aside := execute.NewBits(7), execute.NewBits(7)
	used.Set(6)
	used.Set(2)
	aside.Set(3)
	l := linesOf(p, &execute.Baseline{Tests: []execute.TestBaseline{{Reached: used}, {Reached: aside, SetAside: "flaky"}}}, true)
	for at, want := range map[place]bool{{"a.c", 1}: true, {"a.c", 2}: false, {"b.c", 1}: true, {"a.c", 3}: false, {"c.c", 1}: false,
		// Lines that begin no statement go with those beside them.
		{"d.c", 5}: false, {"d.c", 10}: true, {"d.c", 15}: true, {"d.c", 25}: false, {"d.c", 35}: false, {"b.c", 3}: true} {
		if got := l.unreached(at.file, at.line); got != want {
			t.Errorf("%v: no test is known to run it: %t, want %t", at, got, want)
		}
	}
	if l.rank("a.c") >= l.rank("d.c") || l.rank("d.c") >= l.rank("c.c") || l.rank("c.c") >= l.rank("b.c") {
		t.Errorf("sources rank %d (half run), %d (a third), %d (not looked at), %d (not run)", l.rank("a.c"), l.rank("d.c"), l.rank("c.c"), l.rank("b.c"))
	}
}

// A library that is built for users and, with other flags, for its tests.
func TestAVariantThatNoTestRunsIsSpareWhereAnotherHasAllOfItsLines(t *testing.T) {
	p := &program.Program{Units: []*program.Unit{unitOf("a.c", 0, 1, 2), unitOf("a.c", 2, 1, 2, 3), unitOf("b.c", 5, 1, 2), unitOf("b.c", 7, 1), unitOf("c.c", 8, 1), unitOf("c.c", 9, 1)}, Sites: 10}
	for k, flag := range []string{"-DUSERS", "-DTESTS", "-DUSERS", "-DTESTS", "-DUSERS", "-DTESTS"} {
		p.Units[k].Input.Flags = []string{flag}
	}
	used := execute.NewBits(10)
	used.Set(2) // the first line of a.c as it is built for tests, and of b.c, which has one line less there
	used.Set(7)
	base := &execute.Baseline{Tests: []execute.TestBaseline{{Reached: used}}}
	if l, want := linesOf(p, base, true), map[string]bool{"a.c\x00\x00-DUSERS": true}; !maps.Equal(l.spare, want) {
		t.Errorf("spare are %v, want %v", l.spare, want)
	}
	base.Tests[0].SetAside = command.NoTime
	if l := linesOf(p, base, false); len(l.spare) > 0 || !l.run[place{"a.c", 1}] || l.run[place{"a.c", 2}] {
		t.Errorf("of a test that had not ended: spare are %v, lines %v", l.spare, l.run)
	}
}

// The test program t includes a.c, of which it runs the second line, and the library's own tests the first.
func TestLinesOfACopyAreThoseThatItsOwnTestsRun(t *testing.T) {
	copied := unitOf("t.c", 2, 1, 2)
	for i := range copied.Mutants {
		copied.Mutants[i].File = "a.c"
	}
	copied.Input.Only = func(string, int) bool { return true }
	p := &program.Program{Units: []*program.Unit{unitOf("a.c", 0, 1, 2), copied}, Sites: 4}
	used := execute.NewBits(4)
	used.Set(0)
	used.Set(3)
	base := &execute.Baseline{Tests: []execute.TestBaseline{{Reached: used}}}
	l := linesOf(p, base, true)
	own := l.copies[variantName(copied.Input)]
	if l.unreached("a.c", 1) || l.unreached("a.c", 2) || !own.unreached("a.c", 1) || own.unreached("a.c", 2) || len(l.copies) != 1 {
		t.Errorf("run are %v, of the copy %v", l.run, own)
	}
	if l.sources["a.c"] != 1./2 {
		t.Errorf("of a.c %v is run", l.sources["a.c"])
	}
	base.Tests[0].SetAside = command.NoTime
	if own := linesOf(p, base, false).copies[variantName(copied.Input)]; own.unreached("a.c", 1) {
		t.Error("a test had not ended, and it is known what it does not run")
	}
}

func TestSourcesThatTestsRunComeFirst(t *testing.T) {
	work := t.TempDir()
	c := &capture.Capture{Work: work}
	for _, name := range []string{"a.c", "b.c", "c.c", "d.c"} {
		c.Units = append(c.Units, capture.Unit{ID: name, Source: name, Language: "c"})
		c.Subject.Units = append(c.Subject.Units, name)
		if err := os.WriteFile(filepath.Join(work, name), make([]byte, 100), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &recording{build: c}
	before := r.sources()
	for _, is := range []struct {
		bytes int64
		files int
	}{{0, 1}, {250, 2}, {400, 4}} {
		if got := r.sourcesOf(is.bytes); got.files != is.files {
			t.Errorf("%d bytes: %d files, want %d", is.bytes, got.files, is.files)
		}
	}
	last := before[3]
	r.looked = looked{sources: map[string]float64{filepath.Join(work, last): 1. / 4, filepath.Join(work, before[0]): 0}}
	if got, want := r.sources(), []string{last, before[1], before[2], before[0]}; !slices.Equal(got, want) {
		t.Errorf("sources are %v, want %v", got, want)
	}
}

func TestTestsThatNoticeNothingAreNamedOnceAndNotOneByOne(t *testing.T) {
	var said []string
	r := &recording{blind: map[string]bool{}, opts: Options{Say: func(line string) { said = append(said, line) }}}
	s := &suite{}
	byOutput := map[int]bool{}
	for k := range 8 {
		s.tests = append(s.tests, command.Test{Name: fmt.Sprintf("t%d", k)})
		byOutput[k] = k > 0
	}
	r.tellBlind(s, byOutput)
	r.tellBlind(s, byOutput)
	want := []string{
		"7 tests pass even when the program is stopped as soon as it begins, so that what they print is compared: t1, t2, t3, t4, t5, …",
		"test t0 passes even when the program is stopped as soon as it begins, and prints the same: it kills no mutant",
	}
	if !slices.Equal(said, want) {
		t.Errorf("it says %q", said)
	}
}
