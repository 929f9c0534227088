/* Types and expressions that C has beside integers and structs of them: complex and long
   numbers, atomic ones, choices by type, statements as expressions, ranges of cases,
   clean-up at the end of a scope, members without a name or a length. */
#include <complex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int imagined(int n) {
  double complex z = n + 2.0 * I;
  z = z * z - conj(z) / 2;
  return (int)creal(z) * 100 + (int)cimag(z);
}

static int precise(int n) {
  long double d = n * 1.5L;
  d = d * d + 0.25L;
  return d > 3 ? (int)(d * 4) : -(int)d;
}

#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, double: 4, default: 5)
static int chosen(int n) {
  unsigned u = n;
  return KIND(n) + 10 * KIND(u + 1) + 100 * KIND(n * 2.0) + 1000 * KIND(n << 1L) + n;
}

#define LARGER(a, b) ({ int p = (a), q = (b); p > q ? p : q; })
static int nested(int n) {
  return LARGER(n * 2, LARGER(3, n + 1)) - ({ int s = 0; for (int k = 0; k <= n; k++) s += k; s; });
}

static int ranged(int n) {
  switch (n * 3) {
  case 0 ... 2: return n + 5;
  case 3 ... 6: n++; __attribute__((fallthrough));
  case 7: return n * 2;
  default: return n - 1;
  }
}

static int balance;
static void restore(int *saved) { balance -= *saved; }
static int cleaned(int n) { // unknown: it goes on where it says that it never comes
  balance = 10;
  {
    __attribute__((cleanup(restore))) int saved = n + 1;
    if (n > 1) return balance + saved;
    balance += 2;
  }
  return balance;
}

struct flexible { int count; struct { short low, high; }; int items[]; };
static int flexed(int n) {
  struct flexible *f = malloc(sizeof *f + (n + 1) * sizeof f->items[0]);
  f->count = n + 1;
  f->low = n - 1;
  for (int k = 0; k < f->count; k++) f->items[k] = k * f->low;
  int last = f->items[f->count - 1];
  free(f);
  return last;
}

struct packed { unsigned a : 3, b : 5; signed c : 4; _Bool d : 1; };
static int fields(int n) {
  struct packed p = {.a = n + 6, .b = n * 9, .c = n + 6, .d = n > 1};
  p.a += 3;
  p.b = p.b << 1 | p.d;
  return p.a + 10 * p.b + 1000 * p.c;
}

union punned { float f; unsigned u; unsigned char bytes[4]; };
static int punned(int n) {
  union punned p = {.f = n * 1.5f};
  p.u ^= 0x80000000u;
  p.bytes[1] |= n;
  return (int)(p.f * 1000) + (p.u >> 30);
}

static _Atomic int shared;
static int counted(int n) {
  atomic_fetch_add(&shared, n + 1);
  int old = atomic_exchange(&shared, n);
  atomic_compare_exchange_strong(&shared, &(int){2}, 20);
  return old * 100 + shared;
}

static int literal(int n) {
  int *p = (int[16]){[6] = n, n + 1, [10] = n * 2} + 6;
  const struct { int x, y; } q = {.y = n + 1};
  return p[1] + p[4] * 10 + p[3] + q.x + q.y;
}

static int conditional(int n) { return (n - 1 ?: 7) + (n && printf("%d ", n)) + !!n; }

static int compared(const char *s, int n) {
  return __builtin_expect(s[n] == 'b', 1) ? s[n + 1] - 'a' : __builtin_ffs(n) + __builtin_parity(n);
}

static int overflowed(int n) {
  int r, o = __builtin_add_overflow(n, 0x7ffffffd, &r);
  o += __builtin_mul_overflow((short)(n * 9000), 2, &(short){0});
  return o * 10 + (r < 0);
}

int main(void) {
  for (int n = 0; n < 4; n++) {
    printf("%d %d %d %d %d ", imagined(n), precise(n), chosen(n), nested(n), ranged(n));
    printf("%d %d %d %d %d ", cleaned(n), flexed(n), fields(n), punned(n), counted(n));
    printf("%d %d %d %d %d\n", literal(n), conditional(n), compared("abca", n % 3), overflowed(n), balance);
  }
  return 0;
}
