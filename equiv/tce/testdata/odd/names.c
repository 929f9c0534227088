/* Two names for one thing: aliases, weak ones, a function that is chosen as the
   program starts (ifunc), the bounds of a section. And what has one name only,
   though it looks odd: a weak reference that nobody defines, a section of its own. */
#include <stdio.h>

int shared = 1;
extern int other __attribute__((alias("shared")));
extern int weaker __attribute__((weak, alias("shared")));


static int *const pointer = &other;

int twice(int n) { return n * 2; }
int again(int n) __attribute__((alias("twice")));

typedef int work(int);
static work *choose(void) { return twice; }
int task(int n) __attribute__((ifunc("choose")));

#define LISTED __attribute__((section("entries"), used))
LISTED static int first = 3;
LISTED static int second = 4;
extern int __start_entries[], __stop_entries[];

static int written(int n) { // unknown: it names other, which may be another name for an object
  shared = n;
  other = 5;
  return shared;
}

static int weakly(int n) { // unknown: it names weaker, which may be another name for an object
  shared = n;
  weaker += 1;
  return shared;
}

static int behind(int n) { // unknown: it names other, which may be another name for an object
  shared = n;
  *pointer = 6;
  return shared;
}

static int same(int n) { return (twice == again) * 2 + n; } // unknown: it names again, which may be another name for an object

static int chosen(int n) { return task(n) + (task == twice); } // unknown: it names task, which may be another name for an object

static int listed(int n) { // unknown: it names __start_entries, which may be another name for an object
  second = n;
  first = n + 1;
  __start_entries[0] = 9;
  return first + second;
}

extern int nobody __attribute__((weak));
static int missing(int n) { return &nobody == 0 ? n + 1 : n; }

__attribute__((section("aside"))) static int apart(int n) { return n * 3 + 1; }

int main(void) {
  for (int n = 0; n < 4; n++) {
    printf("%d %d %d ", written(n), weakly(n), behind(n));
    printf("%d %d %d %d %d\n", same(n), chosen(n), listed(n), missing(n), apart(n));
  }
  return 0;
}
