/* What runs before main, after it, beside it, and once. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int ready, seen;

static int steps(int n) { return n * 2 + 1; }

__attribute__((constructor)) static void start(void) {
  ready = steps(3);
  for (int k = 0; k < 3; k++) ready += k;
}

static void last(void) { printf("last %d\n", ready - seen); }

static void caught(int signal) { seen += signal == SIGUSR1 ? 5 : 1; }

static int raised(int n) {
  signal(SIGUSR1, caught);
  if (n > 1) raise(SIGUSR1);
  return seen + n;
}

static void *work(void *p) {
  int *n = p;
  for (int k = 0; k < 4; k++) *n += k;
  return n;
}

static int beside(int n) {
  pthread_t t;
  int value = n;
  if (pthread_create(&t, 0, work, &value)) return -1;
  pthread_join(t, 0);
  return value * 3;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void first(void) { ready += 10; }
static int single(int n) {
  pthread_once(&once, first);
  return ready - n;
}

int main(void) {
  atexit(last);
  for (int n = 0; n < 4; n++) printf("%d %d %d\n", raised(n), beside(n), single(n));
  return 0;
}
