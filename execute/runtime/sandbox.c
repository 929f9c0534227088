/* What a run may do: two seccomp filters and the resource limits.
 *
 * The server's filter is an allow-list, installed once: what a filter or
 * calculator needs, plus what the server itself needs. The child adds a short
 * second filter (installing it is paid per run) that takes the server's own
 * privileges away: no process, no program, no signal to anyone but itself.
 * Refused calls fail with EPERM, so that a mutant that tries goes on. No run
 * can change the file system: files open for reading only, but for runs that may
 * write to their folder, where files.c keeps them. */
#include "winnow.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "winnow runs mutants on x86-64 and aarch64"
#endif

#define FIELD(f) ((uint32_t)offsetof(struct seccomp_data, f))
/* The low half of an argument: both architectures are little endian. */
#define ARG(i) (FIELD(args) + 8 * (i))
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define IF_EQ(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define IF_ABOVE(value, skip) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, value, 0, skip)
#define IF_BITS(mask, skip) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, mask, 0, skip)
#define PASS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW(call) IF_EQ(call, 1), PASS

/* Rules on one argument; every path through them returns. */
#define ONLY_IF_EQ(call, i, value, error) IF_EQ(call, 4), LOAD(ARG(i)), IF_EQ(value, 1), PASS, REFUSE(error)
#define READ_ONLY(call, i) \
  IF_EQ(call, 4), LOAD(ARG(i)), IF_BITS(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | __O_TMPFILE_BIT, 1), REFUSE(EROFS), PASS
#define __O_TMPFILE_BIT 020000000

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#define X32_BIT 0x40000000

static struct sock_filter server_filter[] = {
    LOAD(FIELD(arch)), IF_EQ(NATIVE_ARCH, 1), LOAD(FIELD(nr)), IF_ABOVE(X32_BIT - 1, 1), REFUSE(EPERM),
    /* A foreign architecture's number was loaded as the arch word, which is
     * above X32_BIT: refused by the same line. */

    ALLOW(SYS_read), ALLOW(SYS_write), ALLOW(SYS_readv), ALLOW(SYS_writev), ALLOW(SYS_pread64), ALLOW(SYS_pwrite64),
    ALLOW(SYS_preadv), ALLOW(SYS_pwritev), ALLOW(SYS_lseek), ALLOW(SYS_close), ALLOW(SYS_dup), ALLOW(SYS_dup3),
    ALLOW(SYS_pipe2), ALLOW(SYS_fstat), ALLOW(SYS_newfstatat), ALLOW(SYS_statx), ALLOW(SYS_statfs), ALLOW(SYS_fstatfs),
    ALLOW(SYS_faccessat), ALLOW(SYS_readlinkat), ALLOW(SYS_getdents64), ALLOW(SYS_getcwd), ALLOW(SYS_chdir),
    ALLOW(SYS_fchdir), ALLOW(SYS_umask), ALLOW(SYS_ftruncate), ALLOW(SYS_fsync), ALLOW(SYS_fdatasync),
    ALLOW(SYS_fadvise64), ALLOW(SYS_flock), ALLOW(SYS_sendfile), ALLOW(SYS_copy_file_range),
    ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_mremap), ALLOW(SYS_mprotect), ALLOW(SYS_madvise), ALLOW(SYS_brk),
    ALLOW(SYS_msync), ALLOW(SYS_mincore),
    ALLOW(SYS_rt_sigaction), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigreturn), ALLOW(SYS_rt_sigpending),
    ALLOW(SYS_rt_sigsuspend), ALLOW(SYS_rt_sigtimedwait), ALLOW(SYS_sigaltstack), ALLOW(SYS_restart_syscall),
    ALLOW(SYS_setitimer), ALLOW(SYS_getitimer), ALLOW(SYS_nanosleep), ALLOW(SYS_clock_nanosleep),
    ALLOW(SYS_clock_gettime), ALLOW(SYS_clock_getres), ALLOW(SYS_gettimeofday), ALLOW(SYS_times), ALLOW(SYS_getrusage),
    ALLOW(SYS_ppoll), ALLOW(SYS_pselect6), ALLOW(SYS_futex), ALLOW(SYS_sched_yield), ALLOW(SYS_sched_getaffinity),
    ALLOW(SYS_set_robust_list), ALLOW(SYS_set_tid_address),
#ifdef SYS_rseq
    ALLOW(SYS_rseq),
#endif
    ALLOW(SYS_getpid), ALLOW(SYS_getppid), ALLOW(SYS_gettid), ALLOW(SYS_getpgid), ALLOW(SYS_getsid), ALLOW(SYS_getuid),
    ALLOW(SYS_geteuid), ALLOW(SYS_getgid), ALLOW(SYS_getegid), ALLOW(SYS_getgroups), ALLOW(SYS_uname),
    ALLOW(SYS_sysinfo), ALLOW(SYS_getcpu), ALLOW(SYS_getrandom), ALLOW(SYS_setrlimit), ALLOW(SYS_getrlimit),
    ALLOW(SYS_wait4), ALLOW(SYS_waitid), ALLOW(SYS_exit), ALLOW(SYS_exit_group),
#ifdef __x86_64__ /* the older names that aarch64 never had */
    ALLOW(SYS_stat), ALLOW(SYS_lstat), ALLOW(SYS_access), ALLOW(SYS_readlink), ALLOW(SYS_getdents), ALLOW(SYS_dup2),
    ALLOW(SYS_pipe), ALLOW(SYS_poll), ALLOW(SYS_select), ALLOW(SYS_alarm), ALLOW(SYS_pause), ALLOW(SYS_time),
    ALLOW(SYS_arch_prctl), ALLOW(SYS_getpgrp), READ_ONLY(SYS_open, 1),
#endif
    READ_ONLY(SYS_openat, 2),
    /* Another process's limits could be the server's. */
    ONLY_IF_EQ(SYS_prlimit64, 0, 0, EPERM),
    ONLY_IF_EQ(SYS_ioctl, 1, TCGETS, ENOTTY),
    /* Descriptor flags and locks, but no F_SETOWN: it sends signals. */
    IF_EQ(SYS_fcntl, 7), LOAD(ARG(1)), IF_ABOVE(F_SETLKW, 3), IF_EQ(F_DUPFD_CLOEXEC, 1), PASS, IF_EQ(F_ADD_SEALS, 1),
    PASS, REFUSE(EPERM),

    /* The server's own; winnow_filter_child takes them away. */
    ALLOW(SYS_clone), ALLOW(SYS_execve), ALLOW(SYS_kill), ALLOW(SYS_tgkill), ALLOW(SYS_tkill), ALLOW(SYS_prctl),
    ALLOW(SYS_memfd_create), ALLOW(SYS_setpgid),

    /* libc falls back to an older call only when a new one does not exist. */
    IF_EQ(SYS_clone3, 1), REFUSE(ENOSYS), IF_EQ(SYS_openat2, 1), REFUSE(ENOSYS), IF_EQ(SYS_faccessat2, 1),
    REFUSE(ENOSYS), REFUSE(EPERM),
};

static int install(struct sock_filter *filter, size_t bytes) {
  struct sock_fprog program = {(unsigned short)(bytes / sizeof *filter), filter};
  return (int)sys(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Goes before the server's filter where runs may write files. An open for
 * reading that truncates is refused: older kernels do not ask Landlock about it. */
#define WRITES_TOLD(call, i) \
  IF_EQ(call, 6), LOAD(ARG(i)), IF_BITS(O_WRONLY | O_RDWR, 1), PASS, IF_BITS(O_TRUNC, 1), REFUSE(EROFS), PASS
static const struct sock_filter files_filter[] = {
    LOAD(FIELD(arch)), IF_EQ(NATIVE_ARCH, 1), LOAD(FIELD(nr)), IF_ABOVE(X32_BIT - 1, 1), REFUSE(EPERM),
    ALLOW(SYS_unlinkat), ALLOW(SYS_renameat), ALLOW(SYS_renameat2),
#ifdef __x86_64__
    ALLOW(SYS_unlink), ALLOW(SYS_rename), ALLOW(SYS_creat), WRITES_TOLD(SYS_open, 1),
#endif
    WRITES_TOLD(SYS_openat, 2),
};

int winnow_filter_server(int writable) {
  static struct sock_filter both[sizeof files_filter / sizeof *files_filter + sizeof server_filter / sizeof *server_filter];
  if (!writable) return install(server_filter, sizeof server_filter);
  memcpy(both, files_filter, sizeof files_filter);
  memcpy(both + sizeof files_filter / sizeof *files_filter, server_filter, sizeof server_filter);
  return install(both, sizeof both);
}

int winnow_filter_child(void) {
  uint32_t self = (uint32_t)sys(getpid);
  struct sock_filter filter[] = {
      LOAD(FIELD(nr)),
      IF_EQ(SYS_clone, 1), REFUSE(EPERM), IF_EQ(SYS_execve, 1), REFUSE(EPERM), IF_EQ(SYS_prctl, 1), REFUSE(EPERM),
      IF_EQ(SYS_memfd_create, 1), REFUSE(EPERM), IF_EQ(SYS_setpgid, 1), REFUSE(EPERM),
      ONLY_IF_EQ(SYS_tgkill, 0, self, EPERM), ONLY_IF_EQ(SYS_kill, 0, self, EPERM),
      ONLY_IF_EQ(SYS_tkill, 0, self, EPERM), PASS,
  };
  return install(filter, sizeof filter);
}

#if defined(__x86_64__) && defined(__GLIBC__)
extern const char winnow_raw_ip[];

/* A runner calls the kernel from one instruction, for what keeps its memory in
 * order; every other call, from wherever it comes, is a signal (calls.c). */
int winnow_filter_runner(void) {
  uint64_t ip = (uint64_t)winnow_raw_ip;
  struct sock_filter filter[] = {
      LOAD(FIELD(instruction_pointer)), IF_EQ((uint32_t)ip, 2), LOAD(FIELD(instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(ip >> 32), 1, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      LOAD(FIELD(nr)), ALLOW(SYS_mprotect), ALLOW(SYS_rt_sigreturn), ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_brk),
      ALLOW(SYS_clock_gettime), ALLOW(SYS_sysinfo), ALLOW(SYS_exit_group), REFUSE(EPERM),
  };
  return install(filter, sizeof filter);
}
#endif

static int limit(int what, uint64_t value) {
  struct rlimit l = {value, value};
  return (int)sys(prlimit64, 0, what, &l, NULL);
}

int winnow_limit_server(const struct winnow_limits *limits) {
  if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_NOFILE, 64)) return -1;
  return limit(RLIMIT_AS, limits->memory);
}

int winnow_limit_child(const struct winnow_limits *limits, int filtered) {
  /* Twice the wall clock: the second fence never comes before the first. */
  uint64_t seconds = limits->wall_ns / 500000000 + 2;
  /* Without the filter nothing else stops a fork bomb. */
  if (!filtered && limit(RLIMIT_NPROC, 64)) return -1;
  return limit(RLIMIT_FSIZE, limits->output) || limit(RLIMIT_CPU, seconds) ? -1 : 0;
}
