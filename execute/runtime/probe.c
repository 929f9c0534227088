/* What a probing build calls (mutant/schemata, Probe): its table of reached
 * sites goes on with a byte a mutant, and perhaps with counts, under these
 * names. Other programs have none of them. */
#include "winnow.h"

extern uint8_t winnow_infected[] __attribute__((weak));
extern uint32_t winnow_infect_counts[] __attribute__((weak));

void winnow_infect(int32_t first, uint64_t set) {
  for (int32_t mutant = first; set; set >>= 1, mutant++) {
    if (!(set & 1)) continue;
    winnow_infected[mutant] = 1;
    if (winnow_infect_counts && winnow_infect_counts[mutant] != UINT32_MAX) winnow_infect_counts[mutant]++;
  }
}
