/* Recursion, function pointers, variable arguments, globals, static locals. */
#include <stdarg.h>
#include <stdio.h>

typedef int (*operation)(int, int);

static int depth, deepest;

static int ackermann(int m, int n) {
  if (++depth > deepest) deepest = depth;
  int r = m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
  depth--;
  return r;
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int power(int a, int b) { return b <= 0 ? 1 : a * power(a, b - 1); }

static operation table[3] = {plus, minus, power};

static int fold(operation f, int n) {
  int r = 1;
  for (int i = 1; i < n; i++) r = f(r, i);
  return r;
}

static int sum(int n, ...) {
  va_list args;
  int s = 0;
  va_start(args, n);
  for (int i = 0; i < n; i++) s = s * 3 + va_arg(args, int);
  va_end(args);
  return s;
}

static int next(void) {
  static int state = 17;
  state = (state * 5 + 3) % 64;
  return state;
}

int main(void) {
  printf("%d %d %d\n", ackermann(2, 2), deepest, fib(8));
  for (int i = 0; i < 3; i++) printf("%d %d ", fold(table[i], 5), table[i](6, i));
  printf("%d %d\n", sum(3, 4, 5, 6), sum(0, 1, 2, 3));
  for (int i = 0; i < 4; i++) printf("%d ", next());
  return next() & 15;
}
