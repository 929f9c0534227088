#include "limits.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
	if (argc != 4) return 2;
	printf("%d\n", max(atoi(argv[2]), min(atoi(argv[1]), atoi(argv[3]))));
	return 0;
}
