/* What is done before a dereference, and after it. */
int dereference(int *p, int i, char *s, const char *t) {
  int r = *(p + i);
  r += *(p - i);
  r += p[i];
  r += *p + i;
  r -= *p - 2;
  r += *p++;
  r += *++p;
  r += *p--;
  (*p)++;
  --*p;
  *s++ = *t++;
  return r;
}
