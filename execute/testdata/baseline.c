/* Originals of all sorts, chosen by the first argument. */
#include "meta.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

SITES(4)

int winnow_program_main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  SITE(0);
  if (MUTANT(1)) puts("mutant");
  if (!strcmp(how, "pid")) printf("%d\n", getpid());
  if (!strcmp(how, "time")) srand((unsigned)time(NULL)), printf("%d\n", rand());
  if (!strcmp(how, "random")) {
    FILE *f = fopen("/dev/urandom", "r");
    printf("%d %d\n", getc(f), getc(f) * 256 + getc(f));
  }
  /* What the kernel gives a server, and all that it forks. */
  if (!strcmp(how, "server")) printf("%ld\n", *(long *)getauxval(AT_RANDOM));
  if (!strcmp(how, "crash")) SITE(1), fflush(stdout), *(volatile int *)8 = 1;
  if (!strcmp(how, "leave")) SITE(1), _exit(7);
  if (!strcmp(how, "abort")) SITE(1), abort();
  if (!strcmp(how, "sigkill")) SITE(1), raise(SIGKILL);
  if (!strcmp(how, "flood")) for (;;) puts("0123456789");
  if (!strcmp(how, "hang")) for (;;) pause();
  if (!strcmp(how, "status")) return 3 + MUTANT(2);
  return 0;
}
