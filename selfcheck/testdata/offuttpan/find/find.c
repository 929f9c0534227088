#include <stdio.h>

/* Arranges a list so that what stands at a place is not less than what stands before it, and
   not greater than what stands behind it. */
void arrange(int *list, int count, int place) {
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = list[place], i = low, j = high;
    while (i <= j) {
      while (list[i] < middle)
        i++;
      while (middle < list[j])
        j--;
      if (i <= j) {
        int kept = list[i];
        list[i] = list[j];
        list[j] = kept;
        i++;
        j--;
      }
    }
    if (place <= j)
      high = j;
    else if (i <= place)
      low = i;
    else
      return;
  }
}

int main(void) {
  int list[20], count, place;
  if (scanf("%d %d", &place, &count) != 2 || count < 1 || count > 20 || place < 0 || place >= count)
    return 1;
  for (int i = 0; i < count; i++)
    if (scanf("%d", &list[i]) != 1)
      return 1;
  arrange(list, count, place);
  for (int i = 0; i < count; i++)
    printf("%d ", list[i]);
  printf("\n");
  return 0;
}
