/* Functions whose mutants are also made in C, by putting the replacement's text in the place of the original's. */
#include <stdbool.h>
#include <stdlib.h>
#include <math.h>

#define PARAMETERS int a, int b, unsigned u, unsigned char c, signed char s, short h, long l, double d, float f, const int *p
#define LIMIT 40

struct pair { int first; unsigned char second; };

struct pair pairs[8];
int table[4096];
unsigned bits;
int grid[64][64];
const unsigned short *classes;

static int twice(int n) { return 2 * n + 1; }
static int next(int *n) { return *n = *n * 5 % 17; }
static const unsigned short **class_table(void) { return &classes; }
#define IS_IN(x, class) ((*class_table())[(int)(x)] & class)

static int less(int x, int y) { return x * 3 - y; }

long arithmetic(PARAMETERS) { return a + b * 3 - (a - b) / 2 + a % (b | 1); }
long unsigneds(PARAMETERS) { return u * 5 + u / 3 - (u + 9) % 7; }
long mixed(PARAMETERS) { return a + u - l * 2 + (unsigned)a / 5; }
long narrows(PARAMETERS) { return c * 2 + s - h + (unsigned char)(c + 200); }
long bitwise(PARAMETERS) { return (a & 0x3f) | (b ^ 21) << 2; }
long shifts(PARAMETERS) { return (a >> 2) + (u >> 3) + (l >> 1) + (c << 1); }
long compares(PARAMETERS) { return (a < b) + 2 * (u >= 7) + 4 * (c == s) + 8 * (l != a) + 16 * (d <= f) + 32 * (p > table); }
long reals(PARAMETERS) { return (long)(d * 2.5 + f / 3 - a) + (long)(f * 0.5f - 1); }
long logic(PARAMETERS) { return (a && b) + 2 * (a > 0 || b > 0) + 4 * (!a && !(b > 2)); }
long chains(PARAMETERS) { return (a && b && c) + 2 * (a || (b && c)) + 4 * !(a || s); }
long conditions(PARAMETERS) {
  if (a && (b || c > 1)) return 1;
  if (!a) return u ? 2 : 3;
  if (d) return b ? -7 : LIMIT;
  return !!s;
}
long unary(PARAMETERS) { return -a + ~b - -c + (long)-d; }
long literals(PARAMETERS) { return a + 'x' - LIMIT + (b == 0x7f) + (c < 250); }
long steps(PARAMETERS) {
  int x = a, y = b;
  long r = x++ * 2;
  r += --y;
  r -= y-- - ++x;
  c++;
  return r * 100 + x + y + c;
}
long compounds(PARAMETERS) {
  a += b;
  u *= 3;
  c -= 7;
  h <<= 1;
  l /= 3;
  d += 0.5;
  b |= a;
  return a + u + c + h + l + (long)d + b;
}
long elements(PARAMETERS) { return p[a & 7] + table[2100] - p[b & 3] + p[twice(b & 3)] + *(p + (c & 15)) + *(p - (a & 3)); }
long members(PARAMETERS) {
  struct pair *q = &pairs[a & 3];
  return q->first * 10 + q->second - pairs[1].first;
}
long calls(PARAMETERS) { return less(a, b) + less(a * 2, 5) - twice(less(c, 3)); }
long statements(PARAMETERS) {
  int x = 5, y = 1;
  y = x = a;
  x = b;
  bits = 3;
  table[9] = x;
  twice(y);
  return x * 7 + y + bits + table[9];
}
long choices(PARAMETERS) {
  long r = 1;
  switch (a & 7) {
  case 0:
    r = 10;
    break;
  case 1:
    r += 5;
  case 2:
  case 'a' - 94:
    return r * 2;
  default:
    r = b > 3 ? r : -r;
  }
  return r;
}
long jumps(PARAMETERS) {
  long r = 0;
  for (int i = 0; i < 6; i++) {
    if (i == 2) continue;
    if (i + a > 7) break;
    if (r > 40) goto out;
    r += i * 3 + 1;
  }
  if (b > 5) return r + 1;
  r -= 2;
out:
  return r;
}
long booleans(PARAMETERS) {
  bool x = a > 3, y = b;
  if (x) return 4;
  return y + 2 * (x != y);
}
long rows(PARAMETERS) { return grid[30 + (a & 3)][20 + (b & 7)] - grid[31][s & 1] * 3; }
long macros(PARAMETERS) {
  const char *q = (const char *)p + (a & 7);
  return (IS_IN(c, 4) ? 1 : 0) + IS_IN((unsigned char)*q, 2) * 2 + (IS_IN((unsigned char)q[1], 8) ? 9 : 5);
}
long dropped(PARAMETERS) {
  int x = a & 7, y = b, z = c & 3;
  y = next(&x);
  long r = table[2048 + next(&x)] + p[z++] * y;
  y = x-- + c;
  return r * 50 + x + y * 3 + z;
}
