#include "config.h"
#include "stack.h"
static int items[STACK_SIZE], depth;
int stack_push(int item) {
	if (depth == STACK_SIZE) return -1;
	items[depth] = item;
	return ++depth;
}
