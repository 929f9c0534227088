/* What a library may do and passes take for settled: allocations that fail,
   comparisons that return another number than -1, digits that are not 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int isdigit(int c);

static int cleared(size_t n) {
  char *p = calloc(n, 1);
  return p ? 2 : 1;
}

static int grown(size_t n) {
  char *p = malloc(n);
  if (!p) return 3;
  free(p);
  return 4;
}

static int order(int n) {
  const char *s = "a";
  return strcmp(s, "c") + n;
}

static int digit(int c) { return isdigit(c) == 1; }

int main(void) {
  for (int n = 0; n < 3; n++)
    printf("%d %d %d %d\n", cleared((size_t)n << 30), grown((size_t)n << 30), order(n), digit('/' + n));
  return 0;
}
