#include <stdio.h>
#include <string.h>

char text[101], rest[101];

static void rotate(int from, int to, int by) {
  int n = to - from + 1;
  by %= n;
  memcpy(rest, text + to + 1 - by, by);
  memcpy(rest + by, text + from, n - by);
  memcpy(text + from, rest, n);
}

int main(void) {
  int m, from, to, by;
  if (scanf("%100s", text) != 1 || scanf("%d", &m) != 1)
    return 1;
  while (m-- > 0) {
    if (scanf("%d %d %d", &from, &to, &by) != 3)
      return 2;
    rotate(from - 1, to - 1, by);
  }
  printf("%s\n", text);
  return 0;
}
