package features_test

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/mutant"
)

const followed = `#include <stdio.h>
static int total;
static int lost(int n) { int dead = n + 1; dead = 0; return dead; }
static int kept(int n) { return n + 2; }
static void writes(int n) { total = n + 3; }
static int never(int n) { return n + 4; }
static int traps(int n) { return 10 / (n + 5); }
int main(void) {
  int n;
  while (scanf("%d", &n) == 1) { printf("%d %d %d", lost(n), kept(n), traps(n)); writes(n); }
  printf("%d", n + 6);
  return total > 1000 ? never(n) : 0;
}
`

// Of a - b in place of a + b a test knows whether the difference gets out of the function,
// and not whether it is printed.
func TestFirmMutationTellsWhatGetsOutOfAFunctionOnATest(t *testing.T) {
	m, mutants := generate(t, followed)
	atExits, err := features.CompareAtExits(m, mutants, [][]byte{[]byte("5 7"), []byte("0"), nil})
	if err != nil {
		t.Fatal(err)
	}
	differs, returned := mutant.LeavingKnown, mutant.LeavingKnown|mutant.LeavingReturned
	for original, want := range map[string][3]mutant.Leaving{
		"n + 1": {differs, differs, 0}, "n + 2": {returned, returned, 0}, "n + 3": {differs.With(1, 0), differs.With(1, 0), 0},
		"n + 4": {}, "n + 5": {mutant.LeavingKnown | mutant.LeavingTrapped, returned, 0}, "n + 6": {differs, differs, differs},
	} {
		found := false
		for i := range mutants {
			if mutants[i].Original != original || mutants[i].Type() != "ADD!SUB" || !strings.HasPrefix(mutants[i].Replacement, "n - ") {
				continue
			}
			found = true
			for k := range want {
				if atExits[k][i] != want[k] {
					t.Errorf("%s (%s) on test %d: %b, want %b", original, mutants[i].Replacement, k, atExits[k][i], want[k])
				}
			}
		}
		if !found {
			t.Errorf("there is no mutant of %s", original)
		}
	}
}

func TestFirmMutationIsSummedUpOverTests(t *testing.T) {
	known := mutant.LeavingKnown
	p := observe(t, []features.Place{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}, 4, []features.Observation{
		{Mutant: 0, Test: 0, AtExit: known}, {Mutant: 0, Test: 1, AtExit: known.With(3, 1)}, {Mutant: 0, Test: 2, AtExit: known | mutant.LeavingTrapped}, {Mutant: 0, Test: 3},
		{Mutant: 1, Test: 0, AtExit: known.With(0, 3)}, {Mutant: 2, Test: 0, AtExit: known | mutant.LeavingStays}, {Mutant: 3, Test: 0},
	})
	for _, want := range []struct {
		mutant int
		column string
		value  float64
	}{
		{0, "firm_tests", 3}, {0, "firm_differs_tests", 2}, {0, "firm_differs_share", 2. / 3}, {0, "firm_cells_share", 1. / 3}, {0, "firm_returned_share", 0},
		{0, "firm_trapped_share", 1. / 3}, {0, "firm_stays_share", 0}, {0, "firm_distance", 1}, {0, "firm_distance_most", 2}, {0, "firm_rank_program", 1},
		{1, "firm_differs_share", 0}, {1, "firm_distance", 0}, {1, "firm_local_share", 1}, {1, "firm_local_distance", 2}, {0, "firm_local_share", 0}, {0, "firm_local_distance", .5}, {1, "firm_rank_program", 0},
		{2, "firm_stays_share", 1}, {2, "firm_distance", math.NaN()}, {2, "firm_rank_program", .5},
		{3, "firm_tests", math.NaN()}, {3, "firm_rank_program", math.NaN()},
	} {
		got := p.value(want.mutant, want.column)
		if math.Abs(got-want.value) > 1e-12 || math.IsNaN(got) != math.IsNaN(want.value) {
			t.Errorf("%s of %s is %v, want %v", want.column, p.places[want.mutant].ID, got, want.value)
		}
	}
}
