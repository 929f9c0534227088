#include <stdio.h>
#include <string.h>
int queue_weight(int at);
int main(int argc, char **argv) {
	if (argc > 1 && !strcmp(argv[1], "skip")) return 77;
	printf("%sok 1 - first\n%sok 2 - outside # of the table\n1..2\n", queue_weight(0) == 1 ? "" : "not ", queue_weight(3) == 0 ? "" : "not ");
	return 0;
}
