#include "stack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
	int times = argc > 2 ? atoi(argv[2]) : 5, depth = 0;
	if (argc < 2) return 7;
	while (times-- > 0 && depth >= 0) depth = stack_push(times);
	printf("depth %d\n", depth);
	return depth < 0;
}
