#include "ring.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct ring r;

static int fill(void) {
  int x = 0;
  for (int i = 0; i < 4; i++)
    if (!ring_put(&r, i)) return 1;
  if (ring_put(&r, 9)) return 2;
  for (int i = 0; i < 4; i++)
    if (!ring_get(&r, &x) || fabs((double)(x - i)) > 0) return 3;
  return ring_get(&r, &x) ? 4 : 0;
}

/* Plays what a file says: a number is put in, a dash takes one out. */
static int trace(const char *path) {
  char word[32];
  int x, sum = 0, n;
  FILE *in = fopen(path, "r");
  if (!in) return 5;
  while (fscanf(in, "%31s", word) == 1) {
    if (strcmp(word, "-") == 0 && ring_get(&r, &x)) sum = 2 * sum + x;
    if (sscanf(word, "%d", &n) == 1) ring_put(&r, n);
  }
  fclose(in);
  return sum != 57;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "fill") == 0) return fill();
  if (argc == 3 && strcmp(argv[1], "trace") == 0) return trace(argv[2]);
  fprintf(stderr, NAME ": fill or trace\n");
  return 64;
}
