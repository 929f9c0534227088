/* Comparisons of integers of both signs, floats and pointers; the != 0 of a condition is none. */
int order(int a, int b) { return a < b; }

int above(unsigned a, unsigned b) { return a > b; }

int same(unsigned a, unsigned b) { return a == b; }

int real(double x, double y) { return x <= y; }

int until(const char *p, const char *end) { return p < end; }

int is_null(const char *p) { return p == 0; }

int narrow(char c) { return c >= 'a'; }

int condition(int a, const char *p) {
  if (a) return 1;
  while (p) p = 0;
  return !a;
}
