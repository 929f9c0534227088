/* Tells, in its first line, everything that an earlier run in the same process
 * could have left behind; then leaves as much behind as it can. The mutants
 * leave it in other ways, or at other moments. */
#define _GNU_SOURCE
#include "meta.h"
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

SITES(1)

static int counter = 7;
static char buffer[3 << 20]; /* mostly never touched */
static int big[1 << 18] = {1};
static char *kept;
static jmp_buf back;

static void at_exit(void) { printf("exit %d\n", counter); }
static int descending(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int depth(int n) {
  volatile char frame[512];
  memset((char *)frame, n, sizeof frame);
  return n == 0 ? 0 : depth(n - 1) + (frame[n & 511] != 0);
}
/* The last digit depends on the rounding mode. */
static double third(void) {
  volatile double one = 1, three = 3;
  return one / three;
}
static void round_upwards(void) {
#ifdef __x86_64__
  unsigned mode = 0x5f80;
  __asm__ volatile("ldmxcsr %0" : : "m"(mode));
#endif
}
static unsigned stack_sum(void) {
  unsigned char junk[20000];
  unsigned sum = 0;
  __asm__ volatile("" : : "r"(junk) : "memory");
  for (size_t i = 0; i < sizeof junk; i++) sum = sum * 31 + junk[i];
  return sum;
}

static void tell(void) {
  char *fresh = malloc(40), *large = malloc(300000);
  unsigned sum = 0;
  for (int i = 0; i < 40; i++) sum = sum * 31 + (unsigned char)fresh[i];
  for (int i = 0; i < 300000; i += 997) sum = sum * 31 + (unsigned char)large[i];
  printf("%d %d %d %d %p %p %p %u %u %s %d %s %ld %.17g\n", counter++, buffer[0], buffer[2 << 20], big[99999], (void *)kept,
         (void *)fresh, (void *)large, sum, stack_sum(), setlocale(LC_ALL, NULL), errno, getenv("LEFT") ? "left" : "-",
         (long)time(NULL) - 1000000000L, third());
  printf("%s %d %d\n", wcschr(L"ab", L'b') ? "-" : "?", rand() % 1000, mblen("a", 1));
  free(large);
}

static void leave_traces(void) {
  static char words[] = "one two three";
  int numbers[600];
  buffer[0] = 1, buffer[2 << 20] = 2, big[99999] = 3;
  memset(buffer + (1 << 20), 'x', 1 << 19);
  kept = malloc(1000);
  for (int i = 0; i < 200; i++) memset(malloc(5000), 'l', 5000);
  strtok(words, " ");
  srand(99);
  errno = 42;
  round_upwards();
  setenv("LEFT", "1", 1);
  atexit(at_exit);
  depth(300);
  for (int i = 0; i < 600; i++) numbers[i] = i * 7919 % 601;
  qsort(numbers, 600, sizeof *numbers, descending);
  printf("%d", numbers[MUTANT(1)]); /* unflushed */
}

int winnow_program_main(void) {
  int n = -1, c;
  SITE(0);
  WORK();
  tell();
  leave_traces();
  scanf("%d", &n);
  c = getchar();
  ungetc('#', stdin);
  printf(" %d %d %d\n", n, c, getchar());
  switch (winnow_selector) {
  case 2: break;
  case 3: exit(3);
  case 4: abort();
  case 5: raise(SIGSEGV);
  case 6: *(volatile int *)16 = 1; break;
  case 7: _exit(7);
  case 8: for (;;) WORK();
  case 9: while ((c = getchar()) != EOF) putchar(c); break;
  case 10: n = 1 / (n - n); break;
  case 11: free(kept); free(kept); break;
  case 12: memset(kept - 64, 0x41, 4000); free(kept); break;
  case 13: if (setjmp(back) == 0) longjmp(back, 1); return 13;
  case 14: fflush(stdin); printf("%d\n", getchar()); break;
  case 15: rewind(stdin); printf("%d\n", getchar()); break;
  case 16: setvbuf(stdout, NULL, _IONBF, 0); printf("unbuffered\n"); break;
  case 17: fclose(stdout); break;
  case 18: freopen("/nowhere", "r", stdin); printf("%d\n", getchar()); break;
  case 19: for (int i = 0; i < 3000; i++) printf("%d ", i); break;
  case 20: memset(buffer, 'y', sizeof buffer); break;
  case 21: depth(14000); break;
  case 22: depth(100000000); break;
  case 23: { char t[64]; int got = (int)read(0, t, sizeof t); printf("%d\n", got); break; }
  case 24: fclose(stdin); printf("%d\n", getchar()); break;
  case 25: wprintf(L"wide"); break;
  case 26: kept = realloc(kept, 1 << 21); memset(kept, 'z', 1 << 21); printf("%d\n", kept[999999]); break;
  case 27: setlocale(LC_ALL, "C.UTF-8"); break;
  case 28: alarm(100); signal(SIGTERM, SIG_IGN); break;
  case 29: __builtin_trap();
  case 30: write(1, "direct\n", 7); break;
  case 31: kept = malloc((size_t)40 << 20); memset(kept, 'w', (size_t)40 << 20); break;
  case 32: fseek(stdin, -2, SEEK_END); printf("%d %ld\n", getchar(), ftell(stdin)); break;
  case 33: putc('!', stderr); fflush(NULL); break;
  case 34: strcpy(*(char **)&environ, "PATH"); break;
  case 35: c = 0; for (volatile char *p = (char *)&n;; p++) c += *p;
  case 37: for (volatile int spin = 0;; spin++) {}
  case 38: *(volatile char *)0x100000000000 ^= 1; break; /* where a runner keeps its state */
  case 36: stdout = stderr; printf("elsewhere\n"); break;
  }
  return n & 1;
}
