/* Values whose sign matters: sums, calls, variables, and those that have none. */
int f(int);
long absolute(int a, int b, unsigned u, unsigned char c, double d, long l, int *p) {
  long r = a + b;
  r += f(a) - l;
  r += u;
  r += c;
  r += (long)d + p[a];
  r -= a * b;
  return r;
}
