package bmc_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/equiv/bmc"
)

// Riener (2011), figures 2.5 and 2.6, with the operands of the comparison in the order of the first:
// the miter of the minimum with its faulty comparison has no model, and no test is made for it.
func TestTheMiterOfTheMinimumHasNoModel(t *testing.T) {
	verdicts, tests := judged(t, `int least(int i1, int i2) {
  if (i2 < i1)
    return i2;
  return i1;
}
`, "least", bmc.Options{}, 2)
	want(t, verdicts, map[string]string{"i2 < i1 → i2 <= i1": bmc.Complete, "i2 < i1 → i2 == i1": bmc.Told, "i2 < i1 → i2 > i1": bmc.Told})
	for _, one := range tests {
		for _, m := range one.Tells {
			if m.Replacement == "i2 <= i1" {
				t.Errorf("least%v is said to tell it", one.Args)
			}
		}
	}
}

// Riener (2011), figure 1.1: three tests of a triangle's type pass although it asks twice whether a
// and b are the same and never of a and c. What tells it has those two alike, as (2, 3, 2) has.
func TestATriangleThatThreeTestsPassIsTold(t *testing.T) {
	verdicts, tests := judged(t, `int type(int a, int b, int c) {
  if (a == b && b == c) return 1;
  if (a == b || b == c ||
      a == c)
    return 2;
  return 3;
}
`, "type", bmc.Options{}, 4)
	const never = "a == c → 0" // which asking for a == b again comes to
	want(t, verdicts, map[string]string{never: bmc.Told})
	told := false
	for _, one := range tests {
		for _, m := range one.Tells {
			if m.Original+" → "+m.Replacement == never {
				told = true
				if a, b, c := one.Args[0], one.Args[1], one.Args[2]; a != c || a == b {
					t.Errorf("type(%d, %d, %d) is the same in both", a, b, c)
				}
			}
		}
	}
	if !told {
		t.Error("no test was made for it")
	}
}
