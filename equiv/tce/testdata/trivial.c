/* Functions of whose mutants it is known what an optimiser sees. */
int times_one(int x) { return x * 1; }

int step(int x) {
  x++;
  return x;
}

int wide(unsigned char c) { return c + 3; }

int loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}

int hang(int n) {
  if (n == 0) return 0;
  return hang(n - 1);
}

static int total;
void add(int n) { total = total + n; }
