/* Numbers, characters, macros and enumerators, wherever they stand. */
#define LIMIT 100
enum { RED = 7 };

int digits(int n) { return n * 10; }

int hexadecimal(unsigned n) { return n & 0x7f; }

int compared(int n, char c) { return n < LIMIT || c == 'x' || n == RED; }

float real(float x) { return x * 0.5f - 1; }

int put(int);

int stored(int *p) {
  int n = 3;
  p[2] = -1;
  *p += 5;
  n = 'a';
  put(12);
  return n;
}

int truth(int n) {
  if (n) return 0;
  n++;
  return n > 2 ? 8 : 9;
}

int single(void) { return LIMIT; }

struct point { int x, y; };

int list(void) {
  struct point p = {4, 6};
  return p.x;
}
