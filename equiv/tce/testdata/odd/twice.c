/* Calls that return twice. Locals that change between the two returns have the
   value that the machine left in them, whatever the standard promises. */
#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>

static jmp_buf place;
static int budget;

static void back(int n) {
  if (budget-- > 0) longjmp(place, n);
}

static int local(int n) { // unknown: it calls @_setjmp, which may return twice
  int r = 1;
  if (setjmp(place) == 0) {
    r = n + 2;
    back(1);
  }
  return r * 10;
}

static int context(int n) { // unknown: it calls @getcontext, which may return twice
  ucontext_t here;
  int r = n;
  getcontext(&here);
  r++;
  if (r < 5 && budget-- > 0) setcontext(&here);
  return r;
}

int main(void) {
  for (int n = 0; n < 4; n++) {
    budget = 9;
    printf("%d %d\n", local(n), context(n));
  }
  return 0;
}
