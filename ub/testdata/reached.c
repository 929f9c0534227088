/* A program whose only run comes to all of its code, but for what guards against null. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	int value;
	struct node *next;
};

static int table[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

static int digits(unsigned n, int base)
{
	int count = 1;
	while (n / base > 0) {
		n = n / base;
		count++;
	}
	return count + n % 3;
}

static unsigned mix(unsigned a, unsigned b)
{
	unsigned high = a >> 4, low = b << 3;
	return (high & 40) + (low | 33) + (a ^ 64);
}

static int looked_up(int i)
{
	int last = 9, first = 0;
	return table[i & 7] + table[last] + table[first];
}

static struct node *pushed(struct node *list, int value)
{
	struct node *n = malloc(sizeof *n);
	if (n == NULL)
		return list;
	n->value = value;
	n->next = list;
	return n;
}

static int total(const struct node *list)
{
	int sum = 0;
	while (list != NULL) {
		sum += list->value;
		list = list->next;
	}
	return sum;
}

static int copied(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(8);
	if (!copy || size > 8)
		return -1;
	copy[0] = 'x';
	*copy = text[0];
	copy[7] = 0;
	int first = copy[0];
	free(copy);
	return first;
}

static int average(const int *values, int n)
{
	int sum = 0, i;
	for (i = 0; i < n; i++)
		sum += values[i];
	return sum / 5 + sum % 7;
}

int main(void)
{
	struct node *list = NULL;
	for (int i = 0; i < 4; i++)
		list = pushed(list, looked_up(i));
	printf("%d %u %d %d %d\n", digits(1234, 10), mix(77, 5), total(list), copied("hello"), average(table, 10));
	while (list) {
		struct node *next = list->next;
		free(list);
		list = next;
	}
	return 0;
}
