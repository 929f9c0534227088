/* p + i, p - i, and elements at computed places. */
int f(int);

int *forth(int *p, int i) { return p + i; }

int *back(int *p, unsigned i) { return p - i; }

int computed(int *a, int i) { return a[f(i)] + a[i * 2]; }

int covered(int *a, int i) { return a[i] + a[i + 1] + a[3]; }

int fixed(int i) {
  int a[4] = {1, 2, 3, 4};
  return a[i & 3];
}
