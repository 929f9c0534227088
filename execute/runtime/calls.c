/* What a run in a runner asks of the kernel never reaches it: the filter turns
 * every system call into a signal, and the calls below are answered from what
 * the runner knows, so that no state is left behind. All others end the run in
 * doubt, and a safer tier makes it. Crashes arrive here as well. */
#include "runner.h"

#ifdef WINNOW_RUNNERS
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>

enum { BY_FILTER = 1 /* SYS_SECCOMP */, NO_RIGHT = 2 /* SEGV_ACCERR */, WRITE_FAULT = 2 };

_Noreturn void winnow_doubt(void) { winnow_leave(LEFT_DOUBT); }

/* ---- Standard input and output ---- */

static _Noreturn void flood(void);

/* A file that has reached its limit takes no more: the write that comes next is a
 * signal. Until then one may be cut short. */
long winnow_print_in_runner(const uint8_t *text, uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  uint64_t room = c->captured < c->output_limit ? c->output_limit - c->captured : 0;
  if (bytes >= room && !c->decides_floods) winnow_doubt();
  if (bytes > 0 && room == 0) flood();
  if (bytes > room) bytes = room;
  winnow_lay(CAPTURE + c->captured, text, bytes);
  c->captured += bytes;
  return (long)bytes;
}

static long write_call(int fd, const void *text, uint64_t bytes) {
  if (fd == 1) return winnow_print_in_runner(text, bytes);
  if (fd == 2) return (long)bytes; /* /dev/null */
  return winnow_write_in_runner(fd, text, bytes, HERE);
}

static long writev_call(int fd, const struct iovec *parts, int count) {
  long sum = 0;
  if (count < 0 || count > 64) winnow_doubt();
  for (int i = 0; i < count; i++) {
    if (fd == 1 && sum > 0 && CONTROL->captured >= CONTROL->output_limit) break;
    sum += write_call(fd, parts[i].iov_base, parts[i].iov_len);
  }
  return sum;
}

/* The stream already holds the first of the input. A program that goes around
 * it would miss that. */
static long read_call(int fd, uint8_t *to, uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  if (fd != 0) return winnow_read_in_runner(fd, to, bytes, HERE);
  if ((const char *)to != winnow_input_buffer && winnow_input_waits()) winnow_doubt();
  uint64_t left = c->offset < c->input_bytes ? c->input_bytes - c->offset : 0;
  if (bytes > left) bytes = left;
  winnow_lay(to, INPUT + c->offset, bytes);
  c->offset += bytes;
  return (long)bytes;
}

static long lseek_call(int fd, int64_t by, int from) {
  struct winnow_control *c = CONTROL;
  if (fd != 0) return winnow_seek_in_runner(fd, by, from);
  if (from < SEEK_SET || from > SEEK_END) winnow_doubt();
  int64_t at = by + (from == SEEK_SET ? 0 : from == SEEK_CUR ? (int64_t)c->offset : (int64_t)c->input_bytes);
  if (at < 0 || by > INT32_MAX || by < INT32_MIN) return -EINVAL;
  c->offset = (uint64_t)at;
  return at;
}

/* ---- Memory: mapped for real, and given back when the run is over ---- */

static void spend(uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  if (bytes > EXTRA_BYTES || c->extra + bytes > EXTRA_BYTES) winnow_doubt();
  c->extra += bytes;
}

static long brk_call(char *to) {
  struct winnow_control *c = CONTROL;
  if (!to) return (long)c->at_break;
  if (to < c->first_break) winnow_doubt();
  if (to > c->at_break) spend((uint64_t)(to - c->at_break));
  if ((char *)winnow_raw(SYS_brk, to) != to) winnow_doubt();
  c->at_break = to;
  return (long)to;
}

static long mmap_call(void *where, uint64_t bytes, int protection, int flags) {
  struct winnow_control *c = CONTROL;
  if (where || protection != (PROT_READ | PROT_WRITE) || flags != (MAP_PRIVATE | MAP_ANONYMOUS) ||
      c->mapping_count == MAX_MAPPINGS)
    winnow_doubt();
  spend(bytes);
  long got = winnow_raw(SYS_mmap, where, bytes, (long)protection, (long)flags, -1L, 0L);
  if (got < 0) winnow_doubt();
  c->mappings[c->mapping_count++] = (struct winnow_mapping){(char *)got, bytes};
  return got;
}

static long munmap_call(char *start, uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  for (uint32_t i = 0; i < c->mapping_count; i++) {
    if (c->mappings[i].start != start || c->mappings[i].bytes != bytes) continue;
    if (winnow_raw(SYS_munmap, start, bytes)) winnow_doubt();
    c->mappings[i] = c->mappings[--c->mapping_count];
    return 0;
  }
  winnow_doubt();
}

void winnow_forget_run(void) {
  struct winnow_control *c = CONTROL;
  for (uint32_t i = 0; i < c->mapping_count; i++)
    if (winnow_raw(SYS_munmap, c->mappings[i].start, c->mappings[i].bytes)) winnow_end_runner(8);
  if (c->at_break != c->first_break && (char *)winnow_raw(SYS_brk, c->first_break) != c->first_break) winnow_end_runner(8);
  c->mapping_count = 0, c->extra = c->beginning.extra, c->at_break = c->first_break;
}

/* ---- Signals ---- */

#define BIT(s) (1ULL << ((s)-1))
#define IGNORED (BIT(SIGCHLD) | BIT(SIGCONT) | BIT(SIGURG) | BIT(SIGWINCH))
#define KNOWN_FLAGS (SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER | (uint64_t)(uint32_t)SA_RESETHAND | WINNOW_HAS_RESTORER)
#define STOPPING (BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU))

static const struct winnow_action *action_of(long number) {
  const struct winnow_control *c = CONTROL;
  return c->changed_actions & BIT(number) ? &c->actions[number] : &c->first_actions[number];
}

/* What the run says of a signal is kept, and told when it asks. A signal that
 * would then call a function of the run's is for a safer tier. */
static long action_call(long number, const struct winnow_action *set, struct winnow_action *old, uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  if (bytes != 8 || number < 1 || number >= MAX_SIGNALS) winnow_doubt();
  struct winnow_action before = *action_of(number), after = before;
  if (set) {
    if (number == SIGKILL || number == SIGSTOP) return -EINVAL;
    after = *set;
    after.mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
    after.flags = (uint32_t)after.flags; /* libc extends their sign, and the kernel forgets it */
    if (after.flags & ~KNOWN_FLAGS) winnow_doubt();
  }
  if (old) *old = before;
  c->actions[number] = after;
  c->changed_actions |= BIT(number);
  return 0;
}

static long signal_call(long whom, long number) {
  if (whom != CONTROL->self || number < 0 || number >= MAX_SIGNALS || number == SIGKILL) winnow_doubt();
  if (number == 0) return 0;
  uint64_t handler = action_of(number)->handler;
  if (handler > (uint64_t)SIG_IGN || BIT(number) & CONTROL->mask) winnow_doubt();
  if (handler == (uint64_t)SIG_IGN || BIT(number) & IGNORED) return 0;
  if (BIT(number) & STOPPING) winnow_doubt();
  winnow_leave(LEFT_SIGNAL | (int)number);
}

static void flood(void) {
  if (action_of(SIGXFSZ)->handler != (uint64_t)SIG_DFL || BIT(SIGXFSZ) & CONTROL->mask) winnow_doubt();
  winnow_leave(LEFT_SIGNAL | SIGXFSZ);
}

static long mask_call(int how, const uint64_t *set, uint64_t *old, uint64_t bytes) {
  struct winnow_control *c = CONTROL;
  uint64_t before = c->mask;
  if (bytes != 8) winnow_doubt();
  if (set) {
    if (how == SIG_BLOCK) c->mask |= *set;
    if (how == SIG_UNBLOCK) c->mask &= ~*set;
    if (how == SIG_SETMASK) c->mask = *set;
    if (how < SIG_BLOCK || how > SIG_SETMASK) return -EINVAL;
  }
  if (old) *old = before;
  return 0;
}

/* ---- What else is harmless ---- */

static long clock_call(long clock, struct timespec *to) {
  struct winnow_control *c = CONTROL;
  struct timespec *real = (struct timespec *)c->scratch;
  if (clock != CLOCK_MONOTONIC || winnow_raw(SYS_clock_gettime, clock, real)) winnow_doubt();
  uint64_t now = (uint64_t)real->tv_sec * 1000000000 + (uint64_t)real->tv_nsec;
  if (c->clock_base == 0) c->clock_base = now; /* the first look is the beginning */
  now = c->first_clock + (now - c->clock_base);
  to->tv_sec = (time_t)(now / 1000000000), to->tv_nsec = (long)(now % 1000000000);
  return 0;
}

static long sysinfo_call(void *to) {
  if (winnow_raw(SYS_sysinfo, CONTROL->scratch)) winnow_doubt();
  winnow_lay(to, CONTROL->scratch, 112); /* sizeof(struct sysinfo) */
  return 0;
}

/* ---- Files of the run's folder (folder.c), by all the names that libc calls them ---- */

static long at_folder(long folder) {
  if ((int)folder != AT_FDCWD) winnow_doubt();
  return 0;
}

static void at_open_file(int fd) {
  if (winnow_is_open_in_runner(fd)) winnow_doubt();
}

static long stat_call(long folder, const char *path, struct stat *to, long flags) {
  if (flags == AT_EMPTY_PATH && !*path) return winnow_tell_open_in_runner((int)folder, to);
  if (flags & ~AT_SYMLINK_NOFOLLOW) winnow_doubt();
  return at_folder(folder), winnow_tell_in_runner(path, to);
}

static long answer_of_files(long number, const greg_t *r) {
  long a = r[REG_RDI], b = r[REG_RSI], d = r[REG_RDX], e = r[REG_R10];
  switch (number) {
  case SYS_open: return winnow_open_in_runner((const char *)a, (int)b, (uint32_t)d);
  case SYS_openat: return at_folder(a), winnow_open_in_runner((const char *)b, (int)d, (uint32_t)e);
  case SYS_creat: return winnow_open_in_runner((const char *)a, O_CREAT | O_WRONLY | O_TRUNC, (uint32_t)b);
  case SYS_close: return winnow_close_in_runner((int)a);
  case SYS_pread64: return e < 0 ? -EINVAL : winnow_read_in_runner((int)a, (uint8_t *)b, (uint64_t)d, e);
  case SYS_pwrite64: return e < 0 ? -EINVAL : winnow_write_in_runner((int)a, (const uint8_t *)b, (uint64_t)d, e);
  case SYS_ftruncate: return winnow_cut_in_runner((int)a, b);
  case SYS_fcntl: return winnow_control_in_runner((int)a, (int)b, d);
  case SYS_fsync:
  case SYS_fdatasync:
  case SYS_fadvise64: return winnow_is_open_in_runner((int)a);
  case SYS_fstat: return winnow_tell_open_in_runner((int)a, (struct stat *)b);
  case SYS_stat:
  case SYS_lstat: return winnow_tell_in_runner((const char *)a, (struct stat *)b);
  case SYS_newfstatat: return stat_call(a, (const char *)b, (struct stat *)d, e);
  case SYS_access: return winnow_may_in_runner((const char *)a, (int)b);
  case SYS_faccessat: return at_folder(a), winnow_may_in_runner((const char *)b, (int)d);
  case SYS_unlink: return winnow_remove_in_runner((const char *)a);
  case SYS_unlinkat:
    if (d) winnow_doubt();
    return at_folder(a), winnow_remove_in_runner((const char *)b);
  case SYS_rename: return winnow_rename_in_runner((const char *)a, (const char *)b);
  case SYS_renameat2:
    if (r[REG_R8]) winnow_doubt();
    /* fallthrough */
  case SYS_renameat: return at_folder(a), at_folder(d), winnow_rename_in_runner((const char *)b, (const char *)e);
  }
  winnow_doubt();
}

static long answer(long number, const greg_t *r) {
  long a = r[REG_RDI], b = r[REG_RSI], d = r[REG_RDX], e = r[REG_R10];
  switch (number) {
  case SYS_exit_group: winnow_leave(LEFT_EXIT | (int)(a & 255));
  case SYS_read: return read_call((int)a, (uint8_t *)b, (uint64_t)d);
  case SYS_write: return write_call((int)a, (const void *)b, (uint64_t)d);
  case SYS_writev: return writev_call((int)a, (const struct iovec *)b, (int)d);
  case SYS_lseek: return lseek_call((int)a, b, (int)d);
  case SYS_brk: return brk_call((char *)a);
  case SYS_mmap: return mmap_call((void *)a, (uint64_t)b, (int)d, (int)e);
  case SYS_munmap: return munmap_call((char *)a, (uint64_t)b);
  case SYS_rt_sigprocmask: return mask_call((int)a, (const uint64_t *)b, (uint64_t *)d, (uint64_t)e);
  case SYS_rt_sigaction: return action_call(a, (const struct winnow_action *)b, (struct winnow_action *)d, (uint64_t)e);
  case SYS_ioctl: /* no terminal; the filter of the other tiers refuses all else */
    if (a < 0 || a > 2) at_open_file((int)a);
    return -ENOTTY;
  case SYS_kill: return signal_call((int)a, (int)b);
  case SYS_tkill: return signal_call((int)a, (int)b);
  case SYS_tgkill: return (int)a == (int)b ? signal_call((int)a, (int)d) : (winnow_doubt(), 0);
  case SYS_getpid:
  case SYS_gettid: return CONTROL->self;
  case SYS_clock_gettime: return clock_call(a, (struct timespec *)b);
  case SYS_sysinfo: return sysinfo_call((void *)a);
  }
  return answer_of_files(number, r);
}

/* A fault that the run can answer for itself comes to nothing here; a crash
 * ends it; and whatever happens while no run is on ends the runner. */
static void on_signal(int number, siginfo_t *info, void *context) {
  struct winnow_control *c = CONTROL;
  greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (!c->running) winnow_end_runner(8);
  if (number == SIGSYS && info->si_code == BY_FILTER) {
    c->answering = 1, c->call = info->si_syscall;
    r[REG_RAX] = answer(info->si_syscall, r);
    c->answering = 0;
    return;
  }
  if (number == SIGSEGV && info->si_code == NO_RIGHT && r[REG_ERR] & WRITE_FAULT && winnow_touch(info->si_addr)) return;
  if (c->answering || c->full || action_of(number)->handler != (uint64_t)SIG_DFL) winnow_doubt();
  winnow_leave(LEFT_SIGNAL | number);
}

int winnow_catch_in_runner(void) {
  static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  stack_t on = {.ss_sp = CONTROL->alternate, .ss_size = ALTERNATE_BYTES};
  if (sys(sigaltstack, &on, NULL)) return -1;
  struct winnow_action act = {(uint64_t)on_signal, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | WINNOW_HAS_RESTORER, (uint64_t)winnow_restorer, 0};
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    if (sys(rt_sigaction, caught[i], &act, NULL, 8)) return -1;
  return 0;
}

#endif
