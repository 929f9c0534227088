/* One run, from fork to end, and what the module calls. */
#include "winnow.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>

/* The counter is on a page that server and child share, so that the work of a
 * run is known however it ended; the selector is on one the child can only
 * read, so that no wild write turns a mutant into another. */
union shared_page {
  struct winnow_shared shared;
  char page[WINNOW_PAGE];
} winnow_shared_page __attribute__((aligned(WINNOW_PAGE)));
extern struct winnow_shared winnow_shared __attribute__((alias("winnow_shared_page")));
extern int64_t winnow_fuel __attribute__((alias("winnow_shared_page")));

union selector_page {
  int32_t selector;
  char page[WINNOW_PAGE];
};
volatile union selector_page winnow_selector_page __attribute__((aligned(WINNOW_PAGE)));
extern int32_t winnow_selector __attribute__((alias("winnow_selector_page")));

/* A stack of its own, zeroed by the kernel: what a run finds in uninitialised
 * locals depends neither on earlier runs nor on the server's calls. Same size
 * as a shell's default. */
#define STACK_BYTES ((size_t)8 << 20)
#define GUARD_BYTES ((size_t)64 << 10)
static char *stack;

static uint8_t *reached_copy; /* shared with the server */

static char *environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC0", "HOME=/", NULL};
static int program_argc;
static char **program_argv;

int winnow_map_shared(int fd) {
  size_t sites = winnow_sites > 0 ? (size_t)winnow_sites : 1;
  if (sys(ftruncate, fd, (off_t)(WINNOW_PAGE + sites))) return -1;
  void *page = mmap(&winnow_shared_page, WINNOW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  reached_copy = mmap(NULL, sites, PROT_READ | PROT_WRITE, MAP_SHARED, fd, WINNOW_PAGE);
  return page == MAP_FAILED || reached_copy == MAP_FAILED ? -1 : 0;
}

const uint8_t *winnow_reached_copy(void) { return reached_copy; }

int winnow_make_stack(void) {
  stack = mmap(NULL, STACK_BYTES + GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return stack == MAP_FAILED || mprotect(stack, GUARD_BYTES, PROT_NONE) ? -1 : 0;
}

/* ---- The ends of a run ---- */

void winnow_save_reached(void) {
  if (!winnow_shared.want_reached) return;
  for (int32_t s = 0; s < winnow_sites; s++) reached_copy[s] = winnow_reached[s];
  winnow_shared.reached_known = NOTED;
}

_Noreturn static void end_with(enum winnow_end end) {
  winnow_save_reached();
  winnow_shared.end = end;
  winnow_end_process(0);
}

_Noreturn void winnow_out_of_fuel(void) { end_with(END_WORK); }
_Noreturn void winnow_trap(void) { end_with(END_TRAP); }

static void save_and_die(int signal_number) {
  winnow_save_reached();
  struct sigaction act = {.sa_handler = SIG_DFL};
  sigaction(signal_number, &act, NULL);
  long self = sys(getpid), thread = sys(gettid);
  sys(tgkill, self, thread, signal_number);
}

/* Only in the run that asks which sites the original reaches. A run that gets
 * past these handlers leaves reached_known at 0, which the judge reads as
 * "every site". */
static void catch_signals(void) {
  static char alternate[64 << 10];
  stack_t on = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&on, NULL);
  for (int s = 1; s < 32; s++) {
    if (s == SIGKILL || s == SIGSTOP || s == SIGCHLD || s == SIGCONT || s == SIGURG || s == SIGWINCH) continue;
    struct sigaction act = {.sa_handler = save_and_die, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(s, &act, NULL);
  }
}

/* ---- The start of a run ---- */

static void on_program_stack(void) {
  errno = 0;
  exit(winnow_program_main(program_argc, program_argv, environment));
}

/* run_program is the last step of both tiers: everything that differs between
 * them lies before it. */
_Noreturn static void run_program(int argc, char **argv) {
  static ucontext_t program;
  program_argc = argc, program_argv = argv;
  environ = environment;
  if (winnow_shared.want_reached) {
    catch_signals();
    atexit(winnow_save_reached); /* registered first, so it runs last */
  }
  winnow_selector_page.selector = winnow_shared.selector;
  getcontext(&program);
  program.uc_stack.ss_sp = stack + GUARD_BYTES;
  program.uc_stack.ss_size = STACK_BYTES;
  makecontext(&program, on_program_stack, 0);
  winnow_start_clock();
  if (mprotect((void *)&winnow_selector_page, WINNOW_PAGE, PROT_READ)) winnow_end_process(2);
  if (winnow_shared.filtered && winnow_filter_child()) winnow_end_process(2);
  winnow_shared.started = 1;
  setcontext(&program);
  winnow_end_process(2);
}

_Noreturn void winnow_child(int tier, char **argv, int argc, const struct winnow_limits *limits) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int filtered = (int)winnow_shared.filtered;
  /* Without the filter, kill(0) must not reach the server. */
  if (!filtered) sys(setpgid, 0, 0);
  sys(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (sys(getppid) != winnow_shared.server || winnow_limit_child(limits, filtered)) winnow_end_process(2);
  if (tier == TIER_FORK) {
    sys(close, FD_REQUEST);
    sys(close, FD_REPLY);
    sys(close, FD_BINARY);
    run_program(argc, argv);
  }
  /* Fresh: the same image again from the file. FD_BINARY holds the memory to
   * share, and the argument vector's first word says which main to be. */
  sys(close, FD_REQUEST);
  sys(close, FD_REPLY);
  argv[0] = "winnow-run";
  sys(execve, "/proc/self/exe", argv, environ);
  winnow_end_process(2);
}

_Noreturn void winnow_fresh_main(int argc, char **argv) {
  if (winnow_map_shared(FD_BINARY)) winnow_end_process(2);
  sys(close, FD_BINARY);
  sys(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (winnow_make_stack()) winnow_end_process(2);
  argv[0] = "program";
  run_program(argc, argv);
}
