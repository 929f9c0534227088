package concrete_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// circling has loops that changes keep from their end: by standing still, by going round, and by counting away from it, in
// variables and in memory. Every second time that hidden comes round, what is in its variables is as it was, and its count,
// in memory, is not.
const circling = `
int halves(int a, int b) { unsigned lo = 0, hi = a & 255; while (lo < hi) { unsigned m = (lo + hi) / 2; if ((int)m < b) lo = m + 1; else hi = m; } return lo; }
int turns(int a, int b) { int t[4], s = 0; t[0] = 1; t[1] = 2; t[2] = 3; t[3] = 4; for (int i = 0; s < 40; i = (i + 1) % 4) { t[i] = t[i] + (a & 1); s = s + t[i] - b % 4; if (s < 0) s = 0; } return s; }
int hidden(int a, int b) { int t[2], i = 0, n = 0; t[0] = 0; t[1] = 0; while (n < 50) { n = t[i]; t[i] = n + i; i = (i + 1) % 2; } return a + b; }
int rows(int a, int b) { int s = 0; for (int i = 0; i < (a & 7); i = i + 1) { int j = i; do { s = s + (j ^ b); j = j + 1; } while (j < 6); } return s; }
`

// That a path goes in circles is noticed long before its limit, and where it is noticed the path has no end: it is as at its
// limit, as the one that goes there.
func TestWhatGoesInCirclesHasNoEnd(t *testing.T) {
	const limit = 3_000
	m := compile(t, circling, "")
	noticed, ended := 0, 0
	for _, name := range []string{"halves", "turns", "hidden", "rows"} {
		items := defuse.Of(find(t, m.Functions(), name))
		code := concrete.Of(items.Func, &op.Module{})
		for k, change := range changesOf(t, code, items) {
			var quick, slow concrete.Path
			slow.NoCircles()
			for _, args := range [][]int64{{0, 0}, {1, 3}, {7, -2}, {200, 90}, {-5, 1000}, {255, 254}} {
				code.AlongArguments(&quick, args, change, limit)
				code.AlongArguments(&slow, args, change, limit)
				if quick.Returned != slow.Returned || quick.Trapped != slow.Trapped || quick.Length() != slow.Length() || quick.Returned && quick.Value() != slow.Value() {
					t.Errorf("%s, change %d, of %v: returned %v after %d, and %v after %d where circles are gone to the limit",
						name, k, args, quick.Returned, quick.Length(), slow.Returned, slow.Length())
				}
				switch {
				case quick.Circles():
					noticed++
					if code.AlongArguments(&slow, args, change, 50*limit); slow.Returned || slow.Trapped {
						t.Errorf("%s, change %d, of %v comes to its end after %d", name, k, args, slow.Length())
					}
				case quick.Returned:
					ended++
				}
			}
		}
	}
	if noticed < 30 || ended < 200 {
		t.Errorf("%d paths were seen to go in circles, %d came to their end: too few to compare", noticed, ended)
	}
}
