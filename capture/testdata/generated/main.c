#include "primes.h"
#include <stdio.h>
int parse(void);
int main(void) {
	int n = parse();
	if (n < 0 || n > 3) return 1;
	printf("%d\n", primes[n]);
	return 0;
}
