package tce_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/deep"
)

// TestWindowsFindPartOfWhatWholeFunctionsShow compares windows with their slow
// twin, which optimises the whole function for each mutant. Passes see different
// code in the two, and now and then find in a window what they miss in the whole
// (that such mutants behave alike is for the test that runs them).
func TestWindowsFindPartOfWhatWholeFunctionsShow(t *testing.T) {
	p := load(t, "../../examples/uncomment/uncomment.c")
	whole := p.decide(t, tce.Options{Large: 1 << 30})
	for _, size := range deep.Sample(t, 1, []int{10, 40}) {
		windows := p.decide(t, tce.Options{Large: 1, Window: size})
		found, all, only := 0, 0, 0
		for i, v := range windows {
			if !strings.HasSuffix(v.Evidence, "/window") {
				t.Errorf("mutant %d: evidence %q", v.Mutant, v.Evidence)
			}
			if whole[i].Kind != equiv.Unknown {
				all++
			}
			if v.Kind == equiv.Unknown {
				continue
			}
			found++
			// The window may name a later mutant of the class than the whole function.
			if whole[i].Kind == equiv.Unknown || class(whole, v.Mutant) != class(whole, v.Of) {
				only++
				m, of := p.mutants[i], p.mutants[max(v.Of, 1)-1]
				t.Logf("windows of %d: %+v, %s:%d `%s` => `%s` and line %d `%s` => `%s`, but %+v in the whole function",
					size, v, m.Function, m.Line, m.Original, m.Replacement, of.Line, of.Original, of.Replacement, whole[i])
			}
		}
		if only*50 > found {
			t.Errorf("windows of %d instructions: %d of %d verdicts are theirs alone", size, only, found)
		}
		if found < all*size/80 {
			t.Errorf("windows of %d instructions find %d of %d", size, found, all)
		}
	}
}

func TestVerdictsOnWindowsDependNeitherOnWorkersNorOnBatches(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	want := p.decide(t, tce.Options{Large: 1, Window: 8, Workers: 1})
	for i, v := range p.decide(t, tce.Options{Large: 1, Window: 8, Workers: 3, BatchBytes: 4000}) {
		if v != want[i] {
			t.Errorf("%+v, and %+v with one worker and one batch", v, want[i])
		}
	}
}

// TestALongSwitchIsInAWindowOfItsOwn: each of its cases is an exit of the window,
// and in the text of each mutant of the window. A parser's reductions are a switch
// of hundreds.
func TestALongSwitchIsInAWindowOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reduce.c")
	var text strings.Builder
	text.WriteString("int reduce(int rule, int a) {\n  if (a < 0) a = -a;\n  switch (rule) {\n")
	for k := range 150 {
		fmt.Fprintf(&text, "  case %d: a += %d; break;\n", k, k+2)
	}
	text.WriteString("  }\n  return a;\n}\n")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	f := load(t, file).module.Functions()[0]
	windows, blocks := tce.Windows(f, nil, 100), 0
	for _, w := range windows {
		blocks += len(w)
		for _, b := range w {
			if _, ok := b.Term.(*llir.TermSwitch); ok && len(w) != 1 {
				t.Errorf("the switch is in a window of %d blocks", len(w))
			}
		}
	}
	if blocks != len(f.Blocks) || len(windows) < 5 {
		t.Errorf("%d windows have %d of %d blocks", len(windows), blocks, len(f.Blocks))
	}
}

// TestALongBlockIsInWindowsOfItsPieces: the rounds of a hash, each of whose mutants would
// otherwise have all of them in its clone.
func TestALongBlockIsInWindowsOfItsPieces(t *testing.T) {
	p := load(t, "testdata/rounds.c")
	functions := p.module.Functions()
	f := functions[slices.IndexFunc(functions, func(f *llir.Func) bool { return f.Name() == "mixed" })]
	const most = 40
	var insts []llir.Instruction
	windows := tce.Windows(f, p.mutants, most)
	for _, w := range windows {
		if len(w) != 1 || len(w[0].Insts) > most {
			t.Errorf("a window of %d blocks, the first of %d instructions", len(w), len(w[0].Insts))
		}
		insts = append(insts, w[0].Insts...)
	}
	if len(f.Blocks) != 1 || !slices.Equal(insts, f.Blocks[0].Insts) || len(windows) < 5 {
		t.Errorf("%d windows have %d of %d instructions", len(windows), len(insts), len(f.Blocks[0].Insts))
	}
}
