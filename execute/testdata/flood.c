/* Prints up to a limit that the test sets, and beyond it. */
#include "meta.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

SITES(1)

static void note(int number) { (void)number; _exit(9); }

static void print(long bytes) {
  char line[100];
  memset(line, 'x', sizeof line);
  line[99] = '\n';
  for (; bytes >= 100; bytes -= 100) {
    WORK();
    fwrite(line, 1, 100, stdout);
  }
  fwrite(line, 1, (size_t)bytes, stdout);
}

int winnow_program_main(void) {
  long limit = 0;
  SITE(0);
  WORK();
  scanf("%ld", &limit);
  printf("%ld\n", limit);
  fflush(stdout);
  long head = limit > 99999 ? 7 : 6;
  char *all = malloc((size_t)limit * 2);
  memset(all, 'y', (size_t)limit * 2);
  switch (winnow_selector) {
  case 1: for (;;) print(1000);
  case 2: print(limit - head - 1); break;
  case 3: print(limit - head); break;
  case 4: print(limit - head + 1); break;
  case 5: print(limit - head); fflush(stdout); WORK(); printf("more"); WORK(); break;
  case 6: write(1, all, (size_t)limit * 2); WORK(); write(1, "", 0); WORK(); write(1, "z", 1); WORK(); break;
  case 7: { struct iovec parts[3] = {{all, (size_t)limit - 100}, {all, 200}, {all, 5}};
            printf("%d\n", writev(1, parts, 3) == limit - head); WORK(); break; }
  case 8: setvbuf(stdout, NULL, _IONBF, 0); for (;;) { WORK(); printf("%s", "a short line\n"); }
  case 9: fwrite(all, 1, (size_t)limit * 2, stdout); WORK(); break;
  case 10: printf("%*d", (int)limit * 2, 3); break;
  case 11: atexit((void (*)(void))abort); print(limit * 2); break;
  case 12: signal(SIGXFSZ, SIG_IGN); print(limit * 2); printf("%d", errno); return 3;
  case 13: signal(SIGXFSZ, note); print(limit * 2); break;
  }
  free(all);
  return 0;
}
