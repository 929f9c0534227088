package concrete_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// quickly has each operator on each type, memory of each kind, and loops in which
// overflow, division by zero and comparison of corners come up.
const quickly = `
int printf(const char *, ...); void *memset(void *, int, unsigned long);
static int table[16] = {3, 1, 4, 1, 5, 9, 2, 6}, written[16]; static double weights[4];
#define INTEGERS(T, name) \
static T name(T a, T b) { \
  T s = a, kept[5]; memset(kept, 0, sizeof kept); \
  for (int i = 0; i < 9; i++) { \
    s = s * 5 + b; s -= a ^ i; s |= b & 6; kept[i % 5] = s; \
    if (s < b) a++; if (s <= a) b += 2; if (a > b) s += i; if (a >= s) b--; if (a == b) a += 3; if (a != s) kept[2] ^= a; \
    s += kept[(i + 2) % 5] << (i & 3); s ^= kept[i % 5] >> 1; b += table[i & 15]; written[(a + i) & 15] = b; \
    if (i > 5) s /= b; if (i > 6) s %= a; s += (T)(a * 1.5); \
  } \
  printf("%d %d %d\n", (int)s, (int)a, (int)kept[1]); \
  return s + written[3]; }
INTEGERS(signed char, chars) INTEGERS(unsigned char, bytes) INTEGERS(short, shorts) INTEGERS(unsigned short, words)
INTEGERS(int, ints) INTEGERS(unsigned, naturals) INTEGERS(long, longs) INTEGERS(unsigned long, sizes) INTEGERS(_Bool, bools)
#define FLOATS(T, name) \
static T name(T a, T b) { \
  T s = a; \
  for (int i = 0; i < 6; i++) { s = s * b - a / (b + i); if (s < a) s += i; else if (s >= b) s = -s; weights[i & 3] += s; if (!(s == s)) s = 1; } \
  printf("%.3f %.3f\n", (double)s, weights[1]); return s + (long)a; }
FLOATS(float, singles) FLOATS(double, doubles)
static int chase(int *p, int n, int k) { int *q = p; while (n-- > 0 && q - p < 12) { if (*q == k) return (int)(q - p); q += k < 0 ? 2 : 1; } return p == q ? -1 : *q; }
int all(int a, long b, double c, char *text, int *numbers) {
  int unset; struct { char tag; int at[3]; } s = {'x', {a, 2, 3}};
  s.at[a & 1] += s.tag;
  long sum = chars(a, b) + bytes(a, b) + shorts(a, b) + words(b, a) + ints(a, b) + naturals(b, a) + longs(a, b) + sizes(a, b) + bools(a, b);
  sum += singles(c, a) + (long)doubles(a, c) + chase(numbers, a, s.at[1]) + text[a & 7];
  switch (a % 3) { case 0: sum++; break; case 1: sum += unset; break; default: numbers[1] = a; }
  text[2] = 'q';
  return sum + (a > 2 && b < 9 || c > 1 ? text[2] : numbers[1]);
}
`

// Operations that are run straight do what they do one by one: the same is shown at the same
// steps, and left in memory; blocks are visited, and guesses said, alike.
func TestWhatIsRunStraightIsRunAsStepByStep(t *testing.T) {
	m := compile(t, quickly+walked, "")
	for _, name := range []string{"all", "main"} {
		code := defuse.Of(find(t, m.Functions(), name))
		root := concrete.Of(code.Func, &op.Module{})
		if name == "main" {
			root = concrete.OfFunction(code.Func)
		}
		shown, guessed := 0, 0
		for seed := range uint64(200) {
			for _, from := range []int{0, code.First[1], code.First[len(code.First)/2]} { // also from the middle, where operands are drawn
				var straight, stepwise concrete.Path
				stepwise.Stepwise()
				for _, p := range []*concrete.Path{&straight, &stepwise} {
					if p.Trace = seed&1 != 0; seed&2 != 0 {
						p.Transcript = &concrete.Transcript{}
					}
					root.Along(p, seed, from, 8192)
				}
				describe := func(p *concrete.Path) string {
					return fmt.Sprint(p.Shown, p.Steps, p.Returned, p.Trapped, p.Guessed, p.Length(), p.Value(), p.Visits().Hash(), p.Transcript)
				}
				outer, local := straight.Outlives(&stepwise)
				if a, b := describe(&straight), describe(&stepwise); a != b || outer || local {
					t.Fatalf("%s, seed %d, from item %d: straight %s, step by step %s, other memory: %v, %v", name, seed, from, a, b, outer, local)
				}
				shown += len(straight.Shown)
				if straight.Guessed {
					guessed++
				}
			}
		}
		if shown < 1000 {
			t.Errorf("%s shows only %d texts and values", name, shown)
		}
		t.Logf("%s: %d of 600 runs guess", name, guessed)
	}
}

// Each quick form is one of the program above, and few operations have none.
func TestMostOperationsHaveAQuickForm(t *testing.T) {
	m := compile(t, quickly, "")
	root := concrete.OfFunction(find(t, m.Functions(), "all"))
	seen, operations := map[int]int{}, 0
	for _, f := range m.Functions() {
		if own := root.Callee(f); own != nil {
			for form, n := range own.QuickForms() {
				seen[form] += n
				operations += n
			}
		}
	}
	if len(seen) != concrete.QuickForms {
		t.Errorf("of %d forms the program has %v", concrete.QuickForms, seen)
	}
	if seen[0]*8 > operations {
		t.Errorf("%d of %d operations have no quick form", seen[0], operations)
	}
}

// What a type does not hold is said to be a guess where it is computed, and nowhere else.
func TestNumbersThatATypeDoesNotHoldAreGuesses(t *testing.T) {
	m := compile(t, `
int sums(int a, int b) { return a + b; } int differences(int a, int b) { return a - b; } int products(int a, int b) { return a * b; }
long longs(long a, long b) { return a * b; } long sizes(long a, long b) { return a - b; } unsigned naturals(unsigned a, unsigned b) { return a * b + a; }`, "")
	for _, one := range []struct {
		name    string
		a, b    int64
		guesses bool
	}{
		{"sums", math.MaxInt32, 1, true}, {"sums", math.MaxInt32, 0, false}, {"sums", math.MinInt32, -1, true}, {"sums", math.MinInt32, math.MaxInt32, false},
		{"differences", math.MinInt32, 1, true}, {"differences", 0, math.MinInt32, true}, {"differences", -1, math.MinInt32, false},
		{"products", 1 << 16, 1 << 15, true}, {"products", 1 << 16, 1<<15 - 1, false}, {"products", math.MinInt32, -1, true}, {"products", math.MinInt32, 1, false},
		{"longs", 1 << 32, 1 << 31, true}, {"longs", 1 << 32, 1 << 30, false}, {"sizes", math.MinInt64, 1, true}, {"sizes", math.MinInt64, -1, false},
		{"naturals", -1, -1, false},
	} {
		var straight, stepwise concrete.Path
		stepwise.Stepwise()
		for _, p := range []*concrete.Path{&straight, &stepwise} {
			p.Transcript = &concrete.Transcript{}
			concrete.OfFunction(find(t, m.Functions(), one.name)).AlongArguments(p, []int64{one.a, one.b}, nil, 100)
			if !p.Returned || p.Guessed != one.guesses {
				t.Errorf("%s(%d, %d): returned %v, guesses %v, not %v", one.name, one.a, one.b, p.Returned, p.Guessed, one.guesses)
			}
		}
	}
}
