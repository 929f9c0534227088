/* Compound assignments of every operator and type, variable-length arrays, chained assignments. */
#include <stdio.h>
#include <string.h>

static struct { int slack[16384]; int n[8]; int more[16384]; } box;

static int every(int x, int y) {
  x += y;
  x -= 2;
  x *= y + 1;
  x /= 3;
  x %= 50;
  x &= 0x7f;
  x |= y;
  x ^= 5;
  x <<= 2;
  x >>= 1;
  return x;
}

static unsigned every_unsigned(unsigned x, unsigned char y) {
  x += y;
  x *= 0x10001u;
  x /= 3u;
  x %= 5000u;
  x >>= 1;
  y |= x;
  y <<= 1;
  return x ^ y;
}

static double every_double(double x, int k) {
  x += k;
  x *= 1.5;
  x -= 0.25;
  x /= 2;
  return x;
}

static int chained(int k) {
  int a, b, c;
  a = b = c = k;
  a += b -= c * 2;
  box.n[k & 7] += a;
  box.n[(k + 1) & 7] = b = a - 1, c += b;
  return a * 100 + b * 10 + c + box.n[k & 7];
}

static const char *const room = "................................................................";

/* The array is used without an index: out of its bounds every program is another one. */
static int table(int n) {
  int grid[strlen(room)], s = 0;
  *grid = n;
  for (int i = 0; i < n; i++) *grid += i;
  s += *grid * 2;
  return s + (int)(sizeof grid / sizeof grid[0]);
}

int main(void) {
  for (int k = 0; k < 5; k++)
    printf("%d %u %.3f %d %d\n", every(k * 11, k), every_unsigned((unsigned)k * 77u, (unsigned char)k), every_double(k, k), chained(k), table(k));
  return 0;
}
