/* + - * / % on every type; a conversion, an address or a bit-field is none of them. */
struct flags { unsigned low : 3, high : 5; };

int signs(int a, int b) { return a + b * 3; }

unsigned wraps(unsigned a, unsigned b) { return a - b; }

unsigned long mixed(int a, unsigned long b) { return (unsigned)a + b; }

int narrow(unsigned char c, short s) { return c % s; }

double real(double x, float y) { return x / y; }

int doubled(int a) { return a + a; }

void compound(int *p, unsigned char c) {
  *p += 2;
  c *= 3;
  *p -= c;
}

long apart(int *p, int *q) { return p - q; }

int plumbing(struct flags *f, int n) {
  int grid[n][n];
  grid[0][0] = 1;
  f->high = f->low;
  return grid[n - 1][0];
}
