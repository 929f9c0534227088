A grammar would be here.
%%
#include <stdio.h>
int parse(void) {
	int n;
	return scanf("%d", &n) == 1 ? n : -1;
}
