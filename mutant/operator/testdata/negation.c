/* -, ~, ! and conditions that are no comparison. */
#include <stdbool.h>

int minus(int a) { return -a; }

double real(double x) { return -x; }

unsigned complement(unsigned a) { return ~a; }

int not(int a) { return !a; }

int condition(int a, const char *p, bool flag, double x) {
  if (a) return 1;
  if (!p) return 2;
  if (flag) return 3;
  return x ? 4 : 5;
}

int *back(int *p, int n) { return p - n; }
