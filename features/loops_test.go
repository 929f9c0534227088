package features_test

import (
	"math"
	"testing"
)

const loopsProgram = `int a[100];
int f(int n) {
  int s = 0, i, j, k = 8;
  for (i = 0; i < 10; i++)
    for (j = 3; j <= 8; j += 2) s += a[i * 3] + j;
  while (k != 0) { s -= k; k = k - 4; }
  for (i = n; i < 20; i++) s++;
  do { s = s * 2; n--; } while (n > 0);
  return s;
}
`

func TestLoopsAreCountedWithAndWithoutTheChange(t *testing.T) {
	s := extract(t, loopsProgram)
	log := func(n float64) float64 { return math.Copysign(math.Log2(1+math.Abs(n)), n) }
	missing := math.NaN()
	for _, c := range []struct {
		kind, original, column string
		want                   float64
	}{
		{"LT!LE", "i < 10", "loop_counts", 1},
		{"LT!LE", "i < 10", "loop_trips", log(10)},
		{"LT!LE", "i < 10", "loop_trips_new", log(11)},
		{"LT!LE", "i < 10", "loop_trips_change", 1},
		{"LT!LE", "i < 10", "loop_in_condition", 1},
		{"LT!LE", "i < 10", "loop_in_step", 0},
		{"LT!LE", "i < 10", "loop_endless", 0},
		{"LT!NEQ", "i < 10", "loop_trips_change", 0},
		{"LT!GE", "i < 10", "loop_skipped", 1},
		{"LT!GE", "i < 10", "loop_trips_change", log(-10)},
		{"RIGHTINC!RIGHTDEC", "i++", "loop_endless", 1},
		{"RIGHTINC!RIGHTDEC", "i++", "loop_in_step", 1},
		{"RIGHTINC!RIGHTDEC", "i++", "loop_trips_new", missing},
		{"MUL!ADD", "i * 3", "loop_trips", log(3)},
		{"MUL!ADD", "i * 3", "loop_nest_trips", log(10) + log(3)},
		{"MUL!ADD", "i * 3", "loop_step", log(2)},
		{"MUL!ADD", "i * 3", "loop_in_counter", 0},
		{"MUL!ADD", "i * 3", "loop_trips_new", missing},
		{"LE!LT", "j <= 8", "loop_trips_change", 0}, // 3, 5, 7 alike
		{"SUB!ADD", "k - 4", "loop_trips", log(2)},
		{"SUB!ADD", "k - 4", "loop_endless", 1},
		{"SUB!OPERAND", "k - 4", "loop_endless", 1},
		{"LT!LE", "i < 20", "loop_counts", 1},
		{"LT!LE", "i < 20", "loop_trips", missing},
		{"MUL!ADD", "s * 2", "loop_counts", 1},
		{"MUL!ADD", "s * 2", "loop_step", log(-1)},
	} {
		if got := s.value(s.find(c.kind, c.original), c.column); !alike(got, c.want) {
			t.Errorf("%s of %q: %s is %v, want %v", c.kind, c.original, c.column, got, c.want)
		}
	}
}
