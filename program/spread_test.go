package program

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

func TestASpreadKeepsAFewMutantsOfManyLinesAndAlwaysTheSame(t *testing.T) {
	made := func() []mutant.Mutant {
		var out []mutant.Mutant
		for line := 1; line <= 200; line++ {
			for k := range 9 {
				out = append(out, mutant.Mutant{ID: fmt.Sprintf("%x", (line*31+k*17)%4099), File: "a.c", Line: line})
			}
		}
		return out
	}
	for _, s := range []spread{{each: 1}, {each: 3}, {more: 1 << 30}, {each: 2, more: 1 << 31}} {
		s.chosen = map[string]bool{}
		kept, again := s.choose(made()), s.choose(made())
		lines := map[int]int{}
		for i, m := range kept {
			lines[m.Line]++
			if m.ID != again[i].ID {
				t.Fatal("two choices differ")
			}
			if i > 0 && m.Line < kept[i-1].Line {
				t.Fatal("the order has changed")
			}
		}
		more := 0
		for line, n := range lines {
			switch n {
			case s.each:
			case s.each + 1:
				more++
			default:
				t.Errorf("%+v: %d mutants on line %d", s, n, line)
			}
		}
		if s.each > 0 && len(lines) != 200 {
			t.Errorf("%+v: mutants on %d lines of 200", s, len(lines))
		}
		if want := 200 * int(s.more>>20) / 4096; more < want*3/4 || more > want*5/4 {
			t.Errorf("%+v: one more on %d lines of 200, want about %d", s, more, want)
		}
	}
}

func TestALineHasNoMoreMutantsThanPerLine(t *testing.T) {
	var made []mutant.Mutant
	for k := range 30 {
		made = append(made, mutant.Mutant{ID: fmt.Sprint(k), File: "a.c", Line: 1 + k%3})
	}
	if kept := newSpread(&Program{}, &Mutation{PerLine: 2}, &scope.Scope{}).choose(made); len(kept) != 6 {
		t.Errorf("%d mutants of 3 lines, want 2 a line", len(kept))
	}
}

func TestWhatIsKeptStaysWhateverTheSpreadSays(t *testing.T) {
	made := []mutant.Mutant{{ID: "a", File: "a.c", Line: 1}, {ID: "b", File: "a.c", Line: 1}, {ID: "c", File: "a.c", Line: 1}}
	kept := newSpread(&Program{}, &Mutation{PerLine: 1, Keep: map[string]bool{"c": true}}, &scope.Scope{}).choose(made)
	if len(kept) != 2 || kept[0].ID != "a" || kept[1].ID != "c" {
		t.Errorf("%d mutants are left, want a and c", len(kept))
	}
}

// A bound is for what is asked for: a changed line of a large file has its mutants.
func TestABoundIsSharedByTheLinesThatAreAskedForAlone(t *testing.T) {
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.c")
	testfile.Write(t, path, "int f(int x, int y) {\n"+strings.Repeat("  x += y * 3;\n", 200)+"  return x > y;\n}\n")
	load := func(most int, lines string) int {
		p, err := Load(t.Context(), clangtest.Tools(t), []Input{{Path: path}},
			LoadOptions{Mutation: Mutation{Most: most, Passes: none, Scope: scope.Options{Lines: []string{lines}}}})
		if err != nil {
			t.Fatal(err)
		}
		return len(p.Mutants())
	}
	if all, bound := load(0, "x.c:202"), load(100, "x.c:202"); all < 10 || all > 100 || bound != all {
		t.Errorf("of %d mutants of the line %d are made where a hundred may be", all, bound)
	}
	// Which half of the lines has one is drawn by their names, and that of the folder is another each time.
	if bound := load(100, "x.c:2-201"); bound > 135 || bound < 65 {
		t.Errorf("%d mutants of 200 lines are made where about a hundred may be", bound)
	}
}

func TestLinesThatNoTestRunsHaveOneMutantAtMostAndAFifthOfAll(t *testing.T) {
	t.Parallel()
	p, file := linesOfCode(t)
	made := func() []mutant.Mutant {
		var out []mutant.Mutant
		for line := 2; line <= 101; line++ {
			for k := range 9 {
				out = append(out, mutant.Mutant{ID: fmt.Sprintf("%x", (line*31+k*17)%4099), File: file, Line: line})
			}
		}
		return out
	}
	for _, c := range []struct{ most, unreached, onUnreached, onOthers int }{
		{200, 50, 40, 160}, // a fifth is for the lines that no test runs
		{500, 50, 50, 450}, // which have one at most
		{50, 100, 50, 0},   // there are no others
		{90, 0, 0, 90},
	} {
		unreached := func(_ string, line int) bool { return line-2 < c.unreached }
		kept := newSpread(p, &Mutation{Most: c.most, Unreached: unreached}, &scope.Scope{}).choose(made())
		on := map[bool]int{}
		lines := map[int]int{}
		for _, m := range kept {
			on[unreached(m.File, m.Line)]++
			if lines[m.Line]++; unreached(m.File, m.Line) && lines[m.Line] > 1 {
				t.Errorf("%+v: line %d, which no test runs, has %d mutants", c, m.Line, lines[m.Line])
			}
		}
		if !about(on[true], c.onUnreached) || !about(on[false], c.onOthers) {
			t.Errorf("%+v: %d mutants on lines that no test runs, %d on others", c, on[true], on[false])
		}
	}
}

func about(got, want int) bool { return got >= want*3/4 && got <= want*5/4+1 }

// linesOfCode is a program with code on the lines 2 to 101 of one file.
func linesOfCode(t *testing.T) (p *Program, file string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("void f(volatile int *p) {\n")
	for range 100 {
		text.WriteString("*p = 1;\n")
	}
	text.WriteString("}\n")
	path := filepath.Join(t.TempDir(), "a.c")
	testfile.Write(t, path, text.String())
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	p, err = Load(t.Context(), tools, []Input{{Path: path}}, LoadOptions{Mutation: Mutation{Nothing: true}})
	if err != nil {
		t.Fatal(err)
	}
	return p, path
}

// The slow twin makes all mutants first. Two files of one name have mutants of the same ids, and so have the
// functions of a file that is included twice.
func TestMutantsThatNobodyWantsAreNotMadeAndTheOthersAreTheSame(t *testing.T) {
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var inputs []Input
	testfile.Write(t, filepath.Join(dir, "again.h"), "static int NAME(int x) {\n  int k = LEAST;\n  while (x > k)\n    k += x - 1;\n  return k * 3;\n}\n")
	for _, folder := range []string{"first", "second"} {
		path := filepath.Join(dir, folder, "x.c")
		testfile.Write(t, path, "static int "+folder+"(int x) { return x; }\n#define BOTH(a, b) ((a) * 3 + (b) % 7 > (a) - (b))\n"+
			"static int f(int x, int y) {\n  if (BOTH(x, y))\n    return x + y;\n  return BOTH(y, x) + "+folder+"(x);\n}\nint g_"+folder+"(int x) { return f(x, 1) + f(1, x); }\n"+
			"#define NAME one\n#define LEAST 0\n#include \"../again.h\"\n#undef NAME\n#undef LEAST\n"+
			"#define NAME two\n#define LEAST 7\n#include \"../again.h\"\nint h_"+folder+"(int x) { return one(x) * two(x); }\n")
		inputs = append(inputs, Input{Path: path})
	}
	load := func(m Mutation) *Program {
		m.Passes = none
		p, err := Load(t.Context(), clangtest.Tools(t), inputs, LoadOptions{Mutation: m})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	all := load(Mutation{})
	some := all.Mutants()[len(all.Mutants())/2].ID
	for _, m := range []Mutation{{Most: 1}, {Most: 12}, {Most: 40, Keep: map[string]bool{some: true}}, {Most: 1000}, {PerLine: 1}, {PerLine: 3},
		{Most: 9, Unreached: func(_ string, line int) bool { return line == 4 }}} {
		var want []string
		s := newSpread(all, &m, &scope.Scope{})
		for _, u := range all.Units {
			byFunction := map[string][]mutant.Mutant{}
			for _, one := range u.Mutants {
				byFunction[one.Function] = append(byFunction[one.Function], one)
			}
			for _, f := range u.Module.Functions() {
				for _, one := range s.choose(byFunction[f.Name()]) {
					want = append(want, one.ID)
				}
			}
		}
		p := load(m)
		var got []string
		for _, one := range p.Mutants() {
			got = append(got, one.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Most %d, PerLine %d: %d mutants %q, want %d: %q", m.Most, m.PerLine, len(got), got, len(want), want)
		}
		for _, id := range got {
			// Of a line that differs the copies have changes that the first does not have.
			if first, is := mutant.CopiedFrom(id); is && !slices.Contains(got, first) {
				t.Errorf("Most %d, PerLine %d: %s without %s", m.Most, m.PerLine, id, first)
			}
		}
		for _, one := range all.Mutants() {
			if first, is := mutant.CopiedFrom(one.ID); is && slices.Contains(got, first) && !slices.Contains(got, one.ID) {
				t.Errorf("Most %d, PerLine %d: %s without %s", m.Most, m.PerLine, first, one.ID)
			}
		}
		if p.Generated != all.Generated || p.OutOfScope != all.Generated-len(want) {
			t.Errorf("Most %d, PerLine %d: %d generated, %d out of scope; of %d, %d are wanted", m.Most, m.PerLine, p.Generated, p.OutOfScope, all.Generated, len(want))
		}
	}
	only := load(Mutation{Only: map[string]bool{some: true}})
	if got := only.Mutants(); len(got) != 1 || got[0].ID != some || only.Generated != all.Generated {
		t.Errorf("only %s: %d mutants of %d", some, len(got), only.Generated)
	}
}

// A test includes what is mutated: its mutants are those of the file that are on the lines asked for, and count once. Where some are
// kept from an earlier choice, so are their copies, whatever number the unit has by now.
func TestCopiesHaveTheMutantsOfWhatTheyAreCopiesOf(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "x.c")
	testfile.Write(t, file, "int f(int n) {\n  int m = n * 3;\n  if (n > 4) // winnow:ignore[relational] as fast\n    return m - 1;\n  return m + n;\n}\n")
	testfile.Write(t, filepath.Join(folder, "test.c"), "#include \"x.c\"\nstatic int one(int n) { return n - 2; }\nint main(void) { return one(f(1)); }\n")
	own := Input{Path: file}
	copied := Input{Path: filepath.Join(folder, "test.c"), Only: func(name string, line int) bool { return name == file && line != 2 }}
	load := func(m Mutation, inputs ...Input) *Program {
		p, err := Load(t.Context(), clangtest.Tools(t), inputs, LoadOptions{Mutation: m})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	alone := load(Mutation{}, own)
	keep := alone.Mutants()[len(alone.Mutants())-1].ID
	for _, m := range []Mutation{{}, {Most: 4}, {PerLine: 2}, {PerLine: 1, Keep: map[string]bool{keep: true}}, {Scope: scope.Options{Lines: []string{file + ":5"}}}} {
		p, without := load(m, own, copied), load(m, own)
		if p.Generated != without.Generated || p.OutOfScope != without.OutOfScope || len(p.Suppressed) != len(without.Suppressed) {
			t.Errorf("%+v: %d generated, %d out of scope, %d suppressed; without the copy %d, %d, %d", m, p.Generated, p.OutOfScope, len(p.Suppressed),
				without.Generated, without.OutOfScope, len(without.Suppressed))
		}
		var want, got []string
		for _, one := range p.Units[0].Mutants {
			if one.Line != 2 {
				want = append(want, one.ID+"-1")
			}
		}
		for _, one := range p.Units[1].Mutants {
			got = append(got, one.ID)
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%+v: copies %q, want %q", m, got, want)
		}
		whole := p.WithoutCopies()
		if len(whole.Mutants()) != len(without.Mutants()) || whole.Count(equiv.Duplicate) != without.Count(equiv.Duplicate) || without.WithoutCopies() != without {
			t.Errorf("%+v: without copies %d mutants and %d duplicates, want %d and %d", m, len(whole.Mutants()), whole.Count(equiv.Duplicate), len(without.Mutants()), without.Count(equiv.Duplicate))
		}
		rows, err := Features(p)
		if err != nil || rows.Rows() != len(without.Mutants()) {
			t.Errorf("%+v: features of %d mutants, %v", m, rows.Rows(), err)
		}
	}
}

// Making few of the mutants of a file of macros, against making all of them: as of a hash function, every
// line has hundreds. What it takes to compile and to compare is in both.
func BenchmarkMakingFew(b *testing.B) {
	var text strings.Builder
	text.WriteString("#define ROUND(a, b, c, d, x, s) ((a) += (((b) & (c)) | (~(b) & (d))) + (x) * 5u, (a) = (((a) << (s)) | ((a) >> (32 - (s)))) + (b))\n" +
		"unsigned mix(unsigned *x, unsigned a, unsigned b, unsigned c, unsigned d) {\n")
	for k := range 60 {
		fmt.Fprintf(&text, "  ROUND(%c, %c, %c, %c, x[%d], %d);\n", 'a'+k%4, 'a'+(k+1)%4, 'a'+(k+2)%4, 'a'+(k+3)%4, k%16, 3+k%20)
	}
	text.WriteString("  return a + b + c + d;\n}\n")
	path := filepath.Join(b.TempDir(), "mix.c")
	testfile.Write(b, path, text.String())
	tools := clangtest.Tools(b)
	for _, most := range []int{60, 0} {
		b.Run(fmt.Sprint("most=", most), func(b *testing.B) {
			for range b.N {
				p, err := Load(b.Context(), tools, []Input{{Path: path}}, LoadOptions{Mutation: Mutation{Most: most, Unjudged: true}})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(p.Mutants())), "mutants")
				b.ReportMetric(float64(p.Generated), "generated")
			}
		})
	}
}
