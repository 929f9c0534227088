package bits_test

import (
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/bits"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

func TestBitsAreKnownThroughVariablesAndLoops(t *testing.T) {
	f := analysistest.Function(t, `void see(int id, int x); void set(int *);
int f(int n, unsigned char c, unsigned u) {
  int even = 0, odd = 7, mask, other = 4, touched = 8, eight = 0;
  see(0, n); see(1, n * 4); see(2, (n * 4) + 3); see(3, c); see(4, u >> 28);
  for (int i = 0; i < n; i += 2) { see(5, i); even = even + i; odd = odd * 3; see(6, even); see(7, odd); }
  mask = n & 12;
  see(8, mask); see(9, mask | 1); see(10, (n << 3) % 4);
  if (n) other = 12;
  see(11, other);
  set(&touched); see(12, touched);
  while (u) { eight = (eight + 1) & 7; see(13, eight); u--; }
  return 0;
}
`, "f")
	code := defuse.Of(f)
	facts := bits.Of(op.Lower(code))
	type known struct{ low, zeros, count int }
	want := map[int64]known{
		0: {0, 0, 0}, 1: {2, 2, 2}, 2: {2, 0, 2}, 3: {0, 0, 24}, 4: {0, 0, 28},
		5: {1, 1, 1}, 6: {1, 1, 1}, 7: {1, 0, 1}, 8: {2, 2, 30}, 9: {2, 0, 30},
		10: {2, 2, 2}, // what is negative has other remainders, as multiples of four
		11: {3, 2, 31}, 12: {0, 0, 0}, 13: {0, 0, 29},
	}
	seen := 0
	for _, item := range code.Items {
		call, ok := item.Inst.(*llir.InstCall)
		if !ok || call.Callee.Ident() != "@see" {
			continue
		}
		seen++
		id := call.Args[0].(*llir.Arg).Value.(*constant.Int).X.Int64()
		k := facts.Value(call.Args[1])
		if got := (known{k.Low(), k.LowZeros(), k.Count()}); got != want[id] {
			t.Errorf("see %d: %+v, want %+v", id, got, want[id])
		}
	}
	if seen != len(want) {
		t.Errorf("%d calls of see", seen)
	}
}
