/* Site n is first executed after 100 n units of work, but for site 4, which is not
 * executed at all; the run does 400. Mutant n, of site n - 1, changes nothing. */
#include "meta.h"

SITES(5)

int winnow_program_main(int argc, char **argv) {
  for (int i = 0; i <= 400; i++) {
    if (i % 100 == 0 && i < 400) SITE(i / 100);
    if (i < 400) WORK();
  }
  return 0;
}
