/* ++ and --, before and after, used and not. */
int unused(int n) {
  n++;
  --n;
  return n;
}

int used(int n) {
  int r = n++ * 2;
  r += --n;
  return r;
}

char copy(char *to, const char *from) { return *to++ = *from++; }

int below(int *p, int i) {
  (*p)--;
  p[i++] = 1;
  return ++p[i];
}

double real(double x) { return x++; }

unsigned char narrow(unsigned char c) {
  c++;
  return c;
}

int loop(int n) {
  int s = 0;
  while (n-- > 0) s += n;
  for (int i = 0; i < 3; ++i) s += i;
  return s;
}
