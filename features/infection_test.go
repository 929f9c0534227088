package features_test

import (
	"math"
	"testing"
)

const visible = `int printf(const char *, ...);
int shared;
int f(int n, int k, unsigned u, int *a) {
  int r = n + k;
  if (n < k) r = 1;
  if (n > 0) r = n * 3;
  shared = r & 1;
  r = n / k;
  for (int i = 0; i < 5; i++) printf("%d\n", a[i] + 1);
  shared = n * 2 > -1;
  shared = u + 0;
  return r;
}
`

func TestHowHardAChangeIsToSeeIsTriedOnStates(t *testing.T) {
	s := extract(t, visible)
	at := func(kind, original, column string) float64 { return s.value(s.find(kind, original), column) }
	boundary, negated := at("LT!LE", "n < k", "infect_share"), at("LT!GE", "n < k", "infect_share")
	if !(boundary > 0 && boundary < .6 && negated == 1) {
		t.Errorf("< becomes <= shows on %v of the states, < becomes >= on %v", boundary, negated)
	}
	if got := at("LT!LE", "n < k", "infect_corner_share"); got <= at("LT!LE", "n < k", "infect_typical_share") {
		t.Errorf("equal operands are corners: %v", got)
	}
	if got := at("LT!GE", "n < k", "diverge_share"); got != 1 {
		t.Errorf("a negated condition takes the other branch on %v of the states", got)
	}
	if got := at("ADD!SUB", "n + k", "diverge_share"); got != 0 && !math.IsNaN(got) {
		t.Errorf("a sum that no branch of its statement reads changes the branch on %v", got)
	}
	if got := at("DIV!MUL", "n / k", "trap_share"); got != 0 {
		t.Errorf("a product traps on %v", got)
	}
	if got := at("ADD!DIV", "n + k", "trap_share"); !(got > 0 && got < 1) {
		t.Errorf("n / k traps on %v of the states", got)
	}
	if got := at("MUL!DIV", "n * 3", "path_share"); !(got > .3 && got < .95) {
		t.Errorf("n > 0 holds on %v of the states", got)
	}
	// Within n > 0 the absolute value is the value.
	for i := range s.mutants {
		m := &s.mutants[i]
		if m.Replacer == "ABS" && m.Original == "n" && m.Line == 6 && s.value(i, "path_share") < 1 {
			if got := s.value(i, "infect_share"); got != 0 {
				t.Errorf("|n| where n > 0 differs on %v of the states", got)
			}
		}
	}
}

func TestWhatStandsBetweenAMutantAndTheOutputIsCounted(t *testing.T) {
	s := extract(t, visible)
	for _, want := range []struct {
		kind, original string
		column         string
		value          float64
	}{
		{"BITAND!BITOR", "r & 1", "mask_bits", 0},
		{"MUL!ADD", "n * 2", "mask_comparison", 1},
		{"ADD!SUB", "a[i] + 1", "mask_call", 1},
		{"ADD!SUB", "a[i] + 1", "output_distance", 0},
		{"ADD!SUB", "a[i] + 1", "slice_output_distance", 1},
		{"ADD!SUB", "a[i] + 1", "condition_depth", 1},
		{"ADD!SUB", "n + k", "condition_depth", 0},
		{"DIV!MUL", "n / k", "slice_returns", 1},
	} {
		if got := s.value(s.find(want.kind, want.original), want.column); got != want.value {
			t.Errorf("%s of %s: %s is %v, want %v", want.kind, want.original, want.column, got, want.value)
		}
	}
}
