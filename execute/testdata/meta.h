/* What mutant/schemata does to a program, by hand. */
#include <stdint.h>
extern int32_t winnow_selector;
extern int64_t winnow_fuel;
void winnow_out_of_fuel(void);
_Noreturn void winnow_trap(void);
#define WORK() do { if (--winnow_fuel < 0) winnow_out_of_fuel(); } while (0)
#define SITES(n) uint8_t winnow_reached[n]; const int32_t winnow_sites = n;
#define SITE(s) (*(volatile uint8_t *)&winnow_reached[s] = 1)
#define MUTANT(n) (winnow_selector == (n))
