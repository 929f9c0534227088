/* Questions to the compiler, whose answers depend on how well code is optimised,
   and operations that the standard leaves undefined and the machine does not. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int sized(int n) { // unknown: it asks the compiler (llvm.objectsize.i64.p0i8)
  char room[10];
  char *p = room;
  if (n > 1) p = room + n;
  return (int)__builtin_object_size(p, 0);
}

static int framed(int n) { // unknown: it asks the compiler (llvm.frameaddress.p0i8)
  int here = n;
  return (uintptr_t)__builtin_frame_address(0) > (uintptr_t)&here;
}

static int constant(int n) { // unknown: it asks the compiler (llvm.is.constant.i32)
  int k = 3;
  k = k + 1;
  return __builtin_constant_p(k) ? n : n + 10;
}

static int leading(unsigned n) { return __builtin_clz(n | 1) + __builtin_popcount(n); }

static int trailing(unsigned n) {
  unsigned none = n & 0;
  return __builtin_ctz(none | (n << 3));
}

static int far(double d) {
  double large = 1e20;
  return (int)large / 2 + (unsigned char)(d * 100);
}

static int wide(int n) {
  unsigned __int128 w = (unsigned __int128)n << 100;
  return (int)(w >> 98) + n;
}

typedef int four __attribute__((vector_size(16)));
static int vector(int n) {
  four a = {n, 2, 3, 4};
  a = a << (four){1, 2, n, 40};
  return a[0] + a[1] * 10 + a[2];
}

static int divided(int n) { // unknown: it divides or indexes vectors in ways that may be undefined
  four a = {n, 2, 3, 4};
  a = a / (four){1, 2, 3, n + 1};
  return a[n & 3];
}

static int padded(int n) {
  struct { char c; int i; } a, b;
  memset(&a, n, sizeof a);
  a.c = 1;
  b = a;
  return ((unsigned char *)&b)[1] + b.c;
}

int main(void) {
  for (int n = 0; n < 4; n++) {
    printf("%d %d %d %d %d ", sized(n), framed(n), constant(n), leading(n), trailing(n + 1));
    printf("%d %d %d %d %d\n", far(n + 0.5), wide(n), vector(n), divided(n), padded(n));
  }
  return 0;
}
