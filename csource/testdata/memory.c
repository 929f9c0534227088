struct list { int value; struct list *next; int cells[4]; unsigned flag : 3; };

int table[] = { 1, 2 + 3 };
//@ 5 initializer =: table[] = { 1, 2 + 3 }
//@ 22 binary +: 2 + 3

int memory(struct list *l, int *v, int i) {
	v[i + 1] = l->cells[i] + (*l).value;
	//@ 2 index []: v[i + 1]
	//@ 6 binary +: i + 1
	//@ 11 assignment =: v[i + 1] = l->cells[i] + (*l).value
	//@ 13 index []: l->cells[i]
	//@ 16 member ->: l->cells
	//@ 32 member .: (*l).value
	//@ 28 unary *: *l
	l->next->value += *v;
	//@ 5 member ->: l->next
	//@ 11 member ->: l->next->value
	//@ 17 compound-assignment +=: l->next->value += *v
	//@ 20 unary *: *v
	(*v)++; l->flag--;
	//@ 6 postfix ++: (*v)++
	//@ 17 postfix --: l->flag--
	int *p = &v[2], local[3] = { i, i * 2 };
	//@ 7 initializer =: p = &v[2]
	//@ 11 unary &: &v[2]
	//@ 18 initializer =: local[3] = { i, i * 2 }
	//@ 29 init-list: { i, i * 2 }
	//@ 36 binary *: i * 2
	struct list copy = { .value = i, .next = l };
	//@ 21 init-list: { .value = i, .next = l }
	i = sizeof(copy) + sizeof *p + sizeof(int [3]);
	//@ 6 sizeof sizeof: sizeof(copy)
	//@ 21 sizeof sizeof: sizeof *p
	//@ 33 sizeof sizeof: sizeof(int [3])
	int n = i, vla[n + 1];
	//@ 19 binary +: n + 1
	copy = (struct list){ .value = n - 1 };
	//@ 9 compound-literal: (struct list){ .value = n - 1 }
	//@ 35 binary -: n - 1
	const char *s = "a" "b" /* joined */ "c";
	//@ 18 string: "a" "b" "c"
	vla[0] = p - v + copy.value;
	//@ 13 binary -: p - v
	return local[0] + vla[0] + (s != 0);
	//@ 18 binary +: local[0] + vla[0]
}

int sized(int n, int (*rows)[n * 2], int i) {
//@ 32 binary *: n * 2
	char *const *deep = 0; void (*free_it)(void *) = 0, (*const fixed[1])(int) = { 0 };
	//@ 15 initializer =: deep = 0
	//@ 32 initializer =: (*free_it)(void *) = 0
	//@ 62 initializer =: (*const fixed[1])(int) = { 0 }
	return rows[i][n - 1];
	//@ 9 index []: rows[i][n - 1]
	//@ 9 index []: rows[i]
	//@ 19 binary -: n - 1
}
