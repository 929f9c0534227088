/* Macros that make values: arguments used twice, nested calls, conditionals. */
#include <ctype.h>
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define SQUARE(x) ((x) * (x))
#define NORM(p) (SQUARE((p).x) + SQUARE((p).y))
#define BIT(n) (1u << (n))
#define HAS(set, n) (((set) & BIT(n)) != 0)
#define BETWEEN(x, a, b) ((x) >= (a) && (x) <= (b))
#define EITHER(x, a, b) ((x) == (a) || (x) == (b) || (x) == (a) + (b))
#define AT(a, i) ((a)[(i) % 4])
#define NEXT(i) ((i) + 1 + (i) * 2)
struct point { int x, y; };
static int next(int *n) { return (*n)++; }
int main(void) {
  int a, b, c[4] = {3, 1, 4, 1};
  struct point p;
  if (scanf("%d %d", &a, &b) != 2) return 1;
  p.x = MAX(a, b) - MIN(a, 3 * b);
  p.y = CLAMP(a + b, -5, 5);
  printf("%d %d %d\n", p.x, p.y, NORM(p));
  unsigned set = BIT(a & 7) | BIT(b & 7);
  for (int n = 0; n < 8; n++) putchar(HAS(set, n) ? '1' : '0');
  printf(" %d %d\n", BETWEEN(a, b - 2, b + 2), EITHER(a, 1, b));
  AT(c, a & 3) += AT(c, b & 3) - 1;
  int n = a & 15;
  printf("%d %d\n", AT(c, a & 3), MAX(next(&n), b) + MIN(a, 7));
  for (int i = 0; i < 3; i++) if (isdigit(c[i] + '0') && isalpha('A' + (a & 31))) putchar(toupper('a' + i));
  n = b & 3;
  printf("%d\n", NEXT(n) * 2);
  return 0;
}
