package invariant_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/invariant"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// found are the facts of a function f as text, of all its loops.
func found(t *testing.T, source string) []string {
	t.Helper()
	code := op.Lower(defuse.Of(analysistest.Function(t, source, "f")))
	facts, err := invariant.Find(t.Context(), code, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := execute.Prepare(term.NewPool(), code, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, cut := range f.Cuts() {
		for _, one := range facts[cut] {
			out = append(out, one.Text(f.NameOf))
		}
	}
	return out
}

func TestFactsOfLoops(t *testing.T) {
	tests := map[string]struct {
		source string
		holds  []string
		not    []string
	}{
		"a counter": {
			`int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }`,
			[]string{"i >= 0"}, []string{"n >= 0", "i <= n", "s >= 0"},
		},
		"a counter to a constant": {
			`int f(int n) { int i, s = 0; for (i = 1; i <= 10; i++) s ^= n; return s; }`,
			[]string{"i >= 1", "i <= 11"}, nil,
		},
		"a counter downwards": {
			`int f(int n) { int s = 0; for (int i = 9; i >= 0; i--) s ^= n + i; return s; }`,
			[]string{"i >= -1", "i <= 9"}, nil,
		},
		"a length that was checked": {
			`int f(int n) { int i, s = 0; if (n < 0) return 0; for (i = 0; i < n; i++) s ^= i; return s; }`,
			[]string{"i >= 0", "i <= n", "n >= 0"}, nil,
		},
		"two counters": {
			`int f(int n) { int a = 0, b = 0; while (n-- > 0) { a++; if (n & 1) b++; } return a - b; }`,
			[]string{"a >= 0", "b >= 0", "b <= a"}, []string{"a <= b", "n >= 0"},
		},
		"what a loop leaves": { // b is positive only as a was, in the loop before
			`int f(int n) { int a = 1; for (int i = 0; i < n; i++) a++; int b = a; while (n > 0) { b++; n -= 2; } return b; }`,
			[]string{"a >= 1", "b >= 1"}, nil,
		},
		"what the loop may break": {
			`int f(int n) { int a = 0; for (int i = 0; i < n; i++) a = a + i * 3 - 7; return a; }`,
			[]string{"i >= 0"}, []string{"a >= 0", "a <= 0", "a >= -1"},
		},
		"whose address is given away": {
			`int g(int *); int f(int n) { int a = 0; while (g(&a)) n++; return n + a; }`,
			nil, []string{"a >= 0"},
		},
		"a large step may run over": {
			`int f(int n) { int a = 0; while (n--) a += 1000; return a; }`,
			nil, []string{"a >= 0"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			facts := found(t, test.source)
			for _, want := range test.holds {
				if !slices.Contains(facts, want) {
					t.Errorf("%s is not found: %v", want, facts)
				}
			}
			for _, wrong := range test.not {
				if slices.Contains(facts, wrong) {
					t.Errorf("%s is called a fact", wrong)
				}
			}
		})
	}
}

// Functions with loops, which are run on all small numbers, with every fact watched at the end
// of each round: the twin of the proofs.
var watched = []string{
	`int f(signed char a, signed char b) { int i = 0, c = 0; while (i < a) { if ((i ^ b) & 1) c++; else c -= 2; i++; WATCH } return 1; }`,
	`int f(signed char a, signed char b) { int i = 0, c = b; while (i <= 20) { i += 3; if (c > i) c = i; if (a < 0) a++; WATCH } return 1; }`,
	`int f(signed char a, signed char b) { int i, c = 1; if (a < b) return 1; i = b; while (i < a) { c = c * 2; if (c > 50) c = 1; i++; WATCH } return 1; }`,
	`int f(signed char a, signed char b) { unsigned char i = a; short c = 0; do { i--; c = i > b ? i : c; WATCH } while (i > 3); return 1; }`,
}

func TestFactsHoldInAllRunsOfSmallNumbers(t *testing.T) {
	step := int64(deep.Count(17, 1))
	for _, source := range watched {
		for _, fact := range found(t, strings.ReplaceAll(source, "WATCH", "")) {
			code := analysistest.Function(t, strings.ReplaceAll(source, "WATCH", "if (!("+fact+")) return 0;"), "f")
			run := concrete.Of(code, &op.Module{})
			var path concrete.Path
			for a := int64(-128); a < 128; a += step {
				for b := int64(-128); b < 128; b += step {
					run.AlongArguments(&path, []int64{a, b}, nil, 10_000)
					if path.Returned && path.Value() != 1 {
						t.Fatalf("%s does not hold in f(%d, %d): %s", fact, a, b, source)
					}
				}
			}
		}
	}
}
