#include <stdio.h>

/* The kind of a triangle: 1 scalene, 2 isosceles, 3 equilateral, 4 none. */
int kind(int i, int j, int k) {
  int equal;
  if (i <= 0 || j <= 0 || k <= 0)
    return 4;
  equal = 0;
  if (i == j)
    equal = equal + 1;
  if (i == k)
    equal = equal + 2;
  if (j == k)
    equal = equal + 3;
  if (equal == 0) {
    if (i + j <= k || j + k <= i || i + k <= j)
      return 4;
    return 1;
  }
  if (equal > 3)
    return 3;
  if (equal == 1 && i + j > k)
    return 2;
  if (equal == 2 && i + k > j)
    return 2;
  if (equal == 3 && j + k > i)
    return 2;
  return 4;
}

int main(void) {
  int i, j, k;
  if (scanf("%d %d %d", &i, &j, &k) != 3 || i > 10000 || j > 10000 || k > 10000)
    return 1;
  printf("%d\n", kind(i, j, k));
  return 0;
}
