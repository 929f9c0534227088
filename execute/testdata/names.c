/* A program may give its own functions and variables the names of libc's. */
#include "meta.h"
extern int printf(const char *, ...);

SITES(1)
int time[3] = {1, 2, 3}, kill, mmap_count;
int read(void) { return 4; }
int write(int x) { return x + 1; }
int close(int x) { return x * 2; }
int getpid(void) { return 5; }

int winnow_program_main(void) {
  SITE(0);
  printf("%d\n", time[1] + read() + write(1) + close(3) + getpid() + MUTANT(1));
  return kill;
}
