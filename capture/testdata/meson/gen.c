#include <stdio.h>
int main(void) {
	printf("static const int weight[] = {1, 2, 4};\n");
	return 0;
}
