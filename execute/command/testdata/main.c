#include <stdio.h>
#include <stdlib.h>

int clamp(int x, int low, int high);
int sum_to(int n);
int never_tested(int n);

int main(int argc, char **argv) {
  if (argc == 5) return printf("%d\n", clamp(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]))) < 0;
  if (argc == 3) return printf("%d\n", sum_to(atoi(argv[2]))) < 0;
  return argc == 77 ? never_tested(argc) : 2;
}
