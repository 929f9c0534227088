/* A program of two files: what this one names, the other defines, and not as a
   compiler would think who sees this file alone. */
#include <stdio.h>
#include <string.h>

extern int shared, other, assembled_too, set;
int toupper(int c);
__attribute__((pure)) int counted(int n);

static int aliased(int n) { // unknown: it names other, which may be another name for an object
  shared = n;
  other = 5;
  return shared;
}

static int assembled(int n) { // unknown: it names assembled_too, which may be another name for an object
  assembled_too = n;
  set = 6;
  return assembled_too;
}

static int filled(int n) { // unknown: the program has its own memset
  char room[8];
  memset(room, 1, 4);
  return room[1] + n;
}

static int named(int n) { return toupper(n + 'a') == toupper('a' + n); }

static int impure(int n) {
  int a = counted(n);
  counted(n);
  return a * 10 + counted(n);
}

static int plain(int n) { return n * 1 + shared; }

int main(void) {
  for (int n = 0; n < 4; n++) {
    printf("%d %d %d %d ", aliased(n), assembled(n), filled(n), named(n));
    printf("%d %d\n", impure(n), plain(n));
  }
  return 0;
}
