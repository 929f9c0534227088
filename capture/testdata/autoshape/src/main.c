#include "calc.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
	if (argc != 3) return 2;
	printf("%d %d\n", add(atoi(argv[1]), atoi(argv[2])), sub(atoi(argv[1]), atoi(argv[2])));
	return 0;
}
