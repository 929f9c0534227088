/* Code that no pass can read: inline assembly with results, with memory, with
   jumps, and without a word on what it changes. */
#include <stdio.h>

static int counter;
__asm__(".set counter_of_assembly, counter");

static int next(void) { // unknown: it holds inline assembly
  int r;
  __asm__("incl %1\n\tmovl %1, %0" : "=r"(r), "+m"(counter));
  return r;
}

static int hidden(int n) { // unknown: it holds inline assembly
  counter = n;
  __asm__ volatile("addl $5, counter_of_assembly(%rip)");
  return counter;
}

static int plain(int n) { // unknown: it holds inline assembly
  int r, s;
  __asm__("movl counter_of_assembly(%%rip), %0\n\taddl %1, counter_of_assembly(%%rip)" : "=r"(r) : "r"(n) : "cc");
  __asm__("movl counter_of_assembly(%%rip), %0\n\taddl %1, counter_of_assembly(%%rip)" : "=r"(s) : "r"(n) : "cc");
  return r * 100 + s;
}

static int beside(int n) { return next() + n * 2; }

int main(void) {
  for (int n = 0; n < 4; n++) {
    printf("%d %d %d\n", hidden(n), plain(n + 1), beside(n));
  }
  return 0;
}
