/* Mutant n does n more units of work than the original, which does as many as
 * its argument says. */
#include "meta.h"
#include <stdlib.h>

SITES(1)

int winnow_program_main(int argc, char **argv) {
  SITE(0);
  for (int i = 0; i < atoi(argv[argc - 1]) + winnow_selector; i++) WORK();
  return 0;
}
