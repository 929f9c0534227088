/* Jumps to addresses of labels: computed goto by a table, by offsets, by a
   variable. */
#include <stdio.h>

static int dispatch(const char *p, int v) { // unknown: it jumps to addresses of labels
  static const void *const table[] = {&&inc, &&dbl, &&end};
  goto *table[*p++ - '0'];
inc:
  v += 1;
  goto *table[*p++ - '0'];
dbl:
  v *= 2;
  goto *table[*p++ - '0'];
end:
  return v;
}

static int offset(int k, int v) { // unknown: it jumps to addresses of labels
  static const int from[] = {&&one - &&one, &&two - &&one};
  goto *(&&one + from[k & 1]);
one:
  return v + 1;
two:
  return v * 3;
}

static int remembered(int k) { // unknown: it jumps to addresses of labels
  void *next = k > 2 ? &&big : &&little;
  int r = k;
  goto *next;
big:
  r += 10;
little:
  return r + 1;
}

static void *mark(int k) { // unknown: it jumps to addresses of labels
  if (k) return &&here;
here:
  return 0;
}

int main(void) {
  for (int v = 0; v < 4; v++)
    printf("%d %d %d %d %d %d\n", dispatch("012", v), dispatch("102", v), offset(v, v + 1), remembered(v), remembered(v + 2), mark(v) != 0);
  return 0;
}
