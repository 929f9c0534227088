/* Sums the numbers of its input; the mutants do what mutants may do, and
 * worse. Site 0 is always reached, site 1 only when there are five numbers. */
#define _GNU_SOURCE
#include "meta.h"
#include <fcntl.h>
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

SITES(3)

static const char page[4096] = "0123456789abcdef";
static int broke; /* how often something forbidden worked */
static void must_fail(long result) { broke += result >= 0; }

static volatile int sink;
static int deep(int n) {
  volatile char frame[256];
  frame[n & 255] = (char)n;
  return deep(n + 1) + frame[0];
}
static void wrong_at_exit(void) { puts("late"); }

static void forks(void) {
  for (int i = 0; i < 50; i++) must_fail(fork());
  must_fail(vfork());
  must_fail(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  must_fail(syscall(435 /* clone3 */, 0, 0));
  must_fail(unshare(CLONE_NEWUSER));
}

static void files(const char *victim) {
  char beside[4096];
  snprintf(beside, sizeof beside, "%s.new", victim);
  must_fail(unlink(victim));
  must_fail(unlinkat(AT_FDCWD, victim, 0));
  must_fail(rename(victim, beside));
  must_fail(truncate(victim, 0));
  must_fail(chmod(victim, 0));
  must_fail(open(victim, O_WRONLY));
  must_fail(open(victim, O_RDONLY | O_TRUNC));
  must_fail(creat(beside, 0666));
  must_fail(creat("here", 0666));
  must_fail(mkdir("folder", 0777));
  must_fail(symlink(victim, beside));
  must_fail(link(victim, beside));
  must_fail(mknod(beside, S_IFREG | 0666, 0));
}

static void outward(void) {
  must_fail(socket(AF_INET, SOCK_STREAM, 0));
  must_fail(socket(AF_UNIX, SOCK_DGRAM, 0));
  int pair[2];
  must_fail(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  must_fail(execl("/bin/true", "true", (char *)0));
  must_fail(syscall(425 /* io_uring_setup */, 1, 0));
}

static void at_the_server(void) {
  char path[64];
  pid_t server = getppid();
  struct rlimit none = {0, 0};
  struct iovec bytes = {&none, sizeof none};
  must_fail(kill(server, SIGKILL));
  must_fail(kill(0, SIGKILL));
  must_fail(kill(-1, SIGKILL));
  must_fail(kill(server, SIGSTOP));
  must_fail(syscall(SYS_tgkill, server, server, SIGKILL));
  must_fail(ptrace(PTRACE_ATTACH, server, 0, 0));
  must_fail(syscall(SYS_prlimit64, server, RLIMIT_CPU, &none, 0));
  must_fail(process_vm_writev(server, &bytes, 1, &bytes, 1, 0));
  must_fail(prctl(PR_SET_PDEATHSIG, 0));
  must_fail(fcntl(0, F_SETOWN, server));
  for (int fd = 3; fd < 10; fd++) {
    must_fail(fcntl(fd, F_GETFD));
    snprintf(path, sizeof path, "/proc/%d/fd/%d", server, fd);
    must_fail(open(path, O_WRONLY));
  }
  snprintf(path, sizeof path, "/proc/%d/mem", server);
  must_fail(open(path, O_RDWR));
}

static void streams(void) {
  must_fail(write(0, "9", 1));
  must_fail(pwrite(0, "9", 1, 0));
  must_fail(ftruncate(0, 0));
  must_fail(fallocate(0, 0, 0, 100));
  lseek(0, 100, SEEK_SET);
  fcntl(0, F_SETFL, O_NONBLOCK | O_ASYNC);
  fcntl(1, F_SETFL, O_APPEND | O_NONBLOCK);
}

static sigjmp_buf back;
static void jump_back(int number) { siglongjmp(back, number); }
static void come_back(int number) { (void)number; }

/* Writes over the address to which it returns. */
__attribute__((noinline)) static void smash(void) {
  volatile char frame[16];
  for (volatile char *p = frame; p < frame + 128; p++) *p = 'A';
}

static void hostile(const char *victim) {
  switch (winnow_selector) {
  case 5: for (;;) WORK();
  case 7: for (;;) if (write(1, page, sizeof page) < 0) _exit(0);
  case 8: for (;;) { char *volatile p = calloc(1, 1 << 20); p[0] = 1; }
  case 9: sink = deep(0); break;
  case 10: *(volatile int *)8 = 1; break;
  case 11: abort();
  case 12: _exit(0);
  case 13: for (int fd = 0; fd < 1024; fd++) close(fd); break;
  case 15: at_the_server(); break;
  case 16: winnow_selector = 1; break;
  case 17: forks(); break;
  case 18: outward(); break;
  case 19: files(victim); break;
  case 20: winnow_trap();
  case 21: if (setjmp(back) == 0) longjmp(back, 1); exit(0);
  case 22: raise(SIGKILL); break;
  case 23: for (volatile char *p = (char *)&broke;; p++) *p = 0x55;
  case 24: streams(); exit(broke ? 99 : 0);
  case 26: { void *volatile p = malloc((size_t)-1 / 2); broke += p != NULL; break; }
  case 27: atexit(wrong_at_exit); break;
  case 28: { struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY}; must_fail(setrlimit(RLIMIT_FSIZE, &l)); must_fail(setrlimit(RLIMIT_AS, &l)); break; }
  case 29: signal(SIGXFSZ, SIG_IGN); for (;;) { WORK(); printf("%0512d", 7); }
  case 30: raise(SIGTERM); break;
  case 33: for (volatile char *p = (char *)&broke;; p++) *p = p[64]; /* as a loop that closes a gap in an array */
  case 34: for (volatile char *p = (char *)winnow_reached;; p++) *p = 0;
  case 35: for (;;) { WORK(); fork(); }
  case 36: smash(); break;
  case 37: if (sigsetjmp(back, 1) == 0) { signal(SIGFPE, jump_back); raise(SIGFPE); } break;
  case 40: { size_t n = (size_t)1 << 30; void *volatile p; while (!(p = malloc(n))) n /= 2; free(p); break; }
  case 41: { void *volatile p = malloc((size_t)1 << 30); if (!p) exit(1); break; }
  case 42: { char *volatile p = malloc((size_t)1 << 30); *(volatile char *)p = 1; break; }
  }
}

/* What uninitialised memory holds must be the same in every run and tier. */
static unsigned junk(void) {
  volatile unsigned char on_stack[4096];
  unsigned char *first = malloc(100);
  memset(first, 'x', 100);
  free(first);
  unsigned char *on_heap = malloc(100);
  unsigned sum = (unsigned)time(0) + (unsigned)rand();
  for (int i = 0; i < 4096; i++) sum = sum * 31 + on_stack[i];
  for (int i = 0; i < 100; i++) sum = sum * 31 + on_heap[i];
  return sum + (unsigned)(uintptr_t)environ[0][0];
}

int winnow_program_main(int argc, char **argv) {
  long n, sum = 0, count = 0;
  SITE(0);
  WORK();
  hostile(argc > 1 ? argv[1] : "nothing");
  while (scanf("%ld", &n) == 1) {
    WORK();
    sum = MUTANT(2) ? sum - n : sum + n;
    count++;
  }
  if (count == 5) {
    SITE(1);
    if (MUTANT(6)) for (;;) pause();
    if (MUTANT(14)) {
      signal(SIGTERM, SIG_IGN);
      signal(SIGALRM, SIG_IGN);
      for (;;) sink++;
    }
    if (MUTANT(31)) sum++;
    if (MUTANT(38)) for (;;) winnow_fuel = INT64_MAX;
    if (MUTANT(39)) {
      signal(SIGSEGV, come_back);
      *(volatile int *)8 = 1;
    }
  }
  if (sum < -1000000) SITE(2);
  printf("%ld of %ld%s\n", sum, count, MUTANT(4) ? " \t \n\n" : "");
  if (MUTANT(25)) printf("%u\n", junk());
  if (broke) printf("broke out %d times\n", broke);
  return MUTANT(3) ? 3 : 0;
}
