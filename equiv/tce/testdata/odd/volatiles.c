/* What is read and written for more than its value: volatile objects, atomic
   ones, and those that the handler of a signal changes. Thread-locals, too. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile int device;
static volatile const int fixed = 3;
static volatile sig_atomic_t signals;
static _Thread_local int own = 4;
static _Atomic int shared;

static void handler(int s) { signals += s == SIGUSR1 ? 1 : 10; }

static int reads(int n) {
  device = n;
  int a = device;
  device = a + 1;
  return a * 10 + device - fixed;
}

static int raised(int n) {
  signal(SIGUSR1, handler);
  signals = n;
  raise(SIGUSR1);
  return signals;
}

static int local(int n) {
  volatile int v = n;
  v = v + 1;
  v = v + 1;
  return v;
}

static int thread(int n) {
  int *p = &own;
  own = n;
  *p += 2;
  return own;
}

static int atomics(int n) {
  int expected = n;
  atomic_fetch_add_explicit(&shared, n, memory_order_relaxed);
  if (!atomic_compare_exchange_strong(&shared, &expected, 2)) expected++;
  return expected * 10 + atomic_load(&shared);
}

int main(void) {
  for (int n = 0; n < 4; n++) printf("%d %d %d %d %d\n", reads(n), raised(n), local(n), thread(n), atomics(n));
  return 0;
}
