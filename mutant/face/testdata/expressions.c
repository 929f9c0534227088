/* Expressions of one return each: what is rendered from their IR computes the same. */
struct pair { int first; unsigned char second; };

int table[64];
struct pair pairs[8];
unsigned bits = 0xdeadbeef;
int twice(int);

#define PARAMETERS int a, int b, unsigned u, unsigned char c, signed char s, short h, long l, unsigned long v, double d, float f, const int *p

long precedence1(PARAMETERS) { return a + b * 3 - (a - b); }
long precedence2(PARAMETERS) { return (a + b) * (3 - a) - (b - (a - 2)); }
long precedence3(PARAMETERS) { return (a & b) == 1 | (a | b) << 2 ^ (b & 3); }
long precedence4(PARAMETERS) { return -(a - b) * -b + ~(a ^ b) - - a; }
long precedence5(PARAMETERS) { return a - (b - (3 - (a + 1))); }
long precedence6(PARAMETERS) { return (a < b) == (b < a + 1); }
long precedence7(PARAMETERS) { return !(a > b) + !a + !!b; }
long division1(PARAMETERS) { return a / (b | 1) * (a % (b | 1)); }
long division2(PARAMETERS) { return u / (c | 1u) + u % 7; }
long division3(PARAMETERS) { return (unsigned)a / (unsigned)(b | 1); }
long division4(PARAMETERS) { return (int)u / (b | 1); }
long division5(PARAMETERS) { return l / (a | 1) + v % (u | 1); }
long division6(PARAMETERS) { return (long)a / 3 + (unsigned long)a / 3; }
long shift1(PARAMETERS) { return a >> 2 << 1; }
long shift2(PARAMETERS) { return u >> 3 | (unsigned)a >> 30; }
long shift3(PARAMETERS) { return (int)u >> 4; }
long shift4(PARAMETERS) { return l >> (c & 7) ^ v >> 3; }
long compare1(PARAMETERS) { return (a < 5) + (u < 5) + (c < a) + (l >= v); }
long compare2(PARAMETERS) { return ((unsigned)a < (unsigned)b) + ((int)u > b) + (a == b); }
long compare3(PARAMETERS) { return (d < f) + (d != 0.5) + (f >= 2) + (d == a); }
long narrow1(PARAMETERS) { return c + s - h; }
long narrow2(PARAMETERS) { return (unsigned char)a + (signed char)b; }
long narrow3(PARAMETERS) { return (short)(a * 1000) - (unsigned short)(b * 999); }
long narrow4(PARAMETERS) { return -c + ~c + (unsigned char)-c; }
long narrow5(PARAMETERS) { return (signed char)(c + a); }
long wide1(PARAMETERS) { return (long)a * b + l; }
long wide2(PARAMETERS) { return a * 2147483647L + u; }
long wide3(PARAMETERS) { return l + (a + b) - (u + 1); }
long wide4(PARAMETERS) { return -(long)u + ~(long)u; }
long wide5(PARAMETERS) { return (int)(l + a) + (unsigned)l; }
long wide6(PARAMETERS) { return a + 5L * b; }
long wide7(PARAMETERS) { return (u - a) + l; }
long limits(PARAMETERS) { return (-2147483647 - 1) + a * -1 + 0x7fffffff; }
long unsigned1(PARAMETERS) { return u * 3u - 4000000000u; }
long unsigned2(PARAMETERS) { return u > 4000000000u; }
long real1(PARAMETERS) { return d * f + a / 2.0 - 1; }
long real2(PARAMETERS) { return (double)a / b * 100 + (int)(d * 3); }
long real3(PARAMETERS) { return f * 0.1f + (float)d / 3 + -f; }
long real4(PARAMETERS) { return (unsigned char)(d * d) + (long)(f - 7) + (unsigned)(d * d); }
long real5(PARAMETERS) { return (u + d) * (c - f) / 3.0; }
long real6(PARAMETERS) { return (a / 2 + 0.25) * 1e3; }
long select1(PARAMETERS) { return (a > b ? 1 : -1) * (d < 1 ? 3 : 4); }
long memory1(PARAMETERS) { return table[a & 31] + table[3] - table[(b & 7) + 1]; }
long memory2(PARAMETERS) { return p[2] * *p + *(p + 3) - p[a & 1]; }
long memory3(PARAMETERS) { return pairs[a & 7].first - pairs[2].second; }
long memory4(PARAMETERS) { return (&pairs[b & 3])->second + (p == &table[20]) + (&p[a & 3] - p); }
long memory5(PARAMETERS) { return bits >> 28 | (bits & 15); }
long calls(PARAMETERS) { return twice(a - 1) * 2 + twice(c) - twice(twice(b)); }
