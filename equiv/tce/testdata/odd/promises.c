/* Promises that code does not keep: functions without a return, places that are
   never reached, functions that are pure or never return. */
#include <stdio.h>

static int calls;

__attribute__((pure)) int counted(int n) { return ++calls + n; }
__attribute__((noreturn)) void stop(int n);

static int forgotten(int n) {
  int r = n * 3;
  r += 1;
}

static int unreachable(int n) { // unknown: it goes on where it says that it never comes
  if (n > 5) __builtin_unreachable();
  return n > 5;
}

static int assumed(int n) {
  __builtin_assume(n < 3);
  return n < 3;
}

static int impure(int n) {
  int a = counted(n);
  counted(n);
  return a * 10 + counted(n);
}

int main(void) {
  for (int n = 0; n < 8; n++) printf("%d %d %d %d\n", forgotten(n), unreachable(n & 3), assumed(n), impure(n));
  return 0;
}
