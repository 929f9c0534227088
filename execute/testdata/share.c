/* A program that asks for much before its mutants are reached, site after site: heap
 * and mappings, files, buffered output, the position in its input, signals, rounding. Each
 * mutant changes what comes after its site, and most leave something behind. */
#include "meta.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STAGES = 24, EACH = 6 };
SITES(24)

static char *blocks[STAGES], *large;
static long sum;
static double quotient = 1;
static jmp_buf home;

static void round_upwards(void) {
#ifdef __x86_64__
  unsigned mode = 0x5f80;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
#endif
}

static void stage(int n) {
  char line[64] = "";
  blocks[n] = malloc(4000 + 1000 * (size_t)n); /* the break moves, now and then */
  memset(blocks[n], n, 4000);
  if (n == 5) large = calloc(1, 300000); /* a mapping of its own */
  if (n == 9) signal(SIGTERM, SIG_IGN);
  if (n == 12) round_upwards();
  if (fgets(line, sizeof line, stdin)) printf("%d: %s", n, line);
  for (int i = 0; i < 50; i++) {
    WORK();
    quotient = quotient / 3 + i;
    sum += blocks[i % (n + 1)][i];
  }
  if (n == 3 && setjmp(home)) puts("back home");
}

int winnow_program_main(int argc, char **argv) {
  (void)argc, (void)argv;
  for (int n = 0; n < STAGES; n++) {
    WORK();
    stage(n);
    SITE(n);
    if (MUTANT(n * EACH + 1)) sum++;
    if (MUTANT(n * EACH + 2)) free(blocks[n]), blocks[n] = NULL; /* a crash later on */
    if (MUTANT(n * EACH + 3)) memset(blocks[0], 1, 2000), memset(blocks[n], 0, 10);
    if (MUTANT(n * EACH + 4)) for (;;) WORK();
    if (MUTANT(n * EACH + 5)) raise(SIGTERM); /* kills until stage 9 */
    if (MUTANT(n * EACH + 6) && n > 3 && sum++ < 100000) longjmp(home, 1);
    if (large) large[n] = (char)n, sum += large[n / 2];
  }
  printf("%ld %a %p\n", sum, quotient, (void *)blocks[STAGES - 1]);
  return 0;
}
