/* Does with the files of its folder whatever the number that it is given draws, and says
 * what came of each call. With a second argument it also does what a runner leaves to
 * another tier. The mutant behaves like the original. */
#define _GNU_SOURCE
#include "meta.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

SITES(1)

static unsigned long long state;
static unsigned draw(unsigned most) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % most;
}

static const char *const names[] = {"in.txt", "data/in.txt", "data/new", "new",        "./new",    "new//",   "missing/x",
                                    "in.txt/x", "",          "out.txt",  "data/./two", "./data//in.txt", ".", "data",
                                    "data/..",  "/dev/null"};
enum { PLAIN = 12, NAMES = sizeof names / sizeof *names };
static int odd;
static const char *name(void) {
  unsigned n = draw(odd ? NAMES : PLAIN);
  return names[n == 5 && !odd ? 3 : n];
}

static void say(const char *what, long result) {
  printf("%s %ld", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

static int descriptor(void) { return 3 + (int)draw(4); }

static void call(void) {
  static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND,
                              O_RDWR | O_CREAT | O_EXCL, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC};
  char text[8192];
  struct stat about;
  long got;
  const char *at = name();
  switch (draw(odd ? 19 : 16)) {
  case 0:
  case 1: say("open", open(at, modes[draw(9)], draw(2) ? 0644 : 0600)); break;
  case 2: say("close", close(descriptor())); break;
  case 3:
    got = read(descriptor(), text, 1 + draw(300));
    say("read", got);
    if (got > 0) printf("%.*s\n", (int)got, text);
    break;
  case 4:
  case 5:
    memset(text, 'a' + (int)draw(26), sizeof text);
    say("write", write(descriptor(), text, draw(3) ? draw(40) : draw(sizeof text)));
    break;
  case 6: say("seek", lseek(descriptor(), (long)draw(600) - 100, (int)draw(3))); break;
  case 7: say("cut", ftruncate(descriptor(), draw(500))); break;
  case 8:
    got = draw(2) ? stat(at, &about) : fstat(descriptor(), &about);
    say("stat", got);
    if (!got) printf("%ld bytes, %o, %ld links\n", (long)about.st_size, about.st_mode, (long)about.st_nlink);
    break;
  case 9: say("access", access(at, (int)draw(4) * W_OK)); break;
  case 10: say("unlink", draw(2) ? unlink(at) : remove(at)); break;
  case 11: say("rename", rename(at, odd ? name() : strstr(at, "data/") ? "data/new" : "new")); break;
  case 12: {
    FILE *f = fopen(at, draw(2) ? "a+" : "w");
    say("fopen", f ? 0 : -1);
    if (!f) break;
    fprintf(f, "line %u\n", draw(1000));
    if (draw(2)) fflush(f), rewind(f), say("first", fgetc(f));
    if (draw(3)) say("fclose", fclose(f)); /* or the end of the program writes it */
    break;
  }
  case 13: {
    FILE *f = fopen(at, "r");
    say("fopen", f ? 0 : -1);
    while (f && fgets(text, sizeof text, f)) fputs(text, stdout);
    if (f) say("end", ftell(f)), fclose(f);
    break;
  }
  case 14:
    memset(text, 'A', 100);
    say("pwrite", pwrite(descriptor(), text, draw(100), draw(6000)));
    got = pread(descriptor(), text, draw(100), draw(6000));
    say("pread", got);
    if (got > 0) fwrite(text, 1, (size_t)got, stdout);
    break;
  case 15: say("flags", fcntl(descriptor(), draw(2) ? F_GETFL : F_GETFD)); break;
  case 16: say("dup", dup(descriptor())); break;
  case 17: say("mkdir", mkdir(at, 0777)); break;
  case 18: say("umask", umask(077)); break;
  }
}

int winnow_program_main(int argc, char **argv, char **envp) {
  (void)envp;
  winnow_reached[0] = 1;
  state = strtoull(argv[1], NULL, 10) * 2654435761u;
  odd = argc > 2;
  for (int i = 0; i < 40; i++) call();
  fflush(stdout);
  return 0;
}
