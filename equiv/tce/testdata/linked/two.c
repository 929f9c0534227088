/* What one.c names: aliases of one object, functions that are not what their
   names or declarations say. */
int shared = 1;
extern int other __attribute__((alias("shared")));
__asm__(".globl set\n\t.set set, assembled_too");
int assembled_too __attribute__((used)) = 2;

static int calls;

int counted(int n) { return ++calls + n; }

int toupper(int c) { return c + ++calls; }

void *memset(void *to, int byte, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) ((char *)to)[i] = (char)(byte + i);
  return to;
}
