/* Reads data/in.txt, and writes the sum of its numbers to out.txt and to a log
 * that nobody asked for. The mutants write something else, or somewhere else. */
#define _GNU_SOURCE
#include "meta.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

SITES(1)

static int broke; /* how often something forbidden worked */
static void must_fail(long result) { broke += result >= 0; }

static void outside(const char *victim) {
  char beside[4096];
  snprintf(beside, sizeof beside, "%s.new", victim);
  must_fail(open(victim, O_WRONLY));
  must_fail(open(victim, O_RDWR | O_TRUNC));
  must_fail(open(victim, O_RDONLY | O_TRUNC));
  must_fail(open(beside, O_WRONLY | O_CREAT, 0666));
  must_fail(creat(beside, 0666));
  must_fail(unlink(victim));
  must_fail(rename(victim, "mine"));
  must_fail(rename("log", beside));
  must_fail(truncate(victim, 0));
  must_fail(link(victim, "mine"));
  must_fail(symlink("/", "root"));
  must_fail(mkdir("folder", 0777));
  must_fail(mknod("pipe", S_IFIFO | 0666, 0));
  must_fail(open("/tmp", O_TMPFILE | O_RDWR, 0666));
  must_fail(open("../beside", O_WRONLY | O_CREAT, 0666));
  must_fail(fork());
  if (broke) printf("%d escapes\n", broke);
}

static void flood(void) {
  static char block[1 << 16];
  for (int i = 0;; i++) {
    char name[32];
    snprintf(name, sizeof name, "flood%d", i);
    int fd = open(name, O_WRONLY | O_CREAT, 0666);
    for (int k = 0; fd >= 0 && k < 8; k++) (void)!write(fd, block, sizeof block);
    close(fd);
  }
}

/* As much in removed files as there may be open ones, none of which is too large. */
static void flood_unseen(void) {
  static char block[1 << 16];
  for (int i = 0; i < 50; i++) {
    int fd = open("unseen", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    unlink("unseen");
    for (int k = 0; fd >= 0 && k < 8; k++) (void)!write(fd, block, sizeof block);
  }
  for (;;) pause();
}

int winnow_program_main(int argc, char **argv, char **envp) {
  (void)envp;
  winnow_reached[0] = 1;
  int m = winnow_selector, n, sum = m == 1;
  if (access("log", F_OK) == 0) puts("an earlier run's log");
  FILE *in = fopen("data/in.txt", "r+");
  while (in && fscanf(in, "%d", &n) == 1) sum += n;
  if (in && m == 6) fprintf(in, " 5");
  if (in) fclose(in);
  FILE *log = fopen("log", "w");
  if (!log) return 9;
  fprintf(log, "mutant %d\n", m);
  fclose(log);
  if (m == 9) { /* as with a NULL that a mutant makes: the kernel says that there is no such path */
    const char *volatile nothing = NULL;
    struct stat about;
    if (fopen(nothing, "r") || access(nothing, F_OK) != -1 || stat(nothing, &about) != -1 || rename("log", nothing) != -1) return 8;
  }
  if (m == 10 && (long)*(argv - 1) != argc) return 8; /* where the kernel lays it */
  if (m == 3) outside(argv[1]);
  if (m == 4) flood();
  if (m == 8) flood_unseen();
  if (m == 5)
    for (int i = 0;; i++) {
      char name[32];
      snprintf(name, sizeof name, "empty%d", i);
      close(open(name, O_WRONLY | O_CREAT, 0666));
    }
  FILE *out = m == 2 ? NULL : fopen("out.txt", "w");
  if (out) fprintf(out, m == 7 ? "%d  \n\n" : "%d\n", sum), fclose(out);
  return 0;
}
