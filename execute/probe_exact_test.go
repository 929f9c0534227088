//go:build linux

package execute_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// exactInputs are the inputs "a b" of testdata/exact.c.
var exactInputs = []string{"1 2", "2 2", "4 2", "-3 -2", "2 -5", "3 0", "0 0", "-2147483648 -1"}

// Which inputs infect a mutant can be read off the program; their places among
// the inputs stand for them.
func TestInfectionIsExactWhereItCanBeDecided(t *testing.T) {
	s := build(t, filepath.Join("testdata", "exact.c"), "default", true, divisions)
	var texts []string
	for _, in := range exactInputs {
		texts = append(texts, in+"\n")
	}
	tests := inputs(t, texts...)
	base := originals(t, start(t, s.meta, tests, execute.Options{}))
	probed := probe(t, s, tests, base)
	for _, c := range []struct{ function, original, replacement, infecting string }{
		{"less", "a < b", "a <= b", "16"},
		{"less", "a < b", "a != b", "245"}, // true where a > b, and a < b is not
		{"sum", "a + b", "a - b", "012347"},
		{"sum", "a + b", "a", "012347"},
		{"larger", "a > b", "a >= b", "16"}, // the same number, another branch
		// The last input ends the original at a / b: before anything else is
		// called, and inside the site, where a * b would have gone on.
		{"quotient", "a / b", "a * b", "012347"},
		{"difference", "a - b", "b", "01345"},
		// Relational replaced by division (a custom mutant): equal only for -3
		// and -2 (1) and for 2 and -5 (0); by 0 and of -2³¹ by -1 it traps.
		{"less", "a < b", "a / b", "012567"},
		// A deleted store is seen where it changes what was there: keep(b), and
		// then keep(a) over it, change nothing when both are 0; a local that has no value yet
		// is always changed.
		{"keep", "kept = a;", ";", "0123457"},
		{"fresh", "x = a;", ";", "0123456"},
	} {
		m := find(t, s.mutants, c.function, c.original, c.replacement)
		var want, got []byte
		for i := range exactInputs {
			if strings.Contains(c.infecting, strconv.Itoa(i)) {
				want = append(want, '0'+byte(i))
			}
			if probed.Tests[i].Unprobed != "" {
				t.Fatalf("input %q: %s", exactInputs[i], probed.Tests[i].Unprobed)
			}
			if probed.Tests[i].Infects(execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal}) {
				got = append(got, '0'+byte(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: `%s` => `%s` is infected by the inputs %s, want %s", c.function, c.original, c.replacement, got, want)
		}
	}
	keep := find(t, s.mutants, "keep", "kept = a;", ";")
	first := probed.Tests[0]
	if n, m := first.ReachCounts[keep.Site.Ordinal], first.InfectCounts[keep.Selector]; n != 2 || m != 2 {
		t.Errorf("kept = a is executed %d times and its deletion infects %d times, want 2 and 2", n, m)
	}
}

// What is remembered of the values is what mutant.ValueOf and mutant.ChangeOf say of
// the numbers that the program computes: the runtime sorts them as those do.
func TestWhatValuesWereLikeIsRemembered(t *testing.T) {
	s := build(t, filepath.Join("testdata", "exact.c"), "default", true)
	numbers := [][2]int64{{1, 2}, {2, 2}, {-3, -2}, {2, -5}, {3, 0}, {0, 0}, {40, -40}, {255, 1}, {-256, 1}, {65535, 7}, {65536, 70000}, {-2147483647, 2}, {1000, 1 << 30}}
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprintf("%d %d\n", n[0], n[1]))
	}
	tests := inputs(t, texts...)
	probed := probe(t, s, tests, originals(t, start(t, s.meta, tests, execute.Options{})))
	truth := func(holds bool) int64 {
		if holds {
			return 1
		}
		return 0
	}
	for _, c := range []struct {
		original, replacement string
		values                func(a, b int64) (original, mutant int64)
	}{
		{"a + b", "a - b", func(a, b int64) (int64, int64) { return int64(int32(a + b)), int64(int32(a - b)) }},
		{"a + b", "b", func(a, b int64) (int64, int64) { return int64(int32(a + b)), b }},
		{"a - b", "a + b", func(a, b int64) (int64, int64) { return int64(int32(a - b)), int64(int32(a + b)) }},
		{"a < b", "a <= b", func(a, b int64) (int64, int64) { return truth(a < b), truth(a <= b) }},
	} {
		function := map[string]string{"a + b": "sum", "a - b": "difference", "a < b": "less"}[c.original]
		m := find(t, s.mutants, function, c.original, c.replacement)
		for i, n := range numbers {
			if why := probed.Tests[i].Unprobed; why != "" {
				t.Fatal(why)
			}
			original, ours := c.values(n[0], n[1])
			if got, want := mutant.Values(probed.Tests[i].Values[m.Site.Ordinal]), mutant.ValueOf(original); got != want {
				t.Errorf("%v: `%s` is remembered as %#x, want %#x", n, c.original, got, want)
			}
			if got, want := mutant.Changes(probed.Tests[i].Changes[m.Selector]), mutant.ChangeOf(original, ours); got != want {
				t.Errorf("%v: `%s` => `%s` is remembered as %#x, want %#x", n, c.original, c.replacement, got, want)
			}
		}
	}
}

func TestWhatRealNumbersWereLikeIsRemembered(t *testing.T) {
	s := build(t, filepath.Join("testdata", "exact.c"), "default", true)
	numbers := [][2]float64{{1, 2}, {2, 0}, {-3, -2}, {2, -5}, {0, 3}, {300, 400}, {-70000, 2}}
	var texts []string
	for _, n := range numbers {
		texts = append(texts, fmt.Sprintf("%g %g\n", n[0], n[1]))
	}
	tests := inputs(t, texts...)
	probed := probe(t, s, tests, originals(t, start(t, s.meta, tests, execute.Options{})))
	for replacement, mutated := range map[string]func(a, b float64) float64{
		"a + b": func(a, b float64) float64 { return a + b }, "a / b": func(a, b float64) float64 { return a / b },
	} {
		m := find(t, s.mutants, "scaled", "a * b", replacement)
		for i, n := range numbers {
			if why := probed.Tests[i].Unprobed; why != "" {
				t.Fatal(why)
			}
			original, ours := n[0]*n[1], mutated(n[0], n[1])
			if got, want := mutant.Values(probed.Tests[i].Values[m.Site.Ordinal]), mutant.ValueOfReal(original); got != want {
				t.Errorf("%v: a * b is remembered as %#x, want %#x", n, got, want)
			}
			if got, want := mutant.Changes(probed.Tests[i].Changes[m.Selector]), mutant.ChangeOfReal(original, ours); got != want {
				t.Errorf("%v: a * b => %s is remembered as %#x, want %#x", n, replacement, got, want)
			}
		}
	}
}

// Branches that go elsewhere compute no other number, and what computes one goes
// nowhere else.
func TestWaysAndNumbersAreRememberedApart(t *testing.T) {
	s := build(t, filepath.Join("..", "mutant", "schemata", "testdata", "control.c"), "default", true)
	tests := inputs(t, "")
	probed := probe(t, s, tests, originals(t, start(t, s.meta, tests, execute.Options{}))).Tests[0]
	if probed.Unprobed != "" {
		t.Fatal(probed.Unprobed)
	}
	ways, numbers := 0, 0
	for i := range s.mutants {
		m := &s.mutants[i]
		c := mutant.Changes(probed.Changes[m.Selector])
		if infected := probed.InfectCounts[m.Selector] > 0; c != 0 && !infected {
			t.Errorf("`%s` => `%s` changes nothing, and is remembered as %#x", m.Original, m.Replacement, c)
		}
		if c == mutant.ChangeWay {
			ways++
			if _, ok := m.Edit.(mutant.Redirect); !ok {
				t.Errorf("`%s` => `%s` is no branch, and is remembered as one", m.Original, m.Replacement)
			}
		} else if _, known := c.Least(); known {
			numbers++
		}
		if c != mutant.ChangeWay && c&mutant.ChangeWay != 0 {
			t.Errorf("`%s` => `%s` is remembered as %#x", m.Original, m.Replacement, c)
		}
	}
	if ways == 0 || numbers == 0 {
		t.Errorf("%d mutants take another branch and %d compute another number: this test tries too little", ways, numbers)
	}
}

func find(t *testing.T, mutants []mutant.Mutant, function, original, replacement string) *mutant.Mutant {
	t.Helper()
	for i := range mutants {
		if m := &mutants[i]; m.Function == function && m.Original == original && m.Replacement == replacement {
			return m
		}
	}
	var have []string
	for _, m := range mutants {
		if m.Function == function {
			have = append(have, "`"+m.Original+"` => `"+m.Replacement+"`")
		}
	}
	t.Fatalf("%s has no mutant `%s` => `%s`, but %s", function, original, replacement, strings.Join(have, ", "))
	return nil
}

// divisions adds a mutant that divides where the original compares.
func divisions(m *ir.Module, r *operator.Result) {
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			for i, inst := range b.Insts {
				compare, ok := inst.(*llir.InstICmp)
				if !ok || f.Name() != "less" {
					continue
				}
				widen := b.Insts[i+1].(*llir.InstZExt)
				r.Mutants = append(r.Mutants, mutant.Mutant{ID: "division", Selector: int32(len(r.Mutants) + 1), Function: f.Name(),
					Original: "a < b", Replacement: "a / b", Site: mutant.Site{Ordinal: r.Sites, Func: f, Block: b},
					Edit: mutant.Rewrite{Insts: []llir.Instruction{widen}, Emit: func(c *mutant.Code) value.Value {
						return mutant.Add(c, llir.NewSDiv(compare.X, compare.Y))
					}}})
				r.Sites++
			}
		}
	}
}

// A stand-alone build logs what Mart's X.WM and X.COV do.
func TestAStandAloneBuildLogsEveryMutantOnceAtTheEndOfTheFile(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(t.Context(), filepath.Join("testdata", "larger.c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("larger.c", text)
	if err != nil {
		t.Fatal(err)
	}
	r := operator.Generate(m, operator.Options{})
	opts := schemata.ProbeOptions{Sites: r.Sites, Mutants: len(r.Mutants), Define: true, StandAlone: true}
	folder := t.TempDir()
	logged := func(kind, module string) (first, second string) {
		sources, err := execute.ProbeRuntimeSources(folder)
		if err != nil {
			t.Fatal(err)
		}
		file, out := filepath.Join(folder, kind+".ll"), filepath.Join(folder, kind)
		if err := os.WriteFile(file, []byte(module), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := tools.Link(t.Context(), out, append(sources, file), nil); err != nil {
			t.Fatal(err)
		}
		for k, input := range []string{"1 2\n", "3 3\n"} {
			log := filepath.Join(folder, kind+".log")
			cmd := exec.Command(out)
			cmd.Dir, cmd.Stdin = folder, strings.NewReader(input)
			cmd.Env = append(os.Environ(), "MART_WM_LOG_OUTPUT="+log)
			if k == 1 {
				cmd.Env, log = os.Environ(), filepath.Join(folder, "mart.defaultFileName."+kind+".covlabels")
			}
			for range 2 { // the second process adds its own lines
				if err := cmd.Run(); err != nil {
					t.Fatal(err)
				}
				again := *cmd
				cmd = exec.Command(out)
				cmd.Dir, cmd.Stdin, cmd.Env = again.Dir, strings.NewReader(input), again.Env
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			half := string(text[:len(text)/2])
			if half != string(text[len(text)/2:]) {
				t.Errorf("%s: two processes log %q", kind, text)
			}
			if k == 0 {
				first = half
			} else {
				second = half
			}
		}
		return first, second
	}
	covered, _ := logged("COV", schemata.CoverText(m, r.Mutants, opts))
	infected, equal := logged("WM", schemata.ProbeText(m, r.Mutants, opts))
	for _, m := range r.Mutants {
		if m.Original != "a > b" {
			continue
		}
		line := strconv.Itoa(int(m.Selector)) + "\n"
		if strings.Count("\n"+covered, "\n"+line) != 1 {
			t.Errorf("%s is not covered once: %q", m.Replacement, covered)
		}
		if m.Replacement == "a >= b" && (strings.Contains("\n"+infected, "\n"+line) || !strings.Contains("\n"+equal, "\n"+line)) {
			t.Errorf("a >= b is infected by 1 2 (%q) or not by 3 3 (%q)", infected, equal)
		}
	}
}
