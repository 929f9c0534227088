/* Values that are read: variables, elements, members, results of calls; not where they are written. */
#include <stdbool.h>

struct point { int x; unsigned y; };

int f(int);
int g;

int scalar(int n) { return n; }

int global(void) { return g; }

unsigned sign(unsigned n) { return n; }

int narrow(unsigned char c, signed char s) { return c + s; }

long wide(short s) { return s; }

int element(int *a, int i) { return a[i]; }

unsigned member(struct point *p) { return p->x + p->y; }

int called(int n) { return f(n) * 2; }

double real(double x) { return x; }

int written(int n) {
  n = 1;
  n += 2;
  n++;
  return 0;
}

int truth(bool b) { return b ? 1 : 2; }
