/* A library that the tests of this package mutate. */
#include <stdlib.h>

int clamp(int x, int low, int high) {
  if (x < low) return low;
  if (x > high) return high;
  return x;
}

int sum_to(int n) {
  int sum = 0;
  while (n > 0) sum += n--;
  return sum;
}

int never_tested(int n) { return n * 3 + 1; }
