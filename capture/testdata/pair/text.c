#include "text.h"
int upper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int count(const char *s) {
	int n = 0;
	while (s[n] && n < WIDTH) n++;
	return n;
}
