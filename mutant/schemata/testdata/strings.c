/* Characters and strings, library calls, _Bool, statement and comma expressions, a small sort. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char buffer[32768];
static struct { char before[16384], line[32], between[16384], abc[8], after[16384]; } texts = {{0}, "a bc, d_e 12 Fgh!", {0}, "abc", {0}};
static struct { int slack[16384]; int keys[16]; int more[16384]; } box;

static bool is_word(char c) { return c == '_' || isalpha((unsigned char)c); }

static int words(const char *s) {
  int n = 0;
  bool inside = false;
  for (; *s != '\0'; s++) {
    bool now = is_word(*s);
    if (now && !inside) n++;
    inside = now;
  }
  return n;
}

static unsigned hash(const char *s) {
  unsigned h = 5381;
  for (int i = 0; s[i]; i++) h = h * 33 + (unsigned char)s[i];
  return h;
}

static char *rot(const char *s, int k) {
  char *out = buffer + 16384;
  int i;
  for (i = 0; s[i] && i < 64; i++) out[i] = islower((unsigned char)s[i]) ? (char)('a' + (s[i] - 'a' + k) % 26) : s[i];
  out[i] = '\0';
  return out;
}

static void sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int v = a[i], k = i;
    while (k > 0 && a[k - 1] > v) a[k] = a[k - 1], k--;
    a[k] = v;
  }
}

int main(void) {
  const char *line = texts.line;
  printf("%d %u %s %d ", words(line), hash(texts.abc), rot(line, 3), (int)strlen(line));
  for (int i = 0; i < 7; i++) box.keys[i + 4] = (i * 37 + 11) % 17;
  sort(box.keys + 4, 7);
  for (int i = 0; i < 7; i++) printf("%d,", box.keys[i + 4]);
  printf("%s\n", strcmp("ab", "ac") < 0 ? "less" : "more");
  return box.slack[0] + box.more[0];
}
