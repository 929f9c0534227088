/* Statements that && || and ?: spread over several blocks, with effects whose order
 * shows. The first argument says which function runs, the others are its numbers. */
#include <stdio.h>
#include <stdlib.h>

struct record { long a; int b; long c; };
int g, x, y, *q;

int say(int n) { printf("%d ", n); return n; }
void two(int a, int b) { printf("two %d %d ", a, b); }
struct record make(int n) { struct record r = {say(n), n, n}; return r; }
int use(struct record v) { printf("use %ld ", v.a); return v.b; }

int f0(int a, int b) { two(say(4), say(a) && say(b)); return 0; }
int f1(int a, int b) { say(3), g = a ? say(b) : say(5); return g; }
int f2(int a, int b) { int v = say(1) + (say(a) || say(b)); return v; }
int f3(int a, int b) { two(say(a) ? say(b) : say(7), say(8)); return 0; }
int f4(int a, int b) { use(say(a) ? make(b) : make(9)); return 0; }
int f5(int a, int b) { return use(make(say(a) && say(b))); }
int f6(int a, int b) { if (say(a)) g += say(2) && say(b); return g; }
int f7(int a, int b) { switch (say(a) ? say(b) : 4) { case 1: return say(10); } return 5; }
int f8(int a, int b) { for (x = say(a) || say(b); x < 2; x++) say(11); return x; }
int f9(int a, int b) { q = &x; *(say(a) ? q : &y) = say(b); return x + y; }
int f10(int a, int b) { if (a > 0) return say(a) && say(b); return 2; }

int main(int argc, char **argv) {
  int (*f[])(int, int) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10};
  setbuf(stdout, NULL);
  printf("= %d", f[atoi(argv[1])](atoi(argv[2]), atoi(argv[3])));
  return 0;
}
