/* Each function is one question to the probing build: does the mutant compute
   something else on this input? */
#include <stdio.h>

static int table[4] = {7, 7, 9, 0};
static int kept;

static int less(int a, int b) { return a < b; }
static int sum(int a, int b) { return a + b; }
static int quotient(int a, int b) { return b ? a / b : 0; }
static int far(int a, int b) { return a << b; }
static int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}
static int at(int i) { return table[i & 1]; }
static void keep(int a) { kept = a; }
static int fresh(int a) {
  int x = a;
  return x;
}
static int difference(int a, int b) { return a - b; }
static double scaled(double a, double b) { return a * b; }

int main(void) {
  int a, b;
  if (scanf("%d%d", &a, &b) != 2) return 0;
  keep(b);
  keep(a);
  printf("%d %d %d %d %d %d %d %d %d %g\n", less(a, b), sum(a, b), quotient(a, b), far(a, b & 7), larger(a, b), at(a), fresh(a),
         difference(a, b), kept, scaled(a, b));
  return 0;
}
