package tce_test

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
)

// TestWindowsFindPartOfWhatWholeFunctionsShow compares windows with their slow
// twin, which optimises the whole function for each mutant. Passes see different
// code in the two, and now and then find in a window what they miss in the whole
// (that such mutants behave alike is for the test that runs them).
func TestWindowsFindPartOfWhatWholeFunctionsShow(t *testing.T) {
	p := load(t, "../../examples/uncomment/uncomment.c")
	whole := p.decide(t, tce.Options{Large: 1 << 30})
	for _, size := range []int{10, 40} {
		windows := p.decide(t, tce.Options{Large: 1, Window: size})
		found, all, only := 0, 0, 0
		for i, v := range windows {
			if !strings.HasSuffix(v.Evidence, "/window") {
				t.Errorf("mutant %d: evidence %q", v.Mutant, v.Evidence)
			}
			if whole[i].Kind != equiv.Distinct {
				all++
			}
			if v.Kind == equiv.Distinct {
				continue
			}
			found++
			// The window may name a later mutant of the class than the whole function.
			if whole[i].Kind == equiv.Distinct || class(whole, v.Mutant) != class(whole, v.Of) {
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
