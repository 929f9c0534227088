/* Not a meta-mutant yet: the whole way from C to verdicts is tested on it. */
#include <stdio.h>

static int larger(int a, int b) {
  if (a > b) return a;
  return b;
}

int main(void) {
  int a, b;
  while (scanf("%d %d", &a, &b) == 2) printf("%d\n", larger(a, b));
  return 0;
}
