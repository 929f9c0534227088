/* Runs a meta-mutant by itself. The environment variable MART_SELECTED_MUTANT_ID
 * holds the number of the mutant to run; 0, no number, a number that no mutant
 * has, or no variable at all runs the original. Work is not limited.
 *
 *   clang-14 -O1 X.OptMetaMu.bc winnow-meta.c -o X.OptMetaMu
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int32_t winnow_selector;
int64_t winnow_fuel = INT64_MAX;

/* Called when winnow_fuel is used up, after some centuries. */
void winnow_out_of_fuel(void) { abort(); }

/* Runs before the constructors of the program, which are mutated too. */
__attribute__((constructor(101))) static void select_mutant(void) {
  const char *text = getenv("MART_SELECTED_MUTANT_ID");
  char *end;
  long id;
  if (text == NULL) return;
  errno = 0;
  id = strtol(text, &end, 10);
  if (errno == 0 && end != text && *end == '\0' && id > 0 && id <= INT32_MAX) winnow_selector = (int32_t)id;
}

int winnow_program_main(int argc, char **argv, char **envp);

int main(int argc, char **argv, char **envp) { return winnow_program_main(argc, argv, envp); }
