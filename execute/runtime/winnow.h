/* The runtime of a meta-mutant: what execute/ links with the module that
 * mutant/schemata makes. One process, the server, forks a child for every run;
 * the child is one (mutant, test) pair and the server is its judge's witness.
 * On the tier in-process the child is a runner: it makes many runs, and takes
 * its memory back to where the first began after each.
 *
 *   server.c    requests in, replies out, the wall-clock fence
 *   child.c     one run from fork to end, and the contract with the module
 *   runner.c    many runs in one child: the loop, its checks, its replies
 *   image.c     the writable memory of a child, and back to its beginning
 *   share.c     the beginning moved on, to where the next mutant is reached
 *   calls.c     what a run in a runner asks of the kernel, and its crashes
 *   attend.c    the server's side of a runner
 *   sandbox.c   system call filters and resource limits
 *   files.c     runs that may write files: where, and how much
 *   output.c    what was printed: normalised, measured, hashed
 *   interpose.c libc functions whose answer would depend on the machine
 *
 * The server uses neither stdio nor malloc, so that every child starts from the
 * libc state that a new process has. */
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

/* The runtime calls the kernel by number: a program may well have a function
 * of its own called read, kill or time, and that one would be linked. */
#define sys(name, ...) syscall(SYS_##name, ##__VA_ARGS__)

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
  uint32_t open;   /* 1: no system call filter (tests of the weaker sandbox) */
  uint32_t writable; /* 1: runs may write files in the folder; each run's take no more than output bytes */
  uint32_t zero;
};

enum { FEATURE_FILTER = 1, FEATURE_FIXED_ADDRESSES = 2, FEATURE_INIT = 4, FEATURE_IN_PROCESS = 8, FEATURE_WRITABLE = 16 };

struct winnow_hello {
  uint64_t magic;
  uint32_t sites;
  uint32_t features;
};

enum { TIER_FORK = 0, TIER_FRESH = 1, TIER_IN_PROCESS = 2 };
enum { WANT_OUTPUT = 1, WANT_REACHED = 2 };
enum { MAX_STEPS = 64, /* of a run, see share.c */ MAX_SELECTORS = 1024, MAX_ARGUMENTS = 4096, MAX_ARGUMENT_BYTES = 128 * 1024 };

/* One test and the mutants to run on it; followed by the arguments (each ended
 * by a NUL), the input, and the selectors (int32 each).
 *
 * With a slice, the original's run is cut into steps of so much work, for which see
 * share.c. A child of one run that wants to know what is reached says in which step,
 * from 1; and for the tier in-process a byte for each selector follows: the step in
 * which its site is first reached, 0 when that is not known. */
struct winnow_request {
  uint32_t tier, want, count, argc, argument_bytes, zero;
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
  CAUSE_MEMORY = 6,
  CAUSE_OUTPUT = 7
};
enum { REPLY_REACHED_KNOWN = 1, REPLY_UNDECIDED = 2 /* ask a safer tier */, REPLY_SHARED = 4 /* it began where the original was after some steps */ };

/* One run; followed by the raw output and the reached bytes where asked for. */
struct winnow_reply {
  int32_t selector;
  uint32_t cause;
  int32_t status;
  uint32_t flags;
  uint64_t length; /* of the normalised output */
  uint64_t hash;   /* of the normalised output: FNV-1a, 64 bits */
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
  uint32_t started;       /* the program's main was about to be called */
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
_Noreturn void winnow_child(int tier, char **argv, int argc, const struct winnow_limits *limits);
_Noreturn void winnow_fresh_main(int argc, char **argv);
void winnow_save_reached(void);
/* Calls start on a stack, with the floating-point environment of a new process. */
_Noreturn void winnow_switch(char *stack, void (*start)(void));
void winnow_on_program_stack(void); /* does not return */
char *winnow_stack_top(void);

/* sandbox.c */
int winnow_filter_server(int writable);
int winnow_filter_child(void);
int winnow_limit_server(const struct winnow_limits *limits);
int winnow_limit_child(const struct winnow_limits *limits, int filtered);
int winnow_filter_runner(void);

/* files.c */
int winnow_keep_in_folder(void); /* of the server and of all below it, for ever */
uint64_t winnow_folder_bytes(void);

/* output.c */
void winnow_hash_output(int fd, uint64_t size, int trim, struct winnow_reply *reply);
void winnow_hash_bytes(const uint8_t *text, uint64_t size, int trim, struct winnow_reply *reply);

/* server.c */
void winnow_write_all(int fd, const void *from, size_t size);
pid_t winnow_start_child(const struct winnow_request *request);
void winnow_name_cause(struct winnow_reply *reply, int64_t fuel, int fenced, int status, int flooded);
/* What a run printed before a limit ended it is no part of its behaviour. */
static inline int winnow_by_limit(const struct winnow_reply *reply) {
  return reply->cause >= CAUSE_WORK && reply->cause <= CAUSE_OUTPUT;
}

/* attend.c, runner.c */
int winnow_prepare_runners(void); /* 0: this machine and libc allow the tier */
int winnow_attend(const struct winnow_request *request, const int32_t *selectors, const uint8_t *steps, const struct winnow_limits *limits, int trim);
_Noreturn void winnow_runner(void);
void winnow_exit_in_runner(int status);

/* share.c */
int winnow_pause_in_runner(void); /* 1: to go on, it may be as another mutant */

/* interpose.c */
void winnow_start_clock(void);
uint64_t winnow_now_ns(void); /* monotonic */
_Noreturn void winnow_end_process(int status);

#endif
