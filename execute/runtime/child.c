/* One run, from fork to end, and what the module calls. */
#include "winnow.h"

#include "runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* The counter is on a page that server and child share, so that the work of a
 * run is known however it ended; the selector is on one the child can only
 * read, so that no wild write turns a mutant into another. Between guards: a
 * mutant that writes on and on behind its arrays dies there, as behind the last
 * page of a program of its own, and not with our words in disorder. */
struct winnow_shared_pages {
  char below[WINNOW_PAGE];
  union {
    struct winnow_shared shared;
    char page[WINNOW_PAGE];
  };
  union {
    int32_t selector;
    char selector_page[WINNOW_PAGE];
  };
  char above[WINNOW_PAGE];
};
volatile struct winnow_shared_pages winnow_shared_pages __attribute__((aligned(WINNOW_PAGE), visibility("hidden")));
#define NAME_AT(name, page) __asm__(".globl " name "\n.set " name ", winnow_shared_pages + " page "\n")
#define TEXT_OF(x) #x
#define PAGES_ON(n, bytes) TEXT_OF(n * bytes)
NAME_AT("winnow_shared", PAGES_ON(1, WINNOW_PAGE));
NAME_AT("winnow_fuel", PAGES_ON(1, WINNOW_PAGE));
NAME_AT("winnow_selector", PAGES_ON(2, WINNOW_PAGE));

/* A stack of its own, zeroed by the kernel: what a run finds in uninitialised
 * locals depends neither on earlier runs nor on the server's calls. Same size
 * as a shell's default. */
#define STACK_BYTES ((size_t)8 << 20)
#define GUARD_BYTES ((size_t)64 << 10)
static char *stack;

static uint8_t *reached_copy; /* shared with the server */

static int tier_of_run, program_argc;
static char **program_argv;

/* Work that a runner may do before main: any is the business of a safer tier, for
 * the runner has no mutant yet. */
#define BEFORE_MAIN ((int64_t)1 << 60)

int winnow_map_shared(int fd) {
  size_t sites = winnow_sites > 0 ? (size_t)winnow_sites : 1;
  if (sys(ftruncate, fd, (off_t)(WINNOW_PAGE + sites))) return -1;
  volatile struct winnow_shared_pages *pages = &winnow_shared_pages;
  if (sys(mprotect, pages->below, WINNOW_PAGE, PROT_NONE) || sys(mprotect, pages->above, WINNOW_PAGE, PROT_NONE)) return -1;
  void *page = winnow_map((void *)pages->page, WINNOW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  reached_copy = winnow_map(NULL, sites, PROT_READ | PROT_WRITE, MAP_SHARED, fd, WINNOW_PAGE);
  return winnow_refused(page) || winnow_refused(reached_copy) ? -1 : 0;
}

char *winnow_stack_top(void) { return stack + GUARD_BYTES + STACK_BYTES; }

uint8_t *winnow_reached_copy(void) { return reached_copy; }

int winnow_make_stack(void) {
  /* The upper guard keeps a run that reads beyond its arrays from what lies
   * above, random numbers of libc among it. */
  stack = winnow_map(NULL, GUARD_BYTES + STACK_BYTES + GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return winnow_refused(stack) || sys(mprotect, stack + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) ? -1 : 0;
}

/* ---- The environment ---- */

/* What the program sees ends where that begins which is meant for its libc: the
 * dynamic linker has read it, and the initialisers come later. */
static char **whole_environment;

void winnow_keep_environment(char **environment) { whole_environment = environment; }

static void end_environment(void) {
  static const char first[] = "LD_BIND_NOW=1";
  for (char **variable = whole_environment; *variable; variable++)
    if (winnow_is(*variable, first)) *variable = NULL;
}

/* ---- The ends of a run ---- */

void winnow_save_reached(void) {
  if (!winnow_shared.want_reached) return;
  for (int32_t s = 0; s < winnow_sites; s++) {
    if (winnow_shared.slice <= 0)
      reached_copy[s] = winnow_reached[s];
    else if (winnow_reached[s] && !reached_copy[s])
      reached_copy[s] = (uint8_t)(winnow_shared.step + 1);
  }
  winnow_shared.reached_known = NOTED;
}

/* The next step of a run in steps: what was reached until here is noted. */
static int next_step(void) {
  volatile struct winnow_shared *s = &winnow_shared;
  if (!s->want_reached || s->slice <= 0 || s->reserve < s->slice || s->step >= MAX_STEPS) return 0;
  winnow_save_reached();
  s->reached_known = 0;
  s->step++, s->fuel += s->slice, s->reserve -= s->slice;
  return 1;
}

_Noreturn static void end_with(enum winnow_end end) {
  winnow_save_reached();
  winnow_shared.end = end;
  winnow_end_process(0);
}

void winnow_out_of_fuel(void) {
  if (next_step()) return;
  if (winnow_shared.runner == NOTED && winnow_pause_in_runner()) return;
  end_with(END_WORK);
}
_Noreturn void winnow_trap(void) { end_with(END_TRAP); }

static void save_and_die(int signal_number) {
  winnow_save_reached();
  const struct winnow_action plain = {0, 0, 0, 0};
  sys(rt_sigaction, signal_number, &plain, NULL, sizeof plain.mask);
  long self = sys(getpid), thread = sys(gettid);
  sys(tgkill, self, thread, signal_number);
}

/* Only in the run that asks which sites the original reaches. A run that gets
 * past these handlers leaves reached_known at 0, which the judge reads as
 * "every site". */
static void catch_signals(void) {
  static char alternate[64 << 10];
  stack_t on = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sys(sigaltstack, &on, NULL);
  for (int s = 1; s < 32; s++) {
    if (s == SIGKILL || s == SIGSTOP || s == SIGCHLD || s == SIGCONT || s == SIGURG || s == SIGWINCH) continue;
    struct winnow_action act = {(uint64_t)save_and_die, SA_ONSTACK | SA_NODEFER, 0, 0};
#ifdef WINNOW_RUNNERS
    act.flags |= WINNOW_HAS_RESTORER, act.restorer = (uint64_t)winnow_restorer;
#endif
    sys(rt_sigaction, s, &act, NULL, sizeof act.mask);
  }
}

/* ---- Streams and heap ---- */

/* The streams have these buffers from the start, and the heap has been used
 * once: so a run does without the system calls of first use, and its memory
 * looks the same whether it has a process of its own or not. The size is what
 * libc would choose for a file. */
enum { STREAM_BYTES = 4096 };
char winnow_input_buffer[STREAM_BYTES] __attribute__((aligned(4096)));
static char output_buffer[STREAM_BYTES] __attribute__((aligned(4096)));
static FILE *first_stdin, *first_stdout;

/* By the names that no program gives to functions of its own. */
extern int _IO_setvbuf(FILE *, char *, int, size_t);
extern int _IO_getc(FILE *);
extern int _IO_ungetc(int, FILE *);
extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

static void prepare_libc(void) {
  first_stdin = stdin, first_stdout = stdout;
  _IO_setvbuf(stdin, winnow_input_buffer, _IOFBF, STREAM_BYTES);
  _IO_setvbuf(stdout, output_buffer, _IOFBF, STREAM_BYTES);
  __libc_free(__libc_malloc(1));
}

void winnow_fill_input(void) { _IO_ungetc(_IO_getc(stdin), stdin); }

int winnow_input_waits(void) { return first_stdin->_IO_read_ptr != first_stdin->_IO_read_end; }

const FILE *winnow_plain_stdout(void) {
  const FILE *out = first_stdout;
  enum { NO_WRITES = 8 }; /* _IO_NO_WRITES of libio.h */
  if (stdout != out || out->_fileno != 1 || out->_mode > 0 || out->_flags & NO_WRITES) return NULL;
  if (out->_IO_write_base != output_buffer || out->_IO_read_end != output_buffer) return NULL;
  if (out->_IO_write_ptr < output_buffer || out->_IO_write_ptr > output_buffer + STREAM_BYTES) return NULL;
  return out;
}

/* Registered before anything of the program's, so it runs after all of that. */
static void at_exit(int status, void *unused) {
  (void)status, (void)unused;
  winnow_save_reached();
}

/* After what main registered, and before libc's own work at the end of a process. */
static void leave_at_exit(int status, void *unused) {
  (void)unused;
  if (winnow_shared.runner == NOTED) winnow_exit_in_runner(status);
}

/* ---- The start of a run ---- */

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl winnow_switch\n"
        "winnow_switch:\n"
        "  mov %rdi, %rsp\n  xor %ebp, %ebp\n  push $0x202\n  popfq\n"
        "  push $0x1f80\n  fninit\n  ldmxcsr (%rsp)\n  pop %rax\n"
        /* Not even a run that goes astray finds anything but zeroes. */
        "  xor %ebx, %ebx\n  xor %r12d, %r12d\n  xor %r13d, %r13d\n  xor %r14d, %r14d\n  xor %r15d, %r15d\n"
        "  xor %eax, %eax\n  xor %ecx, %ecx\n  xor %edx, %edx\n  xor %edi, %edi\n"
        "  xor %r8d, %r8d\n  xor %r9d, %r9d\n  xor %r10d, %r10d\n  xor %r11d, %r11d\n"
        "  call *%rsi\n  ud2\n");
#else
__asm__(".text\n"
        ".globl winnow_switch\n"
        "winnow_switch:\n"
        "  mov sp, x0\n  mov x29, xzr\n  mov x30, xzr\n  msr fpcr, xzr\n  br x1\n");
#endif

void winnow_on_program_stack(void) {
  errno = 0;
  exit(winnow_program_main(program_argc, program_argv, whole_environment));
}

/* The last of what is ours before the initialisers, which are the program's: from
 * here on everything belongs to the run. */
static void begin_program(void) {
  winnow_shared_pages.selector = winnow_shared.selector;
  if (tier_of_run == TIER_IN_PROCESS) winnow_shared.fuel = BEFORE_MAIN;
  if (winnow_shared.want_reached) catch_signals();
  end_environment();
  winnow_start_clock();
  if (sys(mprotect, winnow_shared_pages.selector_page, WINNOW_PAGE, PROT_READ)) winnow_end_process(2);
  int alone = winnow_shared.server == 1; /* in its namespace there is nobody else to send signals to */
  if (winnow_shared.filtered && !alone && winnow_filter_child()) winnow_end_process(2);
  winnow_shared.started = 1;
  on_exit(at_exit, NULL); /* by its name, which may be the program's */
}

/* The initialisers are over. */
int main(void) {
  prepare_libc();
  if (tier_of_run == TIER_IN_PROCESS) {
    if (winnow_shared.fuel != BEFORE_MAIN) winnow_end_process(7);
    on_exit(leave_at_exit, NULL);
    winnow_runner();
  }
  winnow_switch(winnow_stack_top(), winnow_on_program_stack);
}

void winnow_child(int tier, char **argv, int argc, const struct winnow_limits *limits) {
  const uint64_t none = 0;
  sys(rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
  int filtered = (int)winnow_shared.filtered;
  /* Without the filter, kill(0) must not reach the server. */
  if (!filtered) sys(setpgid, 0, 0);
  sys(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  struct winnow_limits mine = {limits->memory, limits->output, limits->wall_ns};
  if (tier == TIER_IN_PROCESS) mine.wall_ns *= MAX_SELECTORS; /* of all runs; one has the server's fence */
  if (sys(getppid) != winnow_shared.server || winnow_limit_child(&mine, filtered)) winnow_end_process(2);
  sys(close, FD_REQUEST);
  sys(close, FD_REPLY);
  if (tier == TIER_FRESH) {
    /* The same image again from the file. FD_BINARY holds the memory to share, and
     * the argument vector's first word says that it is no server. */
    argv[0] = "winnow-run";
    keyed(execve, "/proc/self/exe", argv, whole_environment);
    winnow_end_process(2);
  }
  sys(close, FD_BINARY);
  tier_of_run = tier, program_argc = argc, program_argv = argv;
  begin_program();
}

void winnow_begin_fresh(int argc, char **argv, char **environment) {
  winnow_keep_environment(environment);
  if (winnow_be_without_key() || winnow_map_shared(FD_BINARY)) winnow_end_process(2);
  sys(close, FD_BINARY);
  sys(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (winnow_make_stack()) winnow_end_process(2);
  argv[0] = "program";
  tier_of_run = TIER_FRESH, program_argc = argc, program_argv = argv;
  begin_program();
}
