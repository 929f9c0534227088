/* Short-circuits in if, loops, values, arguments and ?:, with negations and nesting. */
#include <stdio.h>

static int calls;

static int truth(int x) {
  calls++;
  return x;
}

static int as_condition(int a, int b, int c) {
  int r = 0;
  if (truth(a) && truth(b)) r += 1;
  if (truth(a) || truth(b)) r += 2;
  if (!truth(a) && !(truth(b) || c > 1)) r += 4;
  if (!(a && b) || !c) r += 8;
  if (a && b && c) r += 16;
  if (a || b || c) r += 32;
  if ((a || b) && truth(c)) r += 64;
  if ((a && b) || truth(c)) r += 128;
  if (!(a < b && b < c)) r += 256;
  return r;
}

static int as_value(int a, int b, int c) {
  int and = truth(a) && truth(b), or = truth(a) || truth(b);
  int three = a && b && c, mixed = (a || b) && c, other = (a && b) || c;
  int negated = !(a && !b) || !c;
  return and + 2 * or + 4 * three + 8 * mixed + 16 * other + 32 * negated;
}

static int as_argument(int a, int b) { return truth(a && b) * 2 + truth(!a || b); }

static int chosen(int a, int b, int c) {
  int x = a && b ? c : a || c ? b : -1;
  return x > 0 ? x : a ? (b ? 3 : 4) : 5;
}

static int in_loops(int n) {
  int i = 0, s = 0;
  while (i < n && s < 20) {
    s += i;
    i++;
  }
  do {
    s -= 3;
  } while (s > 4 && i-- > 1);
  for (int k = 0; k < n || s < 0; k++) s += k;
  return s * 100 + i;
}

int main(void) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      for (int c = 0; c < 3; c++) printf("%d %d %d;", as_condition(a, b, c), as_value(a, b, c), chosen(a, b, c));
      printf("%d\n", as_argument(a, b));
    }
  printf("%d %d %d\n", in_loops(4), in_loops(9), calls);
  return as_condition(1, 2, 0) & 63;
}
