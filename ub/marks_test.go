package ub_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/ub"
)

// What people read are marks that tell something: not each loop whose counter could run to the end
// of its type, but the product that known numbers make too large.
func TestAnOverflowIsToldOfWhatIsKnown(t *testing.T) {
	marked := 0
	for _, m := range judge(t, `int area(int rows, int columns) {
  int i, sum = 0;
  for (i = 0; i < rows; i++)
    sum = i;
  if (columns < 0 || columns > 60000) return -1;
  return sum >= 0 ? columns * 35791 : 0;
}
`) {
		if m.Category != ub.Overflow {
			continue
		}
		switch {
		case m.Mutant.Line <= 4:
			t.Errorf("%s: %s", m.change(), m.Verdict)
		case m.Grade == ub.Potential && m.Verdict.Line == 6:
			marked++
		}
	}
	if marked == 0 { // 60001 * 35791 is more than an int holds
		t.Error("no product of known numbers is marked")
	}
}
