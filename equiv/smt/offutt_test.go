package smt_test

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
)

// The mutants that Offutt and Pan (1997) discuss, and the traps that their method fell into: what
// constraints of reach and infection alone say of each, and what following the function to its
// end says.
func TestOffuttAndPansMutants(t *testing.T) {
	for _, c := range []struct {
		name, function, source string
		line                   int
		changes                map[string]equiv.Kind
	}{
		{"Min: the other way to ask gives the same", "least", `int least(int i, int j) {
  int m = i;
  if (j < i) m = j;
  return m;
}`, 3, map[string]equiv.Kind{"j < i → j <= i": equiv.Equivalent, "j < i → i > j": equiv.Equivalent, "j < i → j == i": equiv.Different}},
		{"Mid, statement 5: infection is possible, the result is the same", "mid", `int mid(int x, int y, int z) {
  int m = z;
  if (y < z) {
    if (x < y) m = y;
    else if (x < z) m = x;
  } else {
    if (x > y) m = y;
    else if (x > z) m = x;
  }
  return m;
}`, 5, map[string]equiv.Kind{"x < z → x <= z": equiv.Equivalent, "x < z → x > z": equiv.Different}},
		{"what no input reaches", "never", `int never(int x) {
  if (x > 0) {
    if (x < 0)
      x = x + 7;
  }
  return x;
}`, 4, map[string]equiv.Kind{"x + 7 → x - 7": equiv.Equivalent, "x = x + 7; → ;": equiv.Equivalent}},
		{"a sum of negative numbers wraps", "sum", `int sum(unsigned x, unsigned y) {
  if ((int)x < 0 && (int)y < 0)
    if ((int)(x + y) > 0)
      return 1;
  return 0;
}`, 4, map[string]equiv.Kind{"return 1 → return 2": equiv.Different}},
		{"a guard that the loop changes", "guard", `int guard(int n) {
  int go = 0, seen = 0;
  while (n-- > 0) {
    if (go)
      seen = seen + 3;
    go = 1;
  }
  return seen;
}`, 5, map[string]equiv.Kind{"seen + 3 → seen - 3": equiv.Different, "seen = seen + 3; → ;": equiv.Different}},
		{"an array's element is not another's", "pair", `int pair(const int *a, int i, int j) {
  if (a[i] >= 0)
    if (a[j] < 0)
      return 1;
  return 0;
}`, 4, map[string]equiv.Kind{"return 1 → return 0": equiv.Unknown}},
	} {
		mutants, verdicts := judged(t, c.source, c.function)
		seen := kinds(mutants, verdicts, c.line)
		for change, want := range c.changes {
			v, made := seen[change]
			if !made || v.Kind != want {
				var all []string
				for name, v := range seen {
					all = append(all, name+" is "+v.Kind.String())
				}
				t.Errorf("%s: %s is %v (%s), want %v; of the line: %s", c.name, change, v.Kind, v.Reason, want, strings.Join(all, ", "))
			}
		}
	}
}
