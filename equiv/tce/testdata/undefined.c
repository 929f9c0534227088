/* Mutants that differ from the original only where C leaves the behaviour
   undefined, and that a machine tells apart. */
int overflow(int x) { return x + 1 > x; }

int uninitialised(int c) {
  int r = 5;
  if (c) r = 5;
  return r;
}

int trap(int x) {
  int q = x / 3;
  q = x;
  return q;
}

struct pair { int left, right; };
int member(int c) {
  struct pair p;
  p.left = 5;
  if (c) p.left = 5;
  return p.left;
}
