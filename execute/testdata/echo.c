/* Prints its arguments, then its input. */
#include "meta.h"
#include <stdio.h>

SITES(1)

int winnow_program_main(int argc, char **argv) {
  int c;
  SITE(0);
  for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
  while ((c = getchar()) != EOF) putchar(c);
  return 0;
}
