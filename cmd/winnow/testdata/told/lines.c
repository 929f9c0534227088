/* lines counts the lines and words of files, or of its input:
   lines [-w WIDTH] [-L] [FILE...] */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int longest, total_words;

static void say(FILE *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(to, format, list);
  va_end(list);
  fputc('\n', to);
}

static void fail(const char *why, const char *what) {
  say(stderr, "lines: %s: %s", why, what);
  exit(2);
}

static void count(FILE *f, const char *name, int width) {
  int c, lines = 0, words = 0, in = 0, column = 0;
  while ((c = getc(f)) != EOF) {
    if (c == '\n') {
      lines++;
      if (column > longest) longest = column;
      column = 0;
    } else if (c == '\t')
      column += 8 - column % 8;
    else
      column++;
    if (isspace(c))
      in = 0;
    else if (!in) {
      in = 1;
      words++;
    }
  }
  total_words += words;
  say(stdout, "%*d %*d %s", width, lines, width, words, name);
}

/* again says how the longest line of a file begins. */
static void again(FILE *f) {
  char *line = NULL, first[16];
  size_t room = 0;
  long at = ftell(f);
  rewind(f);
  while (getline(&line, &room, f) != -1)
    if ((int)strcspn(line, "\n") == longest) {
      snprintf(first, sizeof first, "%s", line);
      say(stdout, "of %ld: %.8s", at, first);
      break;
    }
  free(line);
}

int main(int argc, char *argv[]) {
  int i = 1, width = 4, show = 0, files = 0;
  for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++)
    switch (argv[i][1]) {
    case 'w':
      if (++i == argc) fail("no width", "-w");
      width = (int)strtoul(argv[i], NULL, 10) % 80;
      break;
    case 'L': show = 1; break;
    default: fail("unknown option", argv[i]);
    }
  if (i == argc) count(stdin, "", width);
  for (; i < argc; i++) {
    FILE *f = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;
    if (f == NULL) {
      say(stderr, "lines: cannot read %s", argv[i]);
      return 1;
    }
    count(f, argv[i], width);
    if (show && f != stdin) again(f);
    if (f != stdin) fclose(f);
    files++;
  }
  if (files > 1) say(stdout, "%*d total words", width, total_words);
  if (show) say(stdout, "longest %d", longest);
  return 0;
}
