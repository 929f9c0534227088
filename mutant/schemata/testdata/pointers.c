/* Pointers into one block of memory with room on both sides. */
#include <stdio.h>

static struct {
  int before[16384];
  int a[16];
  int after[16384];
} memory;

static char text[32768];

static int total(const int *p, const int *end) {
  int s = 0;
  while (p < end) s += *p++;
  return s;
}

static int walk(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    *p = i * 3;
    s += (*p)++;
    ++*p;
    p++;
    s -= *--p;
    p += 1;
  }
  return s + p[-1];
}

static int length(const char *s) {
  const char *p = s;
  while (*p) ++p;
  return (int)(p - s);
}

static void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}

static int find(int *p, int n, int key) {
  int *hit = 0;
  for (int i = 0; i < n && !hit; i++)
    if (p[i] == key) hit = &p[i];
  return hit != 0 ? (int)(hit - p) : -1;
}

int main(void) {
  int *a = memory.a;
  printf("%d ", walk(a + 2, 6));
  swap(&a[3], &a[5]);
  printf("%d %d ", total(a, a + 12), find(a, 12, 8));
  char *t = text + 16384;
  for (int i = 0; i < 9; i++) t[i] = (char)('a' + i);
  t[7] = 0;
  printf("%d %s\n", length(t), t + 3);
  return a[4] & 31;
}
