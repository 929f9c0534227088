/* Counts lines, words and bytes, with options as getopt_long finds them. */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines, words, bytes;
static long skip, width = 8;

static void count(FILE *in, const char *name, int show_name, const int want[3]) {
  int c, inside = 0;
  lines = words = bytes = 0;
  while (skip-- > 0 && (c = fgetc(in)) != EOF)
    ;
  while ((c = fgetc(in)) != EOF) {
    bytes++;
    if (c == '\n') lines++;
    if (isspace(c)) {
      inside = 0;
    } else if (!inside) {
      inside = 1;
      words++;
    }
  }
  if (want[0]) printf("%*d ", (int)width, lines);
  if (want[1]) printf("%*d ", (int)width, words);
  if (want[2]) printf("%*d ", (int)width, bytes);
  puts(show_name ? name : "");
}

int main(int argc, char **argv) {
  static const struct option longs[] = {{"lines", no_argument, 0, 'l'}, {"words", no_argument, 0, 'w'}, {"bytes", no_argument, 0, 'c'},
                                        {"skip", required_argument, 0, 's'}, {"width", required_argument, 0, 'W'}, {0, 0, 0, 0}};
  int want[3] = {0, 0, 0}, c;
  while ((c = getopt_long(argc, argv, "lwcs:W:", longs, NULL)) != -1) {
    switch (c) {
    case 'l': want[0] = 1; break;
    case 'w': want[1] = 1; break;
    case 'c': want[2] = 1; break;
    case 's':
      skip = strtol(optarg, NULL, 10);
      if (skip < 0) return 2;
      break;
    case 'W':
      width = atol(optarg);
      if (width < 1 || width > 20) {
        printf("bad width %ld\n", width);
        return 3;
      }
      break;
    default: return 1;
    }
  }
  if (!want[0] && !want[1] && !want[2]) want[0] = want[1] = want[2] = 1;
  if (optind == argc) count(stdin, "-", 0, want);
  for (int i = optind; i < argc; i++) {
    FILE *in = strcmp(argv[i], "-") == 0 ? stdin : fopen(argv[i], "r");
    if (!in) {
      printf("%s: cannot open\n", argv[i]);
      continue;
    }
    count(in, argv[i], argc - optind > 1, want);
    if (in != stdin) fclose(in);
  }
  return 0;
}
