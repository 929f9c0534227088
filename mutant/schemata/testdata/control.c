/* switch with fallthrough and gaps, nested loops, break, continue, goto, early returns. */
#include <stdio.h>

static int grade(int n) {
  int r = 0;
  switch (n) {
  case 1:
    r += 1;
  case 2:
    r += 2;
    break;
  case 3:
  case 4:
    return 40 + n;
  case 10: {
    r = 5;
    break;
  }
  default:
    r = -1;
  }
  return r;
}

static int inner(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 2) continue;
    for (int k = 0;; k++) {
      if (k > i) break;
      switch (k & 3) {
      case 0: s++; break;
      case 3: s += 10; continue;
      }
      s += k;
    }
    if (s > 60) break;
  }
  return s;
}

static int jumps(int n) {
  int tries = 0;
again:
  tries++;
  if (n % 7 != 0) {
    n++;
    goto again;
  }
  if (tries > 4) goto fail;
  return n;
fail:
  return -tries;
}

static int sign(int n) {
  if (n < 0) return -1;
  if (n > 0) return 1;
  return 0;
}

static int countdown(int n) {
  int steps = 0;
  do {
    if (n == 5) {
      n -= 2;
      continue;
    }
    steps++;
  } while (--n > 0);
  return steps;
}

static void report(int n) {
  if (n > 3) {
    printf("many ");
    return;
  }
  printf("%d ", n);
}

static int once(int n) {
  while (1) {
    n += 2;
    if (n > 5) n -= 1;
    break;
  }
  return n;
}

int main(void) {
  for (int i = -1; i < 12; i++) printf("%d %d %d;", grade(i), jumps(i), sign(i - 3));
  for (int i = 0; i < 8; i++) {
    report(i);
    printf("%d %d %d\n", inner(i), countdown(i), once(i));
  }
  return sign(-4) + 2;
}
