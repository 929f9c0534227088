package concrete_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

// Whatever a divisor was computed from, a path that divides by it comes to an end.
func TestADivisorThatWasReadThroughAUnionEndsNoPath(t *testing.T) {
	m := compile(t, `int scanf(const char *, ...); int printf(const char *, ...);
union u { unsigned i; float f; };
static unsigned pun(float f) { union u v; v.f = f; return 3000000000u / v.i + 7u % v.i; }
int main(void) { float f; if (scanf("%f", &f) != 1) return 1; printf("%u\n", pun(f)); return 0; }
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	for seed := range uint64(64) {
		var p concrete.Path
		if root.Along(&p, seed, 0, 4096); !p.Returned && !p.Trapped {
			t.Errorf("seed %d: the path neither returns nor traps", seed)
		}
	}
}
