/* & | ^ << >>, signed and unsigned, and ~ which is no ^. */
int mask(int a, int b) { return a & b; }

unsigned join(unsigned a, unsigned char b) { return a << 8 | b; }

int half(int a) { return a >> 1; }

unsigned quarter(unsigned a) { return a >> 2; }

unsigned both(unsigned a, unsigned b) { return a & b; }

unsigned flip(unsigned a) { return ~a ^ 0x0f; }

void compound(long *p) {
  *p <<= 1;
  *p |= 4;
}
