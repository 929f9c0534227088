#include "text.h"
#include <stdio.h>
int main(int argc, char **argv) {
	for (char *s = argc > 1 ? argv[1] : ""; *s; s++) putchar(upper(*s));
	return 0;
}
