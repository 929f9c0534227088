/* Macros that make statements: several on one line, loops, switches, early ends. */
#include <stdio.h>
#include <stdlib.h>
#define PICK(f) do { if (f & 8) puts("eight"); if (f & 16) puts("sixteen"); } while (0)
#define SWAP(t, a, b) do { t swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define COUNT(c) case c: count[c - '0']++; total += 2; break
#define REQUIRE(x) if (!(x)) return -1
#define STOP_AT(x, y) if ((x) == (y)) break
#define TWO(a, b) a; b
#define CHECK(cond, n) do { if (cond) { bad += (n); puts(#cond); } else good++; } while (0)
#define DEFINE_SUM(name, op) static int name(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s = s op v[i]; return s; }
#define FIELD(s, f) s##_##f
#define CALL(f, ...) f(__VA_ARGS__)
#define HERE __LINE__
DEFINE_SUM(plus, +)
DEFINE_SUM(minus, -)
static int depth(int n) { REQUIRE(n >= 0); REQUIRE(n < 40); return n ? 1 + depth(n - 1) : 0; }
int main(void) {
  int f, n = 0, v[5], count[3] = {0}, total = 0, good = 0, bad = 0;
  if (scanf("%d", &f) != 1) return 1;
  PICK(f);
  EACH(k, 5) v[k] = (f >> k) * (k + 1);
  if (v[0] > v[3]) SWAP(int, v[0], v[3]);
  EACH(k, 5) { STOP_AT(v[k], 4); n += v[k]; }
  switch ('0' + (f & 3)) { COUNT('0'); COUNT('1'); COUNT('2'); default: total--; }
  TWO(printf("%d ", n), printf("%d\n", total + count[1]));
  CHECK(n > 10, 3); CHECK(total && f % 3 == 1, f & 3);
  int FIELD(a, x) = good * 2, FIELD(a, y) = bad + 1;
  CALL(printf, "%d %d %d\n", FIELD(a, x), FIELD(a, y), HERE - f);
  printf("%d %d %d\n", plus(v, 5), minus(v, 4), depth(f));
  return 0;
}
