/* && and || as conditions and as values, negated and nested. */
int if_and(int a, int b) {
  if (a && b) return 1;
  return 0;
}

int if_or(int a, int b) {
  if (a > 0 || b > 0) return 1;
  return 0;
}

int value(int a, int b) { return a && b; }

int negated(int a, int b) {
  if (!a && !(b > 2)) return 1;
  return !(a || b);
}

int three(int a, int b, int c) { return a && b && c; }

int mixed(int a, int b, int c) { return (a || b) && c; }

int nested(int a, int b, int c) {
  if (a && (b || c > 1)) return 1;
  return a || (b && !c);
}

int loop(const char *s, int n) {
  int i = 0;
  while (i < n && s[i]) i++;
  return i;
}

int no_logic(int a, int b) {
  if (a) {
    if (b) return 1;
  }
  return 2;
}
