#include "text.h"
#include <stdio.h>
int main(int argc, char **argv) {
	printf("%d\n", count(argc > 1 ? argv[1] : ""));
	return 0;
}
