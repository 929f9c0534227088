#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int clamp(int x, int low, int high);
int sum_to(int n);
int never_tested(int n);

/* Cases that print a line each, as the Test Anything Protocol has it, or one of them alone, which
 * fails by its status. */
static int alone;

static int ok(int number, const char *name, int holds) {
  if (alone == number) exit(!holds);
  if (!alone) printf("%sok %d - %s\n", holds ? "" : "not ", number, name);
  return holds;
}

static int cases(void) {
  if (!alone) puts("1..4");
  if (!alone || alone == 1) ok(1, "clamp keeps what is between", clamp(5, 2, 9) == 5);
  if (!alone || alone == 2) ok(2, "clamp bounds", clamp(1, 2, 9) == 2 && clamp(10, 2, 9) == 9);
  if (!alone || alone == 3) ok(3, "the sum of nothing", sum_to(0) == 0);
  if (!alone || alone == 4) ok(4, "a sum", sum_to(3) == 6);
  return 0;
}

/* The sum is made by a child, which ends as children do; nobody looks at it. */
static int apart(int n) {
  int status;
  if (fork() == 0) _exit(sum_to(n) * 0);
  return wait(&status) < 0 || status != 0;
}

int main(int argc, char **argv) {
  if (argc == 6) return apart(atoi(argv[5]));
  if (argc == 2 || argc == 4) {
    alone = argc == 4 ? atoi(argv[3]) : 0;
    return cases();
  }
  if (argc == 5) return printf("%d\n", clamp(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]))) < 0;
  if (argc == 3) return printf("%d\n", sum_to(atoi(argv[2]))) < 0;
  return argc == 77 ? never_tested(argc) : 2;
}
