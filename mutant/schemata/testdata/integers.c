/* Signed, unsigned and narrow arithmetic, shifts, comparisons of every sign. */
#include <stdio.h>

static struct { int before[16384], values[5], after[16384]; } box = {{0}, {-7, -1, 0, 3, 100}, {0}};

static int signs(int a, int b) {
  int r = a + b * 3 - (a - b);
  r += a / (b | 1);
  r ^= a % (b | 1);
  r = (r & 0xff) | (a ^ b);
  return r + (a << 2) + (a >> 1) + ~b + -a;
}

static unsigned wide(unsigned a, unsigned b) {
  unsigned r = a * b + a / (b + 1) + a % (b + 7);
  r += a >> 3;
  if (a > b) r -= 5;
  if (a - b >= 10u) r ^= a | b;
  return r & ~a;
}

static int narrow(signed char c, unsigned char u, short s, unsigned short w) {
  c += 3;
  u -= 250;
  s *= 2;
  w >>= 2;
  c++;
  --u;
  return c * 2 + u - s + w + (c < u) + (s == w);
}

static long long large(long long a, unsigned long long b) {
  a = a * 7 + (long long)(b % 13);
  b /= 3;
  return (a >> 2) - (long long)(b & 0xfff) + (a > 100) - (b < 50);
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    int v = box.values[i];
    printf("%d %u %d ", signs(v, i), wide((unsigned)v, (unsigned)i * 9u), narrow((signed char)v, (unsigned char)(v + i), (short)v, (unsigned short)v));
    printf("%lld\n", large(v, (unsigned long long)i * 1000));
  }
  return 0;
}
