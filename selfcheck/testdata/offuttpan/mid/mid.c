#include <stdio.h>

/* The middle of three numbers. */
int middle(int x, int y, int z) {
  int mid = z;
  if (y < z) {
    if (x < y)
      mid = y;
    else if (x < z)
      mid = x;
  } else {
    if (x > y)
      mid = y;
    else if (x > z)
      mid = x;
  }
  return mid;
}

int main(void) {
  int x, y, z;
  if (scanf("%d %d %d", &x, &y, &z) != 3)
    return 1;
  printf("%d\n", middle(x, y, z));
  return 0;
}
