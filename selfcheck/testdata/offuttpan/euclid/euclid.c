#include <stdio.h>

/* The greatest common divisor of two numbers that are not negative. */
int divisor(int m, int n) {
  int rest;
  while (n != 0) {
    rest = m % n;
    m = n;
    n = rest;
  }
  return m;
}

int main(void) {
  int m, n;
  if (scanf("%d %d", &m, &n) != 2 || m < 0 || n < 0)
    return 1;
  printf("%d\n", divisor(m, n));
  return 0;
}
