package features_test

import (
	"math"
	"testing"
)

const bitsProgram = `int f(int n, int k) {
  int even = n * 2, low = k & 7, high = n << 3;
  int joined = high + low;
  int odd = even + 1;
  int kept = low & 15;
  if (even == 4) joined--;
  return joined + odd + kept + (n - k);
}
`

func TestKnownBitsTellWhatAMutantCannotShow(t *testing.T) {
	s := extract(t, bitsProgram)
	for _, c := range []struct {
		kind, original, column string
		want                   float64
	}{
		{"ADD!BITOR", "high + low", "bits_same", 1},
		{"ADD!BITOR", "high + low", "bits_overlap", 0},
		{"ADD!BITOR", "high + low", "bits_first_zeros", 3},
		{"ADD!BITXOR", "high + low", "bits_same", 1},
		{"ADD!SUB", "high + low", "bits_same", 0},
		{"ADD!BITOR", "even + 1", "bits_same", 1},
		{"ADD!BITOR", "even + 1", "bits_differ", 0},
		{"ADD!OPERAND", "even + 1", "bits_differ", 1},
		{"ADD!OPERAND", "even + 1", "bits_zeros_change", 1},
		{"ADD!BITOR", "even + 1", "bits_old_low", 1},
		{"BITAND!OPERAND", "low & 15", "bits_same", 1},
		{"BITAND!OPERAND", "k & 7", "bits_same", 0},
		{"BITAND!OPERAND", "k & 7", "bits_old_known", 29. / 32},
		{"BITAND!OPERAND", "k & 7", "bits_new_known", 0},
		{"SUB!ADD", "n - k", "bits_old_known", 0},
		{"SUB!ADD", "n - k", "bits_overlap", 1},
		{"EQ!NEQ", "even == 4", "bits_first_zeros", 1},
		{"EQ!NEQ", "even == 4", "bits_same", 0},
	} {
		if got := s.value(s.find(c.kind, c.original), c.column); math.Abs(got-c.want) > 1e-12 || got != got {
			t.Errorf("%s of %q: %s is %v, want %v", c.kind, c.original, c.column, got, c.want)
		}
	}
}
