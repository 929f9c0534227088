/* Functions of libc whose answer would depend on the machine or the moment, or
 * whose failure the judge wants to know. All are weak: a program that defines
 * the name itself keeps its own. */
#include "winnow.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>

#define WEAK __attribute__((weak, visibility("default")))

/* Every run starts at the same instant (2001-09-09 01:46:40 UTC), so that
 * srand(time(0)) gives the same numbers in every run. */
#define EPOCH 1000000000LL
static struct timespec started;

static long real_clock(clockid_t clock, struct timespec *t) { return sys(clock_gettime, clock, t); }

uint64_t winnow_now_ns(void) {
  struct timespec t;
  real_clock(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void winnow_start_clock(void) { real_clock(CLOCK_MONOTONIC, &started); }

static void now(struct timespec *t) {
  real_clock(CLOCK_MONOTONIC, t);
  t->tv_sec -= started.tv_sec;
  t->tv_nsec -= started.tv_nsec;
  if (t->tv_nsec < 0) t->tv_sec--, t->tv_nsec += 1000000000L;
  t->tv_sec += EPOCH;
}

WEAK time_t time(time_t *out) {
  struct timespec t;
  now(&t);
  if (out) *out = t.tv_sec;
  return t.tv_sec;
}

WEAK int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec t;
  (void)zone;
  now(&t);
  out->tv_sec = t.tv_sec, out->tv_usec = t.tv_nsec / 1000;
  return 0;
}

WEAK int clock_gettime(clockid_t clock, struct timespec *out) {
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
    now(out);
    return 0;
  }
  long failed = real_clock(clock, out);
  if (failed) errno = (int)-failed;
  return failed ? -1 : 0;
}

_Noreturn void winnow_end_process(int status) {
  for (;;) sys(exit_group, status);
}

/* The ends of a run that pass neither through exit nor through a signal. */
WEAK _Noreturn void _exit(int status) {
  winnow_save_reached();
  winnow_end_process(status);
}
WEAK _Noreturn void _Exit(int status) {
  winnow_save_reached();
  winnow_end_process(status);
}

#ifndef WINNOW_SANITIZED /* a sanitizer has a heap of its own */
/* A refused allocation is the memory limit's doing only when the request could
 * have been met without it: malloc(-1) fails on every machine. */
#define EVER_POSSIBLE ((size_t)1 << 46)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static void *noted(void *p, size_t size) {
  if (!p && size && size < EVER_POSSIBLE) winnow_shared.memory_refused = NOTED;
  return p;
}

/* What malloc hands out is filled (what realloc adds to a block is not), so that a program that reads what it has not written
 * never finds what it hoped for. Only a block that is a mapping of its own, as
 * large ones are that find no room in the heap (serverEnvironment), is left as it
 * is: every run finds zeros there. To fill those too would touch pages that the
 * program itself never does: a run of a program that takes 10 MB to be safe and
 * uses 1 KB would take 10 ms. */
enum { FILL = 0x5a, MAPPED = 2 /* IS_MMAPPED of malloc.c, in the word before the block */ };

static void *filled(void *p, size_t size) {
  if (!p || ((size_t *)p)[-1] & MAPPED) return p;
  /* volatile: a compiler would call memset, which may be the program's own. */
  volatile uint64_t *word = p;
  size_t words = size / sizeof *word;
  for (size_t i = 0; i < words; i++) word[i] = UINT64_C(0x0101010101010101) * FILL;
  for (size_t i = words * sizeof *word; i < size; i++) ((volatile unsigned char *)p)[i] = FILL;
  return p;
}

WEAK void *malloc(size_t size) { return filled(noted(__libc_malloc(size), size), size); }

WEAK void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) total = EVER_POSSIBLE;
  return noted(__libc_calloc(count, size), total);
}

WEAK void *realloc(void *p, size_t size) { return noted(__libc_realloc(p, size), size); }
#endif
