/* What a run may not do that its server may. The launcher has put both under one filter,
 * an allow-list (execute/filter_linux.go). To start processes and programs and to make
 * memory files it asks for a key, 64 random bits, which lie on a page that no child of the
 * server has: nobody else can make these calls, and a run pays for no filter of its own.
 * Only where the server has no namespace for its processes, in which there are none but its
 * runs, does a child add a filter: it may send signals to itself alone. Refused calls fail
 * with an error, so that a mutant that tries goes on. */
#include "winnow.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define FIELD(f) ((uint32_t)offsetof(struct seccomp_data, f))
/* The low half of an argument: both architectures are little endian. */
#define ARG(i) (FIELD(args) + 8 * (i))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define IF_EQ(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define PASS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW(call) IF_EQ(call, 1), PASS

/* A rule on one argument; every path through it returns. */
#define ONLY_IF_EQ(call, i, value, error) IF_EQ(call, 4), LOAD(ARG(i)), IF_EQ(value, 1), PASS, REFUSE(error)

static int install(struct sock_filter *filter, size_t bytes) {
  struct sock_fprog program = {(unsigned short)(bytes / sizeof *filter), filter};
  return (int)sys(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* What is known only when a filter is installed stands in it under a name. */
static void fill_in(struct sock_filter *filter, size_t bytes, uint32_t name, uint32_t value) {
  for (size_t i = 0; i < bytes / sizeof *filter; i++)
    if (filter[i].k == name) filter[i].k = value;
}
enum { SELF = 0x53454c46, LOW = 0x4c4f5721, HIGH = 0x48494748 };

int winnow_filter_child(void) {
  static struct sock_filter filter[] = {
      LOAD(FIELD(nr)), ONLY_IF_EQ(SYS_tgkill, 0, SELF, ESRCH), ONLY_IF_EQ(SYS_kill, 0, SELF, ESRCH),
      ONLY_IF_EQ(SYS_tkill, 0, SELF, ESRCH), PASS,
  };
  fill_in(filter, sizeof filter, SELF, (uint32_t)sys(getpid));
  return install(filter, sizeof filter);
}

/* ---- The key ---- */

static union {
  uint64_t key;
  char page[WINNOW_PAGE];
} key_page __attribute__((aligned(WINNOW_PAGE), used));
__asm__(".globl winnow_key\n.hidden winnow_key\n.set winnow_key, key_page\n");

/* The key comes before all else, and the kernel lays it where it stays. */
int winnow_take_key(void) {
  if (sys(madvise, &key_page, sizeof key_page, MADV_DONTFORK)) return -1;
  for (size_t at = 0; at < sizeof key_page.key;) {
    long got = sys(read, FD_REQUEST, key_page.page + at, sizeof key_page.key - at);
    if (got <= 0 && got != -EINTR) return -1;
    if (got > 0) at += (size_t)got;
  }
  return (int)sys(mprotect, &key_page, sizeof key_page, PROT_READ);
}

/* A child that begins by executing a program, which takes the place of all that it has, is
 * lent the key for that. */
void winnow_lend_key(int lend) { sys(madvise, &key_page, sizeof key_page, lend ? MADV_DOFORK : MADV_DONTFORK); }

/* Where a child has no page there is none in a run that was started from the file. */
int winnow_be_without_key(void) { return (int)sys(munmap, &key_page, sizeof key_page); }

#ifdef __x86_64__
extern const char winnow_raw_ip[];

/* A runner calls the kernel from one instruction, for what keeps its memory in
 * order; every other call, from wherever it comes, is a signal (calls.c). */
int winnow_filter_runner(void) {
  static struct sock_filter filter[] = {
      LOAD(FIELD(instruction_pointer)), IF_EQ(LOW, 2), LOAD(FIELD(instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, HIGH, 1, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      LOAD(FIELD(nr)), ALLOW(SYS_mprotect), ALLOW(SYS_rt_sigreturn), ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_brk),
      ALLOW(SYS_clock_gettime), ALLOW(SYS_sysinfo), ALLOW(SYS_exit_group), REFUSE(EPERM),
  };
  fill_in(filter, sizeof filter, LOW, (uint32_t)(uintptr_t)winnow_raw_ip);
  fill_in(filter, sizeof filter, HIGH, (uint32_t)((uintptr_t)winnow_raw_ip >> 32));
  return install(filter, sizeof filter);
}
#endif

static int limit(int what, uint64_t value) {
  struct rlimit l = {value, value};
  return (int)sys(prlimit64, 0, what, &l, NULL);
}

int winnow_limit_server(const struct winnow_limits *limits) { return limit(RLIMIT_AS, limits->memory); }

int winnow_limit_child(const struct winnow_limits *limits, int filtered) {
  /* Twice the wall clock: the second fence never comes before the first. */
  uint64_t seconds = limits->wall_ns / 500000000 + 2;
  /* Without the filter nothing else stops a fork bomb. */
  if (!filtered && limit(RLIMIT_NPROC, 64)) return -1;
  return limit(RLIMIT_FSIZE, limits->output) || limit(RLIMIT_CPU, seconds) ? -1 : 0;
}
