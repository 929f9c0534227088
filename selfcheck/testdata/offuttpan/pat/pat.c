#include <stdio.h>

/* Where a pattern begins in a subject, from 1; 0 where it is not there. */
int matched(const int *subject, int length, const int *pattern, int size) {
  for (int at = 0; at <= length - size; at++) {
    int same = 0;
    while (same < size && subject[at + same] == pattern[same])
      same++;
    if (same == size)
      return at + 1;
  }
  return 0;
}

int main(void) {
  int subject[20], pattern[20], length, size;
  if (scanf("%d %d", &size, &length) != 2 || size < 1 || size > 20 || length < 0 || length > 20)
    return 1;
  for (int i = 0; i < size; i++)
    if (scanf("%d", &pattern[i]) != 1)
      return 1;
  for (int i = 0; i < length; i++)
    if (scanf("%d", &subject[i]) != 1)
      return 1;
  printf("%d\n", matched(subject, length, pattern, size));
  return 0;
}
