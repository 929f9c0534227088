/* return, break, continue and goto, and what follows them. */
int f(int);

int early(int n) {
  if (n < 0) return -1;
  return n;
}

int effect(int n) {
  if (n < 0) return f(n);
  return n;
}

void stop(int n) {
  if (n > 3) {
    f(n);
    return;
  }
  f(0);
}

int loops(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (i == 3) continue;
    if (i > 7) break;
    s += i;
  }
  while (s > 0) {
    s -= 2;
    if (s == 5) continue;
    f(s);
  }
  for (;;) {
    s++;
    break;
  }
  do {
    s++;
    if (s == 9) break;
  } while (s < 20);
  return s;
}

int cases(int n) {
  switch (n) {
  case 1:
    n = 5;
    break;
  case 2:
    return 7;
  default:
    n = 6;
    break;
  }
  return n;
}

int out(int n) {
  if (n) goto end;
  n = 4;
end:
  return n;
}
