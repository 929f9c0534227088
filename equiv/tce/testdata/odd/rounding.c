/* The state of the floating-point unit: how it rounds, and what it has noted. */
#include <fenv.h>
#include <stdio.h>

static int sum(int x) { // unknown: it computes with floating-point numbers in a program that changes or asks how
  double a = 0.1, b = 0.2;
  fesetround(FE_UPWARD);
  double s = a + b + x;
  fesetround(FE_TONEAREST);
  return s > 0.30000000000000004 + x;
}

static int inexact(int n) { // unknown: it computes with floating-point numbers in a program that changes or asks how
  double one = 1, three = n + 3;
  feclearexcept(FE_ALL_EXCEPT);
  one = one / three;
  return fetestexcept(FE_INEXACT) != 0;
}

static int whole(int n) { return n * 1 + 2; }

int main(void) {
  for (int n = 0; n < 4; n++) printf("%d %d %d\n", sum(n), inexact(n), whole(n));
  return 0;
}
