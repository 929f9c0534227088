/* Unusual calls and frames: calls in the place of the frame (musttail), variable
   arguments, arrays whose length is known as the program runs, memory from the
   stack. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int odd(int n, int r);
static int even(int n, int r) {
  if (n <= 0) return r + 1;
  __attribute__((musttail)) return odd(n - 1, r + 2);
}
static int odd(int n, int r) {
  if (n <= 0) return r;
  __attribute__((musttail)) return even(n - 1, r * 2);
}

static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  for (int k = 0; k < n; k++) s += va_arg(list, int);
  va_end(list);
  return s;
}

static int variable(int n) {
  int a[n + 1];
  a[n] = n * n;
  int *more = __builtin_alloca((n + 2) * sizeof(int));
  memcpy(more, a, (n + 1) * sizeof(int));
  return more[n] + (int)sizeof a;
}

static int huge(int n) {
  char room[n << 28];
  (void)room;
  return printf("%d ", n);
}

int main(void) {
  for (int n = 0; n < 4; n++) printf("%d %d %d %d %d\n", even(n, 1), odd(n, 2), sum(n, 3, 4, 5), variable(n), huge(0));
  return 0;
}
