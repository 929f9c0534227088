#include <stdio.h>

/* Sorts by putting each number where it belongs among those before it. */
void sort(int *list, int count) {
  for (int i = 1; i < count; i++) {
    int put = list[i], j = i - 1;
    while (j >= 0 && list[j] > put) {
      list[j + 1] = list[j];
      j--;
    }
    list[j + 1] = put;
  }
}

int main(void) {
  int list[20], count;
  if (scanf("%d", &count) != 1 || count < 0 || count > 20)
    return 1;
  for (int i = 0; i < count; i++)
    if (scanf("%d", &list[i]) != 1)
      return 1;
  sort(list, count);
  for (int i = 0; i < count; i++)
    printf("%d ", list[i]);
  printf("\n");
  return 0;
}
