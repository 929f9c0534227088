/* What has no text in standard C, or a text of its own: wide integers, assembly. */
#include <stdio.h>
static long wide(long a, long b) { __int128 w = (__int128)a * b; w += 5; return (long)(w / 7) + (w > 100) + (long)(w >> 3); }
static unsigned long low(unsigned __int128 u) { return (unsigned long)(u % 10); }
static int add(int a, int b) { int r; __asm__("addl %2, %0" : "=r"(r) : "0"(a), "r"(b)); return r + 1; }
static void fence(int *p) { __asm__ volatile("" : "+m"(*p) : : "memory"); *p += 1; }
int main(void) {
  long a, b; int n = 4;
  if (scanf("%ld %ld", &a, &b) != 2) return 1;
  fence(&n); asm("nop");
  printf("%ld %lu %d %d\n", wide(a, b), low((unsigned __int128)a * b), add((int)a, (int)b), n);
  return 0;
}
