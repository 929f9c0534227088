/* The runtime of a meta-mutant: what execute/ links with the module that
 * mutant/schemata makes. One process, the server, forks a child for every run;
 * the child is one (mutant, test) pair and the server is its judge's witness.
 * On the tier in-process the child is a runner: it makes many runs, and takes
 * its memory back to where the first began after each.
 *
 * The server never executes a line of the program's. It begins where the dynamic
 * linker calls the first function of all (DT_PREINIT_ARRAY), before any initialiser,
 * and serves from there; a child comes out of that function, so that initialisers
 * and main are the run's, under its limits, with its mutant. Nor does the server
 * call anything by a name that a program can define: the kernel it calls by
 * instruction, and memory it lays out by functions of its own.
 *
 *   server.c    requests in, replies out, the wall-clock fence
 *   child.c     one run from fork to end, and the contract with the module
 *   runner.c    many runs in one child: the loop, its checks, its replies
 *   image.c     the writable memory of a child, and back to its beginning
 *   share.c     the beginning moved on, to where the next mutant is reached
 *   calls.c     what a run in a runner asks of the kernel, and its crashes
 *   folder.c    the files of a run in a runner, in memory
 *   attend.c    the server's side of a runner
 *   sandbox.c   what a run may not do that its server may
 *   files.c     runs that may write files: where, and how much
 *   output.c    what was printed: normalised, measured, hashed
 *   interpose.c libc functions whose answer would depend on the machine
 *
 */
#ifndef WINNOW_H
#define WINNOW_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef __GLIBC__
#error "winnow runs mutants that are linked with glibc"
#endif

/* The runtime calls the kernel by instruction: a program may well have a function
 * of its own called read, kill or syscall, and that one would be linked. What fails
 * gives the error's number, negated. */
#define WINNOW_ARGUMENTS(none, a, b, c, d, e, f, ...) (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)
#define winnow_call(number, ...) winnow_kernel(number, WINNOW_ARGUMENTS(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))
#define sys(name, ...) winnow_call(SYS_##name, ##__VA_ARGS__)

static inline long winnow_kernel(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "winnow runs mutants on x86-64 and aarch64"
#endif
}

/* A call that the server alone may make: with its key as the sixth argument, which the kernel
 * ignores and the filter asks for (sandbox.c). The key is read from where it lies and forgotten
 * before the next instruction, so that no child finds it in what it has of the server. */
extern const volatile uint64_t winnow_key __attribute__((visibility("hidden")));
#define keyed(name, ...) winnow_with_key(SYS_##name, WINNOW_ARGUMENTS(0, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0))

static inline long winnow_with_key(long number, long a, long b, long c, long d, long e, long unused) {
  (void)unused;
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e;
  __asm__ volatile("mov (%[key]), %%r9\n syscall\n xor %%r9d, %%r9d"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), [key] "r"(&winnow_key)
                   : "r9", "rcx", "r11", "memory");
  return result;
#else
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d, x4 __asm__("x4") = e;
  __asm__ volatile("ldr x5, [%[key]]\n svc 0\n mov x5, xzr"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), [key] "r"(&winnow_key)
                   : "x5", "memory");
  return x0;
#endif
}

/* What the kernel gives as an address is an error in the last page. */
static inline int winnow_refused(const void *address) { return (uintptr_t)address >= (uintptr_t)-4095; }
static inline void *winnow_map(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return (void *)sys(mmap, at, bytes, protection, flags, fd, offset);
}

/* A signal's action as the kernel takes it: libc's would bring its own way back. */
struct winnow_action { uint64_t handler, flags, restorer, mask; };
#define WINNOW_BLOCKED(signal_number) ((uint64_t)1 << ((signal_number)-1))

/* Alignment that keeps an object on memory pages of its own. */
#if defined(__aarch64__)
#define WINNOW_PAGE 65536
#else
#define WINNOW_PAGE 4096
#endif

/* ---- The contract with the module ---- */
extern int32_t winnow_selector; /* 0 = original; read at every site */
extern int64_t winnow_fuel;     /* goes down at function entries and loop headers */
extern uint8_t winnow_reached[]; /* byte s becomes 1 when site s executes */
extern const int32_t winnow_sites;
int winnow_program_main(int argc, char **argv, char **envp);
void winnow_out_of_fuel(void); /* returns when a run only paused there */
_Noreturn void winnow_trap(void);

/* ---- The wire (little endian, twins in protocol.go) ---- */
#define WINNOW_MAGIC 0x31776e6e6977ULL /* "winnw1" */

/* Descriptors the server is started with. */
enum { FD_REQUEST = 3, FD_REPLY = 4, FD_BINARY = 5, FD_FOLDER = 6 };

struct winnow_setup {
  uint64_t magic;
  uint64_t memory; /* bytes of address space a run may map */
  uint64_t output; /* bytes a run may write to one file */
  uint32_t trim;   /* 1: white space before line ends and the end is no output */
  uint32_t open;   /* 1: there is no system call filter (tests of the weaker sandbox) */
  uint32_t writable; /* 1: runs may write files in the folder; each run's take no more than output bytes */
  uint32_t volume; /* pages that the folder holds where it is a file system of its own (execute/volume_linux.go) */
};

enum { FEATURE_IN_PROCESS = 1 };

struct winnow_hello {
  uint64_t magic;
  uint32_t sites;
  uint32_t features;
};

enum { TIER_FORK = 0, TIER_FRESH = 1, TIER_IN_PROCESS = 2 };
enum { WANT_OUTPUT = 1, WANT_REACHED = 2 };
enum { MAX_STEPS = 64, /* of a run, see share.c */ MAX_SELECTORS = 1024, MAX_ARGUMENTS = 4096, MAX_ARGUMENT_BYTES = 128 * 1024, MAX_NAME_BYTES = 4096 };

/* One test and the mutants to run on it; followed by the arguments (each ended
 * by a NUL), for the tier in-process the names of the files that are part of a run's
 * behaviour (likewise), the input, and the selectors (int32 each).
 *
 * With a slice, the original's run is cut into steps of so much work, for which see
 * share.c. A child of one run that wants to know what is reached says in which step,
 * from 1; and for the tier in-process a byte for each selector follows: the step in
 * which its site is first reached, 0 when that is not known. */
struct winnow_request {
  uint32_t tier, want, count, argc, argument_bytes, name_bytes;
  uint64_t input_bytes;
  int64_t fuel, slice;
  uint64_t wall_ns;
};

enum winnow_cause {
  CAUSE_FAILED = 0, /* the server could not make the run: no behaviour */
  CAUSE_EXIT = 1,   /* status = exit status */
  CAUSE_SIGNAL = 2, /* status = signal */
  CAUSE_TRAP = 3,
  CAUSE_WORK = 4,
  CAUSE_TIME = 5,
  CAUSE_MEMORY = 6, /* status = exit status, or NO_EXIT */
  CAUSE_OUTPUT = 7
};
enum { NO_EXIT = -1 /* a signal ended it */ };
enum { REPLY_REACHED_KNOWN = 1, REPLY_UNDECIDED = 2 /* ask a safer tier */, REPLY_SHARED = 4 /* it began where the original was after some steps */ };

/* One run; followed by the raw output and the reached bytes where asked for. */
struct winnow_reply {
  int32_t selector;
  uint32_t cause;
  int32_t status;
  uint32_t flags;
  uint64_t length; /* of the normalised output */
  uint64_t hash;   /* of the normalised output: FNV-1a, 64 bits; with files, see output.c */
  int64_t work;    /* fuel used, -1 when a wild write made it nonsense */
  uint64_t wall_ns;
  uint64_t output_bytes;
  uint64_t reached_bytes;
};

/* ---- Memory that the server still sees after a child's death ---- */

/* A child can write over these words; values that no pattern fill produces make
 * it unlikely that one passes for a message. */
enum winnow_end { END_NONE = 0, END_TRAP = 0x7472617b, END_WORK = 0x776f726b };
enum { NOTED = 0x6e6f7465 };

struct winnow_shared {
  int64_t fuel; /* must stay first: it is winnow_fuel */
  int32_t selector;
  uint32_t end;            /* enum winnow_end, written by the child */
  uint32_t memory_refused; /* NOTED: an allocation failed under the memory limit */
  uint32_t want_reached;
  uint32_t reached_known; /* NOTED: the child copied winnow_reached before it ended */
  uint32_t filtered;      /* the server's filter is in place */
  uint32_t started;       /* the program's first line was about to be executed */
  int32_t server;
  uint32_t runner; /* NOTED: one run of many in this process */
  /* Of a run in steps: how many are over, and the fuel that comes after this one's. */
  uint32_t step;
  int64_t slice, reserve;
};
extern struct winnow_shared winnow_shared;

struct winnow_limits {
  uint64_t memory, output, wall_ns;
};

/* child.c */
int winnow_map_shared(int fd);
uint8_t *winnow_reached_copy(void);
int winnow_make_stack(void);
void winnow_child(int tier, char **argv, int argc, const struct winnow_limits *limits);
void winnow_begin_fresh(int argc, char **argv, char **environment);
void winnow_keep_environment(char **environment);
void winnow_save_reached(void);
/* Calls start on a stack, with the floating-point environment of a new process. */
_Noreturn void winnow_switch(char *stack, void (*start)(void));
void winnow_on_program_stack(void); /* does not return */
char *winnow_stack_top(void);

/* sandbox.c */
int winnow_take_key(void);
void winnow_lend_key(int lend);
int winnow_be_without_key(void);
int winnow_filter_child(void);
int winnow_limit_server(const struct winnow_limits *limits);
int winnow_limit_child(const struct winnow_limits *limits, int filtered);
int winnow_filter_runner(void);

/* files.c */
uint64_t winnow_folder_bytes(uint32_t volume);

/* output.c */
void winnow_hash_output(int fd, uint64_t size, int trim, struct winnow_reply *reply);
void winnow_hash_bytes(const uint8_t *text, uint64_t size, int trim, struct winnow_reply *reply);
void winnow_begin_files(struct winnow_reply *reply);
void winnow_hash_file(struct winnow_reply *reply, const char *name, const uint8_t *text, uint64_t size, int trim);

/* server.c */
void winnow_write_all(int fd, const void *from, size_t size);
pid_t winnow_start_child(const struct winnow_request *request); /* 0: this is the child, which leaves the server's functions */
void winnow_name_cause(struct winnow_reply *reply, int64_t fuel, int fenced, int status, int flooded);
/* What a run printed before a limit ended it is no part of its behaviour. One that was
 * refused memory and came to its end may be all that it should. */
static inline int winnow_by_limit(const struct winnow_reply *reply) {
  if (reply->cause == CAUSE_MEMORY) return reply->status == NO_EXIT;
  return reply->cause >= CAUSE_WORK && reply->cause <= CAUSE_OUTPUT;
}

/* attend.c, runner.c */
int winnow_prepare_runners(void); /* 0: this machine and libc allow the tier */
/* 0: done, -1: in disorder, IN_CHILD */
enum { IN_CHILD = 1 };
/* What a runner is told beside the request. */
struct winnow_orders {
  const int32_t *selectors;
  const uint8_t *steps;
  const char *names;
  const struct winnow_limits *limits;
  int trim, writable;
};
int winnow_attend(const struct winnow_request *request, const struct winnow_orders *orders);
_Noreturn void winnow_runner(void);
void winnow_exit_in_runner(int status);

/* share.c */
int winnow_pause_in_runner(void); /* 1: to go on, it may be as another mutant */

/* image.c */
void winnow_lay(void *to, const void *from, size_t bytes);
void winnow_clear(void *at, size_t bytes);
int winnow_is(const char *text, const char *other);

/* interpose.c */
void winnow_start_clock(void);
uint64_t winnow_now_ns(void); /* monotonic */
_Noreturn void winnow_end_process(int status);

#endif
