#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <ctype.h>
#include <limits.h>
#include <assert.h>
#include <errno.h>
#include "macros.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define PLUS +
#define LIMIT 10
#define allocate malloc
#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)
#define NOTE "note: "
#define LIKELY(x) __builtin_expect(!!(x), 1)

int macros(int a, int b, char *s) {
	a = MAX(a + 1, b) + 2;
	//@ 20 binary +: MAX(a + 1, b) + 2 => ((a + 1) > (b) ? (a + 1) : (b)) + 2
	//@ 6 binary > macro: MAX(a + 1, b) => (a + 1) > (b)
	//@ 6 conditional ?: macro: MAX(a + 1, b) => (a + 1) > (b) ? (a + 1) : (b)
	//@ 6 binary + macro: MAX(a + 1, b) => a + 1
	b = a PLUS LIMIT;
	//@ 8 binary + macro: a PLUS LIMIT => a + 10
	//@ 13 int macro: LIMIT => 10
	b = a - LIMIT;
	//@ 8 binary -: a - LIMIT => a - 10
	int *p = allocate(b * sizeof *p);
	//@ 11 call () macro: allocate(b * sizeof *p) => malloc(b * sizeof *p)
	//@ 22 binary *: b * sizeof *p
	if (LIKELY(a > b)) SWAP(a, b);
	//@ 6 binary > macro: LIKELY(a > b) => a > b
	//@ 21 stmt do 1: SWAP(a, b);
	puts(NOTE "text" NOTE);
	//@ 7 string macro: NOTE "text" NOTE => "note: textnote: "
	assert(a != b);
	if (isalpha(*s) && strlen(s) < INT_MAX) errno = HEADER(a);
	//@ 18 logical &&
	//@ 31 binary <
	//@ 50 binary + macro: HEADER(a) => (a) + 7
	return from_header(a) + (int)sqrt(b) + (p == NULL);
	//@ 24 binary +: from_header(a) + (int)sqrt(b)
	//@ 44 binary ==: p == NULL
}
