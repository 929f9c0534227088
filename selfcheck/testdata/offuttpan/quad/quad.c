#include <stdio.h>

/* How many roots a quadratic has: none, one or two; the sum of them where there are two. */
int roots(int a, int b, int c) {
  int under;
  if (a == 0)
    return -1;
  under = b * b - 4 * a * c;
  if (under < 0)
    return 0;
  if (under == 0)
    return 1;
  return 2 + -b / a;
}

int main(void) {
  int a, b, c;
  if (scanf("%d %d %d", &a, &b, &c) != 3 || a < -1000 || a > 1000 || b < -1000 || b > 1000 || c < -1000 || c > 1000)
    return 1;
  printf("%d\n", roots(a, b, c));
  return 0;
}
