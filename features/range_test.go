package features_test

import (
	"math"
	"testing"
)

const rangesProgram = `int a[10];
int f(int n) {
  int s = 0, i;
  for (i = 0; i < 10; i++) {
    s += a[i] * (i % 16);
    if (i >= 0 && n > i) s--;
  }
  if (n < 0) return -n;
  return s / (n + 1);
}
int g(int *p) { return p == 0; }
`

func TestRangesTellWhatAMutantCannotShow(t *testing.T) {
	s := extract(t, rangesProgram)
	for _, c := range []struct {
		kind, original, column string
		want                   float64
	}{
		{"@!ABS", "i", "range_shows", 0},
		{"@!ABS", "n", "range_shows", 1},
		{"MOD!OPERAND", "i % 16", "range_shows", 0},
		{"MOD!OPERAND", "i % 16", "range_differ_share", 0},
		{"MOD!MUL", "i % 16", "range_shows", 1},
		{"MOD!BITAND", "i % 16", "range_second_low", math.Log2(17)},
		{"GE!LT", "i >= 0", "range_decided", 1},
		{"GE!LE", "i >= 0", "range_shows", 1},
		{"LT!NEQ", "i < 10", "range_shows", 0},
		{"LT!LE", "i < 10", "range_equal", 1},
		{"LT!LE", "i < 10", "range_shows", 1},
		{"LT!LE", "i < 10", "range_first_low", 0},
		{"LT!LE", "i < 10", "range_first_high", math.Log2(11)},
		{"V!SUCC", "n", "range_leaves", 0},
		{"PEQ!PNEQ", "p == NULL", "range_shows", 1},
	} {
		if got := s.value(s.find(c.kind, c.original), c.column); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %q: %s is %v, want %v", c.kind, c.original, c.column, got, c.want)
		}
	}
}
