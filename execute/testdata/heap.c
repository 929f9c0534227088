/* Tells what fresh memory holds: a small block, the largest of the small ones,
 * one that takes its place, and large ones. */
#include "meta.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SITES(1)

static void tell(size_t size) {
  unsigned char *block = malloc(size);
  size_t filled = 0, zero = 0;
  for (size_t i = 0; i < size; i++) filled += block[i] == 0x5a, zero += block[i] == 0;
  printf("%zu: %s\n", size, filled == size ? "filled" : zero == size ? "zero" : "mixed");
  memset(block, 1, size);
  free(block);
}

int winnow_program_main(void) {
  static const size_t sizes[] = {1, 7, 24, 1000, (1 << 17) - 1, 1 << 17, 5000000, 5000000, 1000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) tell(sizes[i]);
  return 0;
}
