/* Neighbouring arguments of one type. */
int max(int, int);
int between(int, int, int);
void send(const char *, int, double);
int printf(const char *, ...);

struct big { long n[4]; };
struct big sum(const int *, const int *);

long returned(const int *p, const int *q) { return sum(p, q).n[0]; }

int two(int a, int b) { return max(a, b); }

int three(int a) { return between(a, 1, a * 2); }

int twice(int a) { return max(a, a); }

void none(int n) { send("x", n, 1.5); }

void variadic(int a, int b) { printf("%d %d\n", a, b); }

int through(int (*f)(int, int), int a) { return f(a, 3); }
