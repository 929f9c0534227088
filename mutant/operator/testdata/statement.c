/* Statements with an effect; conditions and returns are none of them. */
#include <string.h>

struct point { int x, y; };

int f(int);
struct point make(int);

int all(int n, int *p, struct point *q) {
  int a = 1, b = n;
  char text[8] = "abc";
  struct point s = *q;
  a = b = 2;
  a += n;
  b++;
  p[n] = f(a);
  f(b);
  q->x = s.y;
  *q = s;
  *q = make(3);
  memset(text, 0, sizeof text);
  if (a && b) n = a ? b : 2;
  for (int i = 0; i < n; i++) a--;
  {
    int vla[n];
    vla[0] = 1;
    a += vla[0];
  }
  return a;
}
