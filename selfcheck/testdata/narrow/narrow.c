#include <stdio.h>

/* Numbers narrower than int, which C widens before it computes with them: stored, passed,
   returned, compared, shifted, divided, counted and packed. */

struct pair {
  unsigned char low;
  signed char high;
  unsigned short wide : 12;
  short narrow : 5;
};

static unsigned char bytes[4];
static unsigned short total;
static signed char sign;

static void put(unsigned char *to, unsigned char c) { to[0] = c; }

static unsigned char average(unsigned char a, unsigned char b) {
  unsigned char sum = a + b;
  return sum / 2 + (a & b & 1);
}

static signed char shifted(signed char x, unsigned char by) {
  x = x >> (by & 3);
  return x << 1;
}

static short count(unsigned short n) {
  short seen = 0;
  for (unsigned char i = 0; i < (n & 7); i++)
    seen++;
  return seen - 2;
}

static int is_space(unsigned char c) { return c == ' ' || c > 200; }

static unsigned short add(unsigned short x) {
  total += x;
  total ^= 0x8001;
  return total;
}

int main(void) {
  int x, y;
  struct pair p;
  while (scanf("%d %d", &x, &y) == 2) {
    unsigned char a = x, b = y;
    signed char s = x;
    put(bytes, a);
    put(bytes + 1, b);
    p.low = a;
    p.high = s;
    p.wide = x;
    p.narrow = y;
    sign = s;
    bytes[2] = average(a, b);
    bytes[3] = a % (b | 1);
    printf("%d %d %d %d ", bytes[0], bytes[1], bytes[2], bytes[3]);
    printf("%d %d %d %d ", p.low, p.high, p.wide, p.narrow);
    printf("%d %d %d %d\n", shifted(s, b), count((unsigned short)y), is_space(a), add((unsigned short)x));
    if (s < sign || p.high > p.low)
      printf("apart\n");
  }
  return total & 1;
}
