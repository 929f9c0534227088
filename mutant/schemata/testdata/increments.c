/* ++ and -- before and after scalars, elements, fields and pointers, used and unused. */
#include <stdio.h>

static int g = 3;
static struct { int slack[16384]; int a[8]; int more[16384]; } box;

static int scalars(int n) {
  int i = n, r;
  i++;
  ++i;
  r = i++ * 2;
  r += --i;
  r -= i--;
  r += g++;
  r -= --g;
  unsigned char c = 254;
  c++;
  r += c++;
  r += ++c;
  return r * 10 + i;
}

static int elements(int n) {
  int *a = box.a;
  a[n]++;
  --a[n + 1];
  int r = a[n]++ + a[n + 1]--;
  r += ++a[2] - --a[3];
  int *p = a + n;
  r += *p++;
  r += *++p;
  r += (*p)--;
  r += --*p;
  r += *p--;
  return r + p[0];
}

static long wide(long k) {
  long r = k++;
  r += k-- * 3;
  float f = 0.5f;
  f++;
  --f;
  double d = f++;
  d += --f;
  return r + (long)(d * 8);
}

int main(void) {
  for (int n = 0; n < 4; n++) printf("%d %d %ld\n", scalars(n), elements(n), wide(n));
  int n = 5;
  while (n-- > 0) printf("%d", n);
  for (int i = 3; i; --i) printf("%d", i);
  printf("\n");
  return 0;
}
