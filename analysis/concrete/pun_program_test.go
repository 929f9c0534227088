package concrete_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// punned is what the generated programs declare: memory that is read as something else than
// it was written as, through unions, bit-fields, casts and copies. No type has padding whose
// bytes are looked at.
const punned = `#include <stdio.h>
#include <string.h>
typedef unsigned long long wide;
union any {
  unsigned char b[8]; unsigned short h[4]; unsigned w[2]; int i[2]; wide q; float f[2]; double d; void *p;
  struct { signed char lo; unsigned char mid; short hi; int rest; } s;
};
struct bits { unsigned a : 3; int b : 5; unsigned c : 11, d : 13; wide e : 40, f : 24; };
union packed { struct bits is; unsigned char b[16]; wide q[2]; };
struct two { float x, y; };
struct four { long a; double b; };
struct three { unsigned char b[3]; };
struct big { union any u[3]; int tail[2]; };
struct __attribute__((packed)) tight { char c; int i; short s; double d; };
union lengthy { long double l; unsigned char b[10]; };

static unsigned char bytes[48]; static union any any[3]; static union packed fields; static struct big big;
static struct tight tight[2]; static struct two two = {1.5f, -2}; static struct four four = {3, .25}; static struct three three = {{1, 2, 3}};
static int number = 7; static long along = -3; static float single = 1.25f; static double twice = -8; static short brief = 300; static union lengthy lengthy;
static const union any table[] = {{{1, 2, 3, 4, 5, 6, 7, 8}}, {.q = 0x8000000000000001ull}, {.d = 2.5}, {.f = {1, -1}}, {.s = {-1, 254, -300, 70000}}};
static const struct bits known[] = {{5, -7, 1000, 8000, 0x123456789ull, 77}, {.b = 3, .f = 0xfffffful}};

static struct two turned(struct two t, unsigned k) { struct two r = {t.y, t.x}; unsigned u; memcpy(&u, &r.x, 4); u ^= k & 0x7fffff; memcpy(&r.x, &u, 4); return r; }
static struct four moved(struct four v, long k) { v.a += k; *(wide *)&v.b ^= (wide)(k & 0xffff); return v; }
static struct three shifted(struct three v, int k) { v.b[k % 3 < 0 ? 0 : k % 3] += k; return v; }
static struct big mixed(struct big v, unsigned k) { v.u[k % 3].w[1] += k; v.tail[k & 1] ^= v.u[2].i[0]; k++; return v; }
static union any joined(union any x, union any y) { union any r; r.w[0] = x.w[1]; r.h[2] = y.h[0]; r.h[3] = x.h[2]; return r; }
static void through(void *at, int k) { *(unsigned short *)((char *)at + (k & 2)) += (unsigned short)k; }
static int sorted(const void *x, const void *y) { unsigned a, b; memcpy(&a, x, 4); memcpy(&b, y, 4); return a < b ? -1 : a > b; }
static int jumps(unsigned k) { static void *to[] = {&&one, &&two, &&end}; int r = 1; again: if (r > 40) return k; goto *to[k % 3]; one: r += 3; k /= 3; goto again; two: r *= 2; k /= 5; goto again; end: return r; }
static void floats(const char *name, double d) { if (d == d && d < 1e6 && d > -1e6) printf("%s %.4f %ld\n", name, d, (long)d); else printf("%s %d\n", name, d != d); }
static void show(void) {
  wide sum = 0; int i;
  for (i = 0; i < 48; i++) sum = sum * 31 + bytes[i];
  printf("%llx %llx %llx %llx\n", sum, any[0].q, any[1].q, any[2].q);
  printf("%u %d %u %u %llx %u\n", fields.is.a, fields.is.b, fields.is.c, fields.is.d, (wide)fields.is.e, (unsigned)fields.is.f);
  printf("%llx %llx %d %d %d\n", big.u[0].q, big.u[2].q, big.tail[0], big.tail[1], any[1].s.hi);
  printf("%d %d %d %d %d\n", tight[0].c, tight[0].i, tight[1].s, tight[1].i, brief);
  printf("%d %ld %d %d %d\n", number, along, three.b[0], three.b[1], three.b[2]);
  floats("single", single); floats("twice", twice); floats("x", two.x); floats("b", four.b); floats("d", any[2].d); floats("f", any[0].f[1]); floats("t", tight[1].d);
  for (sum = 0, i = 0; i < 10; i++) sum = sum * 257 + lengthy.b[i];
  printf("%llx %ld\n", sum, four.a);
}
`

// puns writes programs that pun memory, each in so many statements, as functions of one file:
// what it reads says which of them runs. The same seeds give the same.
func puns(seeds []uint64, statements int) string {
	var out, which strings.Builder
	out.WriteString(punned)
	out.WriteString("void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n")
	for _, seed := range seeds {
		g := punning{rng: rand.New(rand.NewPCG(seed, 19))}
		fmt.Fprintf(&out, "static int program%d(void) {\n", seed)
		fmt.Fprintf(&which, "    case %d: return program%[1]d();\n", seed)
		out.WriteString("  union any u = {.q = 0}, v[2]; struct bits f; int x = 5; float y = 2; unsigned k = 3; wide q = 9;\n  memset(v, 17, sizeof v); memset(&f, 0, sizeof f);\n")
		for n := range statements {
			switch {
			case n%7 == 6:
				out.WriteString("  show();\n")
			case g.rng.IntN(5) == 0:
				fmt.Fprintf(&out, "  for (k = 0; k < %d; k++) { %s %s }\n", 2+g.rng.IntN(4), g.statement(), g.statement())
			default:
				fmt.Fprintf(&out, "  %s\n", g.statement())
			}
		}
		out.WriteString("  show(); printf(\"%d %u %llx %llx %d\\n\", x, k, q, u.q, f.b); floats(\"y\", y);\n  return 0;\n}\n")
	}
	fmt.Fprintf(&out, "int main(void) {\n  unsigned which;\n  if (scanf(\"%%u\", &which) != 1) return 1;\n  switch (which) {\n%s  }\n  return 1;\n}\n", &which)
	return out.String()
}

type punning struct{ rng *rand.Rand }

// of fills in a form: each # is a number, each @ an integer expression.
func (g *punning) of(form string) string {
	var out strings.Builder
	for _, r := range form {
		switch r {
		case '#':
			fmt.Fprint(&out, g.rng.IntN(4))
		case '@':
			out.WriteString(g.integer())
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

func (g *punning) one(forms []string) string { return g.of(forms[g.rng.IntN(len(forms))]) }

func (g *punning) integer() string {
	if g.rng.IntN(3) == 0 {
		return fmt.Sprint(g.rng.IntN(100_000) - 3000)
	}
	return g.one([]string{
		"(int)u.w[0]", "u.b[#]", "u.s.hi", "u.s.lo", "(int)(q >> 7)", "x", "(int)k", "bytes[# + 9 + k % 8]", "f.b", "(int)fields.is.c", "fields.b[# * 3]",
		"(int)table[#].w[1]", "known[k & 1].b", "(int)known[# & 1].e", "*(short *)(bytes + # + 1)", "*((unsigned char *)&single + #)", "(single < two.y)", "tight[1].i",
		"(x & 255)", "number", "brief", "(int)sizeof u", "jumps(k + #)",
	})
}

func (g *punning) statement() string {
	return g.one([]string{
		"u.w[# & 1] = (unsigned)@ * 2654435761u;", "u.f[# & 1] = (float)(@) / 8;", "u.d = (double)(@) * 0.5;", "u.b[# + k % 5] ^= @;", "u.h[#] += @;", "u.s.hi = @;", "u.s.lo -= @;", "u.q += (wide)@ << 20;",
		"any[k % 3] = u;", "u = any[# % 3];", "any[# % 3].w[1] = @;", "any[(k + #) % 3].b[# + 2] = @;", "any[2].d = any[0].f[0];", "any[#  % 3] = table[(k + #) % 5];", "v[# & 1] = joined(u, any[# % 3]);", "u = joined(v[0], v[1]);",
		"memcpy(bytes + # + k % 9, &u, 8);", "memcpy(&u, bytes + # * 3 + k % 9, 8);", "memcpy(bytes + 20 + #, bytes + #, 7 + #);", "memmove(bytes + # + 1, bytes + #, 11);", "memset(bytes + # * 5, @, 3 + #);",
		"*(unsigned short *)(bytes + # + 2 * (k % 9)) = @;", "*(int *)(bytes + 8 * #) += @;", "*(wide *)(bytes + 13 + #) ^= q;", "*(float *)(bytes + 4 * #) = single;", "single = *(float *)&any[# % 3].w[0];",
		"*((unsigned char *)&x + #) = @;", "*(unsigned *)&y ^= (unsigned)@ & 0x7fffff;", "y += (float)*(short *)&x;", "x = *(int *)&y;", "*(short *)((char *)&q + # + 1) = @;", "q = q * 31 + u.q;", "q ^= *(wide *)(bytes + 2);",
		"f.a = @; f.b += @; f.d ^= @;", "f.e = (f.e << 3) + (wide)@;", "f.f -= @;", "fields.is = f;", "f = fields.is;", "fields.b[# * 4] ^= @;", "fields.q[# & 1] += (wide)@;", "fields.is.c++; fields.is.b--;", "f = known[# & 1];",
		"two = turned(two, @);", "four = moved(four, @);", "three = shifted(three, @);", "big = mixed(big, k + #);", "big.u[# % 3] = u;", "u = big.u[1];", "memcpy(&big.tail, &u, 8);", "big.tail[1] += @;",
		"tight[# & 1].i = @;", "tight[1] = tight[0];", "tight[0].s += @; tight[0].c--;", "memcpy(&tight[1], &big, sizeof tight[1]);", "tight[1].d = (double)(@);",
		"through(&u, @);", "through(bytes + #, @);", "through(&number, @);", "through(&big.u[# % 3].s, @);", "qsort(bytes + #, 6, 4, sorted);", "qsort(big.u, 6, 4, sorted);",
		"number += @; along ^= (long)q; brief = @;", "twice = (double)(@) / 4; memcpy(&along, &twice, 8);", "*(wide *)&twice ^= (wide)(@ & 0xffff);",
		"q = (wide)(((unsigned __int128)q * u.q) >> 61);", "q = (wide)((((__int128)along << 20) - @) % 1000003);", "{ __int128 w = (__int128)along * x; q ^= (wide)(w >> 3); if (w < 0) k++; u.b[#] += w > along; }",
		"{ unsigned __int128 w; memcpy(&w, bytes + #, 16); w = w / (q | 1); q = (wide)w + (wide)(w >> 64); }",
		"lengthy.l = (double)(@) * 0.125;", "lengthy.b[# & 1] ^= @;", "if (u.f[0] < u.f[1]) x++; else x -= u.d > y;", "{ void *p = &any[# % 3]; ((union any *)p)->h[#] ^= @; u.p = p == (void *)any ? 0 : 0; }",
	})
}
