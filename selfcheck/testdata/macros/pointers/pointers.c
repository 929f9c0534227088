/* Macros over pointers, members, strings and lists. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int value, flags; };
#define FOR_LIST(n, list) for (struct node *n = (list); n != NULL; n = n->next)
#define PUSH(list, v) do { struct node *n_ = malloc(sizeof *n_); if (!n_) exit(2); n_->value = (v); n_->flags = 0; n_->next = (list); (list) = n_; } while (0)
#define MARK(n, bit) ((n)->flags |= (bit))
#define IS_MARKED(n, bit) ((n)->flags & (bit))
#define LEN(a) (sizeof(a) / sizeof *(a))
#define LAST(s) ((s)[strlen(s) - 1])
#define NAME(x) #x
#define SKIP(p, c) while (*(p) == (c)) (p)++
#define OUT(p, c) (*(p)++ = (c))
#define COLOURS X(red, 1) X(green, 2) X(blue, 4)
enum {
#define X(name, bit) name = bit,
  COLOURS
#undef X
};
static const char *name(int colour) {
  switch (colour) {
#define X(name, bit) case bit: return #name;
    COLOURS
#undef X
  }
  return "none";
}
int main(void) {
  char line[40], out[41], *p = line, *q = out;
  int table[] = {5, 7, 9}, sum = 0;
  struct node *list = NULL;
  if (!fgets(line, sizeof line, stdin)) return 1;
  SKIP(p, ' ');
  assert(*p != '!');
  while (*p && *p != '\n') { if (*p != '-') OUT(q, *p); p++; }
  *q = 0;
  for (size_t i = 0; i < LEN(table); i++) PUSH(list, table[i] + (int)strlen(out));
  FOR_LIST(n, list) if (n->value & 1) MARK(n, green | blue);
  FOR_LIST(n, list) sum += IS_MARKED(n, blue) ? n->value : 1;
  printf("%s %d %c %s %s\n", out, sum, out[0] ? LAST(out) : '?', NAME(a + b), name(sum & 7));
  return 0;
}
