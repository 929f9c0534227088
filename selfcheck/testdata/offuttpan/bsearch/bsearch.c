#include <stdio.h>

/* The place of a number in a sorted list, from 1; 0 where it is not there. */
int search(const int *list, int count, int wanted) {
  int low = 1, high = count;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (list[middle - 1] == wanted)
      return middle;
    if (list[middle - 1] < wanted)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return 0;
}

int main(void) {
  int list[20], count, wanted;
  if (scanf("%d %d", &wanted, &count) != 2 || count < 0 || count > 20)
    return 1;
  for (int i = 0; i < count; i++)
    if (scanf("%d", &list[i]) != 1)
      return 1;
  printf("%d\n", search(list, count, wanted));
  return 0;
}
