#include <stdio.h>

/* Sorts by letting the greatest numbers rise. */
void sort(int *list, int count) {
  for (int end = count - 1; end > 0; end--)
    for (int i = 0; i < end; i++)
      if (list[i] > list[i + 1]) {
        int kept = list[i];
        list[i] = list[i + 1];
        list[i + 1] = kept;
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
