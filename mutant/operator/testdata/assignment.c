/* Stores of numbers, in every form in which they are written. */
struct point { int x; double y; };
int g;
int assignment(int a, int b, double d, int *p, struct point *q) {
  int n = a;
  unsigned char c = 3;
  g = a + b;
  *p = n;
  p[b] = a;
  q->x = b;
  q->y = d;
  c = (unsigned char)a;
  n += b;
  n = g = b;
  return n + c;
}
