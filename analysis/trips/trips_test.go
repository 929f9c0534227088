package trips_test

import (
	"fmt"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/analysis/trips"
)

func loopsOf(f *llir.Func) []*trips.Loop {
	code, g := defuse.Of(f), cfg.New(f)
	d, flow := dominance.Dominators(g), dataflow.Of(code, g)
	nest := loop.Of(g, d)
	return trips.Of(&trips.Function{Code: code, Graph: g, Loops: nest, Dominators: d, Flow: flow, Ranges: ranges.Of(op.Lower(code), g, nest, flow)})
}

// simulate runs a loop of the form for (i = start; i op bound; i += step).
func simulate(start, bound, step int, op string) (count int64, ends bool) {
	for i := start; ; i += step {
		holds := map[string]bool{"<": i < bound, "<=": i <= bound, ">": i > bound, ">=": i >= bound, "!=": i != bound, "==": i == bound}[op]
		if !holds {
			return count, true
		}
		if count++; count > 1000 {
			return 0, false
		}
	}
}

func TestCountedLoopsRunAsOftenAsTheySay(t *testing.T) {
	type head struct {
		start, bound, step int
		op                 string
	}
	var heads []head
	var source strings.Builder
	source.WriteString("void body(void);\n")
	for _, op := range []string{"<", "<=", ">", ">=", "!=", "=="} {
		for _, start := range []int{-3, 0, 4} {
			for _, bound := range []int{-3, 0, 5} {
				for _, step := range []int{-2, -1, 1, 3} {
					fmt.Fprintf(&source, "void f%d(void) { for (int i = %d; i %s %d; i += %d) body(); }\n", len(heads), start, op, bound, step)
					fmt.Fprintf(&source, "void g%d(void) { int i = %d; do { body(); i = i + %d; } while (i %s %d); }\n", len(heads), start, step, op, bound)
					heads = append(heads, head{start, bound, step, op})
				}
			}
		}
	}
	functions := map[string]*llir.Func{}
	for _, f := range analysistest.Module(t, source.String()).Functions() {
		functions[f.Name()] = f
	}
	for k, h := range heads {
		for _, bottom := range []bool{false, true} {
			name, start, extra := fmt.Sprint("f", k), h.start, int64(0)
			if bottom { // the first round is free, and then the condition is asked
				name, start, extra = fmt.Sprint("g", k), h.start+h.step, 1
			}
			count, ends := simulate(start, h.bound, h.step, h.op)
			loops := loopsOf(functions[name])
			if len(loops) != 1 {
				t.Fatalf("%+v: %d loops count", h, len(loops))
			}
			got := loops[0].Trips(trips.Edit{})
			if !got.Known || got.Endless == ends || ends && (got.Count != count+extra || !got.Bounded || got.Most != got.Count) || got.Step != int64(h.step) {
				t.Errorf("%s %+v runs %d times (ends: %v), found %+v", name, h, count+extra, ends, got)
			}
		}
	}
}

func TestLoopsOfOtherFormsAreCounted(t *testing.T) {
	const missing = -1
	for _, c := range []struct {
		body        string
		loops       int
		count, most int64
	}{
		{"int k = 5; while (k--) body();", 1, 5, 5},
		{"int k = 5; while (--k) body();", 1, 4, 4},
		{"int k = 5; while (k > 0) { if (n) { k--; continue; } k--; }", 0, 0, 0}, // two places
		{"for (int i = 0; i < n; i++) body();", 1, missing, missing},
		{"int m = n & 7; for (int i = 0; i < m; i++) body();", 1, missing, 7},
		{"for (unsigned i = 0; i < 6; i++) body();", 1, 6, 6},
		{"for (unsigned i = 5; i >= 0; i--) body();", 1, missing, missing}, // it wraps
		{"for (int i = 0; 2 * i + 1 < 10; i++) body();", 1, 5, 5},
		{"for (long i = 0; i < 6; i++) if (n) break;", 1, 6, 6},
		{"for (int i = 1; i < 100; i *= 2) body();", 0, 0, 0},
		{"for (int i = 0; i < 10; i++) if (n) i++;", 0, 0, 0},
		{"for (int i = 0; i < 10; i++) change(&i);", 0, 0, 0},
		{"for (int i = 0; i < 10; ) { if (n) break; if (n > 3) continue; i++; }", 0, 0, 0},
		{"int i; for (i = 0; i < 3; i++) body(); for (; i < 10; i++) body();", 2, 3, 3},
		{"int i = 0; if (n) i = 4; for (; i < 10; i++) body();", 1, missing, 10},
		{"while (n) body();", 0, 0, 0},
		{"int i = 0; while (a[i] != 0) i++;", 0, 0, 0},
	} {
		f := analysistest.Function(t, "void body(void); void change(int *); int a[9];\nvoid f(int n) { "+c.body+" }\n", "f")
		loops := loopsOf(f)
		if len(loops) != c.loops {
			t.Errorf("%s: %d loops count", c.body, len(loops))
			continue
		}
		if c.loops == 0 {
			continue
		}
		got := loops[0].Trips(trips.Edit{})
		if got.Known != (c.count >= 0) || got.Known && got.Count != c.count || got.Bounded != (c.most >= 0) || got.Bounded && got.Most != c.most {
			t.Errorf("%s: %+v, want %d, at most %d", c.body, got, c.count, c.most)
		}
	}
}
