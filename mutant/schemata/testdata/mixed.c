#include <stdio.h>
int g;
static int max(int a, int b) { if (a > b && b != 0) return a; return b ? b : -a; }
int main(void) {
  int n = 0, m, arr[10];
  scanf("%d", &m);
  while (m-- > 0) { n += m; arr[m & 7] = n; }
  for (int i = 0; i < 10; i++) if (!(i & 1) || arr[i] > 3) g += max(arr[i], ~i);
  switch (n) { case 1: g++; break; case 2: g--; break; default: g = 0; }
  printf("%d %d\n", n, g);
  return 0;
}
