/* The zoo of attacks. Mutant 100 + a tries attack a before main, 200 + a in it, and
 * 300 + a after it. Whatever works says so, so that the mutant is killed. */
#define _GNU_SOURCE
#include "meta.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

SITES(1)

/* Where to attack stands in the program: initialisers have no arguments. */
#ifndef LOOT
#define LOOT "/tmp/winnow-loot"
#endif
#ifndef PORT
#define PORT 9
#endif
static const char victim[] = LOOT "/victim", beside[] = LOOT "/beside", secret[] = LOOT "/secret", gate[] = LOOT "/gate";

static int broke;
static void try(long result) { broke |= result >= 0; }
static void raw(long number, ...) { try(syscall(number, 0, 0, 0, 0, 0, 0)); }

static void reads(const char *path) {
  char text[64];
  int fd = open(path, O_RDONLY);
  if (fd >= 0) try(read(fd, text, sizeof text) > 0 ? 0 : -1);
}

static void reads_of(pid_t pid, const char *what) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
  reads(path);
}

static void lists(const char *path) {
  char list[4096];
  int fd = open(path, O_RDONLY | O_DIRECTORY);
  if (fd >= 0) try(syscall(SYS_getdents64, fd, list, sizeof list) > 0 ? 0 : -1);
}

static void connects(int kind) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, kind, 0);
  if (fd >= 0) try(sendto(fd, "x", 1, MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to) < 0 ? connect(fd, (struct sockaddr *)&to, sizeof to) : 0);
}

static void connects_here(void) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  strcpy(to.sun_path, gate);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd >= 0) try(connect(fd, (struct sockaddr *)&to, sizeof to));
}

static void stays(pid_t pid) {
  try(pid);
  if (pid != 0) return;
  setsid();
  for (;;) pause();
}

static void writes_to_what_is_open(void) {
  for (int fd = 3; fd < 200; fd++) try(write(fd, "x", 1));
}

static void sets_limits(pid_t pid) {
  struct rlimit none = {0, 0};
  try(syscall(SYS_prlimit64, pid, RLIMIT_CPU, &none, NULL));
}

static void lifts_limits(void) {
  struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
  try(setrlimit(RLIMIT_FSIZE, &most));
  try(setrlimit(RLIMIT_AS, &most));
}

#ifdef __x86_64__
/* A kernel without calls of 32 bits has no such door: the instruction, of two bytes, is a fault. */
static void no_door(int number, siginfo_t *info, void *state) {
  greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
  registers[REG_RIP] += 2, registers[REG_RAX] = -ENOSYS;
  (void)number, (void)info;
}
#endif

static void by_the_other_door(void) {
#ifdef __x86_64__
  struct sigaction refused = {.sa_sigaction = no_door, .sa_flags = SA_SIGINFO | SA_RESETHAND};
  sigaction(SIGSEGV, &refused, NULL);
  long result = 2; /* fork of 32 bits */
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
  if (result == 0) _exit(0);
  try(result);
#endif
}

/* Every readable word from one address to another as the server's key. What is like an address is none. */
static void tries_as_keys(const char *from, const char *to) {
  static int ends[2];
  char byte;
  if (!ends[1] && pipe(ends)) return;
  for (const char *page = (char *)((unsigned long)from & -4096UL); page < to; page += 4096) {
    if (write(ends[1], page, 1) != 1 || read(ends[0], &byte, 1) != 1) continue; /* that would be a fault */
    for (const unsigned long *at = (void *)page; at < (unsigned long *)(page + 4096); at++)
      if (*at >> 48) try(syscall(SYS_memfd_create, "x", 0, 0, 0, 0, *at));
  }
}

/* In its data, on its stack and in those of libc. */
static void looks_for_the_key(void) {
  extern char __data_start[], _end[];
  char here;
  tries_as_keys(__data_start, _end);
  tries_as_keys(&here - 65536, &here + (8 << 20));
  tries_as_keys((char *)stdout - 65536, (char *)stdout + 65536);
}

/* The last argument is what the register held in which the key was. */
static void asks_again(void) {
#ifdef __x86_64__
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_memfd_create), "D"("x"), "S"(0) : "rcx", "r11", "memory");
  try(result);
#endif
}

static void attack(int which) {
  pid_t server = getppid();
  char stack[4096];
  struct iovec bytes = {stack, 8}, there = {(void *)0x400000, 8};
  struct timeval now = {0, 0};
  switch (which) {
  case 0: try(open(victim, O_WRONLY)); break;
  case 1: try(open(victim, O_RDONLY | O_TRUNC)); break;
  case 2: try(truncate(victim, 0)); break;
  case 3: try(unlink(victim)); break;
  case 4: try(rename(victim, beside)); break;
  case 5: try(chmod(victim, 0)); break;
  case 6: try(chown(victim, 0, 0)); break;
  case 7: try(utimensat(AT_FDCWD, victim, NULL, 0)); break;
  case 8: try(setxattr(victim, "user.x", "x", 1, 0)); break;
  case 9: try(creat(beside, 0666)); break;
  case 10: try(open(LOOT, O_RDWR | O_TMPFILE, 0600)); break;
  case 11: try(creat("/tmp/winnow-was-here", 0666)); break;
  case 12: try(creat("here", 0666)); break;
  case 13: try(mkdir(beside, 0777)); break;
  case 14: try(symlink(victim, beside)); break;
  case 15: try(link(victim, beside)); break;
  case 16: try(mknod(beside, S_IFIFO | 0666, 0)); break;
  case 17: stays(fork()); break;
  case 18: stays(vfork()); break;
  case 19: stays((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); break;
  case 20: raw(435 /* clone3 */); break;
  case 21: try(syscall(SYS_clone, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, stack + sizeof stack, 0, 0, 0)); break;
  case 22: execl("/bin/sh", "sh", "-c", "echo broke", (char *)NULL); break;
  case 23: syscall(SYS_execveat, AT_FDCWD, "/bin/echo", NULL, NULL, 0); break;
  case 24: connects(SOCK_STREAM); break;
  case 25: connects(SOCK_DGRAM); break;
  case 26: connects_here(); break;
  case 27: try(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0})); break;
  case 28: try(socket(AF_NETLINK, SOCK_RAW, 0)); break;
  case 29: raw(425 /* io_uring_setup */); break;
  case 30: try(kill(server, SIGKILL)); break;
  case 31: try(kill(-1, SIGKILL)); break;
  case 32: try(kill(0, SIGKILL)); break;
  case 33: try(syscall(SYS_tgkill, server, server, SIGKILL)); break;
  case 34: try(syscall(SYS_rt_sigqueueinfo, server, SIGKILL, stack)); break;
  case 35: try(syscall(434 /* pidfd_open */, server, 0)); break;
  case 36: try(ptrace(PTRACE_ATTACH, server, 0, 0)); break;
  case 37: try(process_vm_writev(server, &bytes, 1, &there, 1, 0)); break;
  case 38: try(process_vm_readv(server, &bytes, 1, &there, 1, 0)); break;
  case 39: reads_of(server, "mem"); reads_of(server, "maps"); break;
  case 40: reads_of(server, "environ"); break;
  case 41: reads_of(1, "environ"); reads_of(1, "maps"); break;
  case 42: lists("/proc"); break;
  case 43: reads(secret); break;
  case 44: lists(LOOT); break;
  case 45: lists("/root"); lists("/home"); lists("/tmp"); break;
  case 46: reads("/etc/shadow"); reads("/etc/hostname"); break;
  case 47: writes_to_what_is_open(); break;
  case 48: sets_limits(server); break;
  case 49: lifts_limits(); break;
  case 50: try(prctl(PR_SET_PDEATHSIG, 0)); break;
  case 51: try(prctl(PR_SET_DUMPABLE, 1)); break;
  case 52: try(mount("none", "/tmp", "tmpfs", 0, NULL)); break;
  case 53: try(unshare(CLONE_NEWUSER)); break;
  case 54: try(unshare(CLONE_FILES)); break;
  case 55: raw(SYS_setns); break;
  case 56: try(chroot("/")); break;
  case 57: raw(SYS_bpf); break;
  case 58: raw(SYS_perf_event_open); break;
  case 59: raw(SYS_add_key); raw(SYS_keyctl); break;
  case 60: raw(SYS_userfaultfd); break;
  case 61: try(syscall(SYS_memfd_create, "x", 0)); break;
  case 62: try(syscall(SYS_personality, 0)); break;
  case 63: try(setuid(0)); try(setgid(0)); break;
  case 64: try(setsid()); try(setpgid(0, 0)); break;
  case 65: try(syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x")); break;
  case 66: try(fcntl(0, F_SETOWN, server)); break;
  case 67: raw(SYS_shmget); raw(SYS_msgget); raw(SYS_semget); break;
  case 68: try(setpriority(PRIO_PROCESS, server, 10)); break;
  case 69: try(syscall(SYS_sched_setaffinity, server, sizeof stack, stack)); break;
  case 70: try(syscall(SYS_inotify_init1, 0)); break;
  case 71: try(settimeofday(&now, NULL)); break;
  case 72: try(sethostname("x", 1)); break;
  case 73: stays((pid_t)syscall(0x40000000 + SYS_clone, SIGCHLD, 0, 0, 0, 0)); break;
  case 74: by_the_other_door(); break;
  case 75: reads("/proc/self/mem"); break;
  case 76: looks_for_the_key(); break;
  case 77: asks_again(); break;
  case 78: reads_of(server, "syscall"); break;
  case 79: try(prctl(PR_SET_PDEATHSIG, 0)); try(prctl(PR_SET_DUMPABLE, 1)); break;
  case 80: try(kill(server, 0)); try(kill(0, 0)); try(kill(-1, 0)); try(syscall(SYS_tgkill, server, server, 0)); try(syscall(SYS_tkill, server, 0)); break;
  }
}

static void at(int phase) {
  int which = winnow_selector - 100 * phase;
  if (which < 0 || which >= 100) return;
  attack(which);
  if (broke) puts("broke out"), fflush(stdout);
}

__attribute__((constructor)) static void before(void) { WORK(); at(1); }
__attribute__((destructor)) static void after(void) { at(3); }

int winnow_program_main(void) {
  SITE(0);
  WORK();
  at(2);
  puts("right");
  return 0;
}
