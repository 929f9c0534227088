#include "calc.h"
#include <stdio.h>
int main(void) {
	printf("1..2\n");
	printf("%sok 1 - adds\n", add(2, 3) == 5 ? "" : "not ");
	printf("%sok 2 - subtracts\n", sub(2, 3) == -1 ? "" : "not ");
	return 0;
}
