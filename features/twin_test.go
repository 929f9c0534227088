package features

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

const varied = `#include <stdio.h>
static int total, table[8];
static void bump(int *at, int by) { *at += by; total = total + by; }
static int decide(int a, int b) { return a > 3 && b < 2 || a == b; }
int main(int argc, char **argv) {
  int i, found = 0, best = argc;
  for (i = 0; i < 8; i++) table[i] = i * argc - 3;
  do { i--; if (table[i] > best) best = table[i]; else if (!found) found = decide(i, best); } while (i > 0);
  bump(&best, table[3] >> 1);
  switch (best % 3) { case 0: found = -found; case 1: total++; break; default: total = found ? 4 : best; }
  printf("%d %d\n", total, best);
  return found;
}
`

func programOf(t *testing.T, source string) (*program, []mutant.Mutant) {
	t.Helper()
	m, mutants := compiled(t, source)
	p, err := survey(m, mutants, inputs{})
	if err != nil {
		t.Fatal(err)
	}
	p.prepare(staticFamilies())
	return p, mutants
}

// compiled is a C program and its mutants.
func compiled(t testing.TB, source string) (*ir.Module, []mutant.Mutant) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m, operator.Generate(m, operator.Options{}).Mutants
}

func sitesOf(p *program) (out []*site) {
	for _, f := range p.functions {
		out = append(out, f.sites...)
	}
	return out
}

// nodesOf are the expressions that a mutant touches.
func nodesOf(f *function, m *mutant.Mutant) []int {
	var out []int
	for _, inst := range m.Site.Touched {
		i, _ := f.code.Number(inst)
		out = append(out, f.forest.Of[i])
	}
	if m.Site.Term != nil {
		i, _ := f.code.Number(m.Site.Term)
		out = append(out, f.forest.Of[i])
	}
	return out
}

func meet(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

// TestCountsBySiteAreCountsByMutant holds what is summed by site to the
// definition, which goes from mutant to mutant.
func TestCountsBySiteAreCountsByMutant(t *testing.T) {
	p, mutants := programOf(t, varied)
	nonzero := map[string]bool{}
	for _, s := range sitesOf(p) {
		f, on := s.fn, relations.of(s.fn)
		for name, got := range map[string]struct {
			row  []float64
			with func(o *mutant.Mutant) bool
		}{
			"out_data":    {row(outData, s), func(o *mutant.Mutant) bool { return meet(nodesOf(f, o), on.sinks(s.nodes)) }},
			"in_data":     {row(inData, s), func(o *mutant.Mutant) bool { return meet(nodesOf(f, o), on.sources(s.nodes)) }},
			"in_control":  {row(inControl, s), func(o *mutant.Mutant) bool { return controls(f, o, s.block) }},
			"out_control": {row(outControl, s), func(o *mutant.Mutant) bool { return controls(f, &mutants[s.mutants[0]], blockOf(f, o)) }},
			"complexity":  {row(complexity, s), func(o *mutant.Mutant) bool { return o.Site.Statement == mutants[s.mutants[0]].Site.Statement }},
			"tie":         {row(tie, s)[:1], func(o *mutant.Mutant) bool { return touchesSame(o, &mutants[s.mutants[0]]) }},
			"parent_tie":  {row(parents, s)[4:], func(o *mutant.Mutant) bool { return meet(nodesOf(f, o), on.parents(s.nodes)) }},
		} {
			want := newTally()[:len(got.row)]
			for i := range mutants {
				if o := &mutants[i]; o.Site.Func == f.code.Func && got.with(o) {
					want[0]++
					for _, column := range halvesOf(o) {
						if len(want) > 1 {
							want[1+column]++
						}
					}
				}
			}
			if !slices.Equal(got.row, want) {
				t.Errorf("%s of %s: %v mutants by site, %v by mutant", name, mutants[s.mutants[0]].Original, got.row[0], want[0])
			}
			nonzero[name] = nonzero[name] || want[0] > 0
		}
	}
	if len(nonzero) != 7 {
		t.Errorf("compared %v", nonzero)
	}
	for name, ok := range nonzero {
		if !ok {
			t.Errorf("no mutant has any %s", name)
		}
	}
}

func row(f Family, s *site) []float64 {
	out := make([]float64, len(f.Columns))
	f.PerSite(s, out)
	return out
}

// controls: the mutant is on the condition of another block, on which the
// block depends.
func controls(f *function, m *mutant.Mutant, block int) bool {
	b := blockOf(f, m)
	return b != block && slices.Contains(controlDependence.of(f).Controllers[block], b) && meet(nodesOf(f, m), conditions.of(f)[b])
}

func blockOf(f *function, m *mutant.Mutant) int {
	b, _ := graph.of(f).Number(m.Site.Block)
	return b
}

func touchesSame(a, b *mutant.Mutant) bool {
	for _, x := range a.Site.Touched {
		for _, y := range b.Site.Touched {
			if x == y {
				return true
			}
		}
	}
	return a.Site.Term != nil && a.Site.Term == b.Site.Term
}

func TestExtractingFeaturesLeavesTheModuleAsItIs(t *testing.T) {
	p, mutants := programOf(t, varied)
	text := func() string {
		var out strings.Builder
		for _, f := range p.functions {
			out.WriteString(f.code.Func.LLString())
		}
		return out.String()
	}
	before := text()
	for i := range mutants {
		newEdit(&mutants[i])
	}
	if text() != before {
		t.Error("reading the recipes changed the module")
	}
}
