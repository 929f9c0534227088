/* The runtime of mutated code in a program or library that a test starts by
 * whatever means. It is linked with every product that holds mutated code, and
 * hidden there, so that a program and a library have one each. A library that is made
 * of whole archives gets theirs with them: its symbols are weak, so that the linker
 * keeps one of each, and who comes first begins and ends.
 *
 *   WINNOW_MUTANT  the mutant to run, 0 or nothing is the original
 *   WINNOW_FUEL    the work that a process may do
 *   WINNOW_TABLE   a file of a page for struct table, in which all processes of a run
 *                  note how they end, and, unless it ends there, tables of SITES bytes
 *                  behind it, for what they reach
 *   WINNOW_LINES   asks for output line by line: of a process that crashes none is lost
 *   WINNOW_CASES   of a probing build, a file to which is added, with each line that the process
 *                  prints, what it reached since the one before; WINNOW_OUTPUT is the inode of what
 *                  the command prints to
 *   WINNOW_SERVER  a socket that asks the command's own process to be a fork server
 *
 * SITES is the length of the table of sites (of a probing build: and of all that
 * follows it, schemata.ProbeLayout). INFECTED is where in it a probing build
 * notes infections, or undefined. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ONE __attribute__((visibility("hidden"), weak))
#define PAGE 4096
#define PAGES(n) (((n) + PAGE - 1) / PAGE * PAGE)

/* How many processes with mutated code can run at once; twin of slots in engine.go. */
#define SLOTS 64

/* The first page of the file; twin of table in table.go. Behind it lies a table of
 * sites of all that have ended, and behind that one for every process that runs: a
 * process may end inside a site, and another must not cover that up. Where all are
 * taken, the next process takes that of one that is gone, and keeps what it says. */
struct table {
  uint32_t processes; /* with mutated code that were started, or forked where tables lie behind this */
  uint32_t out_of_fuel; /* of which used up their work */
  int64_t work; /* the most that one of them did, as far as they ended in order */
  uint32_t lost; /* processes that found no table of sites */
  uint32_t merging; /* a table is being taken over */
  int32_t owner[SLOTS]; /* by table of sites: the process, 0 for none yet */
  uint32_t ended; /* processes that ended in order */
};

/* More than any program does, and far from an overflow. */
#define UNLIMITED (INT64_MAX / 4)

ONE int32_t winnow_selector;
ONE int64_t winnow_fuel = UNLIMITED;
/* On pages of its own, so that the file can take its place. */
ONE uint8_t winnow_reached[PAGES(SITES)] __attribute__((aligned(PAGE)));
ONE const int32_t winnow_sites = SITES;

ONE int64_t winnow_given = UNLIMITED; /* fuel at the start */
ONE struct table winnow_own, *winnow_table = &winnow_own;
ONE int32_t winnow_begun, winnow_ended;

/* A number that is not one counts as absent. */
static int64_t number(const char *name, int64_t otherwise) {
  const char *text = getenv(name);
  int64_t value = 0;
  if (!text || !*text) return otherwise;
  for (; *text >= '0' && *text <= '9'; text++) {
    if (value > UNLIMITED / 10 - 10) return otherwise;
    value = 10 * value + (*text - '0');
  }
  return *text ? otherwise : value;
}

/* A table of sites of the file, laid where it is free; NULL where there is none. */
static uint8_t *at_slot(int fd, uint32_t slot) {
  void *at = mmap(NULL, PAGES(SITES), PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE + (off_t)slot * PAGES(SITES));
  return at == MAP_FAILED ? NULL : at;
}

/* Adds what a process that is gone has noted to the table of all those. States of
 * sites and infections grow: the greater says more. */
static void keep(int fd, uint8_t *gone) {
  uint8_t *all = at_slot(fd, 0);
  if (!all) return;
  /* One that was killed here has left it shut; what two add at a time may be lost. */
  for (int tries = 0; tries < 1000 && __atomic_exchange_n(&winnow_table->merging, 1, __ATOMIC_ACQUIRE); tries++) syscall(SYS_sched_yield);
  for (size_t i = 0; i < SITES; i++)
    if (gone[i] > all[i]) all[i] = gone[i];
  __atomic_store_n(&winnow_table->merging, 0, __ATOMIC_RELEASE);
  munmap(all, PAGES(SITES));
}

/* Makes a slot this process's if it is of_whom's. */
static int owns(int32_t slot, int32_t of_whom) {
  return __atomic_compare_exchange_n(&winnow_table->owner[slot], &of_whom, (int32_t)syscall(SYS_getpid), 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* A table of sites for this process; NULL where there is none. */
static uint8_t *next_slot(int fd) {
  for (int32_t slot = 0; slot < SLOTS; slot++)
    if (!__atomic_load_n(&winnow_table->owner[slot], __ATOMIC_RELAXED) && owns(slot, 0)) return at_slot(fd, slot + 1);
  for (int32_t slot = 0; slot < SLOTS; slot++) {
    int32_t who = __atomic_load_n(&winnow_table->owner[slot], __ATOMIC_ACQUIRE);
    int saved = errno, gone = syscall(SYS_kill, who, 0) < 0 && errno == ESRCH;
    errno = saved;
    if (gone && owns(slot, who)) {
      uint8_t *at = at_slot(fd, slot + 1);
      if (at) keep(fd, at);
      return at;
    }
  }
  __atomic_fetch_add(&winnow_table->lost, 1, __ATOMIC_RELAXED);
  return NULL;
}

static int open_file(void) {
  const char *name = getenv("WINNOW_TABLE");
  if (!name || !*name) return -1;
  return (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0);
}

/* Takes a table of sites, with what the process knows already. */
static void take_slot(int fd) {
  uint8_t *slot = next_slot(fd);
  if (!slot) return;
  memcpy(slot, winnow_reached, PAGES(SITES));
  mremap(slot, PAGES(SITES), PAGES(SITES), MREMAP_MAYMOVE | MREMAP_FIXED, winnow_reached);
}

static void forked(void) {
  int fd = open_file();
  if (fd < 0) return;
  __atomic_fetch_add(&winnow_table->processes, 1, __ATOMIC_RELAXED);
  take_slot(fd);
  syscall(SYS_close, fd);
}

static void open_table(void) {
  int fd = open_file();
  if (fd < 0) return;
  void *first = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (first != MAP_FAILED) {
    winnow_table = first;
    __atomic_fetch_add(&winnow_table->processes, 1, __ATOMIC_RELAXED);
    if (syscall(SYS_lseek, fd, 0, SEEK_END) > PAGE) {
      take_slot(fd);
      pthread_atfork(NULL, NULL, forked);
    }
  }
  syscall(SYS_close, fd);
}

/* What a fork server is to do next; twin of order in forkserver_linux.go. */
struct order {
  int32_t serve; /* or go on alone, as a process that nobody asked */
  int32_t mutant;
  int64_t fuel;
};

/* Writes a number over that of a variable, of which other runtimes and programs that are started
 * read it. It has as many digits as before. */
static void put(const char *name, int64_t value) {
  char *text = getenv(name);
  if (!text) return;
  for (size_t n = strlen(text); n > 0; value /= 10) text[--n] = (char)('0' + value % 10);
}

/* Makes the command's own process a fork server (Zalewski, "Fuzzing random programs without
 * execve()", 2014): what it takes to start and link a program is paid once, and each run is a fork of
 * it, which returns from here with its mutant. A process that something else started, a script for
 * one, returns at once: what came before it would not be done again. */
static void serve(int server) {
  static char folder[PAGE];
  struct order order;
  int32_t status = 0;
  if (syscall(SYS_getsid, 0) != syscall(SYS_getpid) || !getcwd(folder, sizeof folder)) return;
  put("WINNOW_SERVER", 0);
  while (syscall(SYS_write, server, &status, sizeof status) == sizeof status && syscall(SYS_read, server, &order, sizeof order) == sizeof order) {
    /* A run can kill the server, which is seen, but neither trace it nor write in its memory. */
    if (order.serve) syscall(SYS_prctl, PR_SET_DUMPABLE, 0);
    pid_t run = order.serve ? fork() : 0;
    if (run == 0) {
      syscall(SYS_close, server);
      if (!order.serve) return;
      syscall(SYS_prctl, PR_SET_DUMPABLE, 1);
      /* The folder may be mounted anew. */
      if (syscall(SYS_setsid) < 0 || syscall(SYS_chdir, folder) < 0) syscall(SYS_kill, syscall(SYS_getppid), SIGKILL);
      put("WINNOW_MUTANT", order.mutant);
      put("WINNOW_FUEL", order.fuel);
      return;
    }
    if (run < 0 || syscall(SYS_wait4, run, &status, 0, NULL) != run) break;
  }
  /* The worker has no more to do, or it sees by the socket that this does not work. */
  for (;;) syscall(SYS_exit_group, 0);
}

#ifdef INFECTED
/* The file, or -1, and where lines go. */
static int cases = -1;
static FILE *below;

/* Adds to the file how much is printed so far (-1 where this process prints elsewhere; less 2, and below 0, where it is at its
 * end and not at that of a line), as 8 bytes, and a bit for each byte of the table that is not 0, which it then is; what cannot be
 * written, of a program that has closed the file, stays in the table. Twin of segments in case_probe.go. */
static void note_case(int at_end) {
  static uint8_t note[8 + (SITES + 7) / 8];
  struct stat mine; /* of no folder: the run's output is in memory */
  int64_t printed = -1;
  memset(note, 0, sizeof note);
  if (fstat(fileno(below), &mine) == 0 && mine.st_nlink == 0 && (int64_t)mine.st_ino == number("WINNOW_OUTPUT", -1)) printed = lseek(fileno(below), 0, SEEK_CUR);
  if (at_end && printed >= 0) printed = -2 - printed;
  memcpy(note, &printed, sizeof printed);
  for (size_t i = 0; i < SITES; i++)
    if (winnow_reached[i]) note[8 + i / 8] |= (uint8_t)(1 << i % 8);
  if (syscall(SYS_write, cases, note, sizeof note) == (long)sizeof note) memset(winnow_reached, 0, SITES);
}

/* What the process prints goes on as it is. */
static ssize_t print(void *to, const char *text, size_t size) {
  size_t printed = fwrite(text, 1, size, to);
  fflush(to);
  if (memchr(text, '\n', size)) note_case(0);
  return (ssize_t)printed;
}

static void split_by_lines(void) {
  const char *name = getenv("WINNOW_CASES");
  if (!name || !*name || (cases = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND | O_CLOEXEC, 0)) < 0) return;
  FILE *lines = fopencookie(below = stdout, "w", (cookie_io_functions_t){.write = print});
  if (!lines) return;
  setvbuf(lines, NULL, _IOLBF, 0);
  stdout = lines;
}
#endif

/* Before the constructors of the program, which are mutated, too. */
__attribute__((constructor(101))) static void begin(void) {
  if (winnow_begun++) return;
  if (number("WINNOW_LINES", 0)) setvbuf(stdout, NULL, _IOLBF, 0);
  int server = (int)number("WINNOW_SERVER", 0);
  if (server > 0) serve(server);
  int64_t mutant = number("WINNOW_MUTANT", 0);
  open_table();
  winnow_given = number("WINNOW_FUEL", UNLIMITED);
  winnow_fuel = winnow_given;
  winnow_selector = mutant <= INT32_MAX ? (int32_t)mutant : 0;
#ifdef INFECTED
  split_by_lines();
#endif
}

/* After the destructors of the program. A process that ends otherwise, by a
 * signal or by _exit, does not say how much it did. */
__attribute__((destructor(101))) static void end(void) {
  if (winnow_ended++) return;
#ifdef INFECTED
  if (below && cases >= 0) note_case(1);
#endif
  __atomic_fetch_add(&winnow_table->ended, 1, __ATOMIC_RELAXED);
  int64_t work = winnow_given - winnow_fuel, most = __atomic_load_n(&winnow_table->work, __ATOMIC_RELAXED);
  while (work > most && !__atomic_compare_exchange_n(&winnow_table->work, &most, work, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

ONE void winnow_out_of_fuel(void) {
  __atomic_fetch_add(&winnow_table->out_of_fuel, 1, __ATOMIC_RELAXED);
  for (;;) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

#ifdef INFECTED
ONE void winnow_infect(int32_t first, uint64_t set) {
  for (int32_t mutant = first; set; set >>= 1, mutant++) {
    if (set & 1) winnow_reached[INFECTED + mutant] = 1;
  }
}
#endif
