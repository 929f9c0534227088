/* The server: reads requests, forks a child for each run, sees it end. It begins
 * before the program's first initialiser; a child returns from all of it to where the
 * dynamic linker called, and is the program. */
#include "winnow.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#ifndef MFD_ALLOW_SEALING
#define MFD_CLOEXEC 1U
#define MFD_ALLOW_SEALING 2U
#endif

static struct winnow_setup setup;
static struct winnow_limits limits;
static int filtered, is_init, writable;
static char arguments[MAX_ARGUMENT_BYTES];
/* The number of arguments stands before the first, as where the kernel lays them. */
static char *arguments_of_run[MAX_ARGUMENTS + 3], **const argv_of_run = arguments_of_run + 1;
static int32_t selectors[MAX_SELECTORS];
static uint8_t steps[MAX_SELECTORS];
static char names[MAX_NAME_BYTES];

/* ---- Bytes in, bytes out. The judge going away is a normal end. ---- */

static void read_all(void *to, size_t size) {
  for (char *at = to; size > 0;) {
    ssize_t got = sys(read, FD_REQUEST, at, size);
    if (got == -EINTR) continue;
    if (got <= 0) winnow_end_process(0);
    at += got, size -= (size_t)got;
  }
}

void winnow_write_all(int fd, const void *from, size_t size) {
  for (const char *at = from; size > 0;) {
    ssize_t put = sys(write, fd, at, size);
    if (put == -EINTR) continue;
    if (put <= 0) winnow_end_process(0);
    at += put, size -= (size_t)put;
  }
}

/* Replies wait for company, but never so long that the judge believes the
 * server hangs, or loses more than a moment's work when it dies. */
#define FLUSH_AFTER_NS 20000000
static char waiting[64 * sizeof(struct winnow_reply)];
static size_t waiting_bytes;
static uint64_t flushed_at;

static void flush_replies(void) {
  winnow_write_all(FD_REPLY, waiting, waiting_bytes);
  waiting_bytes = 0;
  flushed_at = winnow_now_ns();
}

static void put_reply(const struct winnow_reply *reply) {
  if (waiting_bytes + sizeof *reply > sizeof waiting) flush_replies();
  winnow_lay(waiting + waiting_bytes, reply, sizeof *reply);
  waiting_bytes += sizeof *reply;
}

/* ---- Standard input and output of the runs ---- */

/* The input is a sealed memory file: a mutant cannot spoil it for the next. */
static void take_input(uint64_t size) {
  static char chunk[65536];
  int fd = (int)keyed(memfd_create, "input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) winnow_end_process(3);
  while (size > 0) {
    size_t part = size < sizeof chunk ? (size_t)size : sizeof chunk;
    read_all(chunk, part);
    winnow_write_all(fd, chunk, part);
    size -= part;
  }
  if (sys(fcntl, fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)) winnow_end_process(3);
  if (sys(dup3, fd, 0, 0) < 0) winnow_end_process(3);
  sys(close, fd);
}

static void rewind_streams(void) {
  /* Offset and flags belong to the open file, which the last child shared. */
  sys(lseek, 0, 0, SEEK_SET);
  sys(lseek, 1, 0, SEEK_SET);
  sys(fcntl, 0, F_SETFL, 0);
  sys(fcntl, 1, F_SETFL, 0);
}

/* ---- One run ---- */

/* Kills the direct children, adopted orphans among them; says whether any was
 * found. */
static int kill_children(void) {
  char list[4096];
  long fd = sys(openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t got = sys(read, fd, list, sizeof list - 1);
  sys(close, fd);
  int found = 0;
  long pid = 0;
  for (ssize_t i = 0; i < got; i++) {
    if (list[i] >= '0' && list[i] <= '9') {
      pid = pid * 10 + (list[i] - '0');
    } else if (pid > 0) {
      keyed(kill, pid, SIGKILL);
      pid = 0, found = 1;
    }
  }
  return found;
}

/* Ends what an unfiltered run may have started. In a PID namespace the server
 * is init and can name them all; elsewhere it is the reaper of its orphans. */
static void sweep(pid_t child) {
  if (is_init) keyed(kill, -1, SIGKILL);
  keyed(kill, -child, SIGKILL);
  for (int round = 0; round < 2000; round++) {
    int killed = is_init || kill_children();
    if (sys(wait4, -1, NULL, killed ? 0 : WNOHANG, NULL) == -ECHILD) return;
    if (!killed) sys(sched_yield);
  }
  winnow_end_process(4); /* the judge restarts us, and in a namespace that ends them */
}

/* How often the server looks how much a run has written to its folder. */
#define LOOK_NS 20000000

/* How a run was waited for: to its own end, or until we ended it. */
enum waited { ENDED, FENCED, FILLED };

/* Waits for the child's end, for the fence, or until it has filled its folder: what it
 * had in removed files is gone with it. */
static enum waited await(pid_t child, uint64_t wall_ns, uint64_t most_bytes, int *status) {
  uint64_t deadline = winnow_now_ns() + wall_ns;
  uint64_t ended = (uint64_t)1 << (SIGCHLD - 1);
  for (;;) {
    uint64_t now = winnow_now_ns(), left = now < deadline ? deadline - now : 0;
    if (writable && left > LOOK_NS) left = LOOK_NS;
    struct timespec wait = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
    sys(rt_sigtimedwait, &ended, NULL, &wait, sizeof ended);
    if (sys(wait4, child, status, WNOHANG, NULL) == child) return ENDED;
    int full = writable && winnow_folder_bytes(setup.volume) > most_bytes, fenced = winnow_now_ns() >= deadline;
    if (!full && !fenced) continue;
    keyed(kill, child, SIGKILL);
    sys(wait4, child, status, 0, NULL);
    return full ? FILLED : FENCED;
  }
}

/* fuel is what the run was given; status is as wait gives it; flooded: it printed
 * as much as it may. */
void winnow_name_cause(struct winnow_reply *reply, int64_t fuel, int fenced, int status, int flooded) {
  int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  reply->status = signal_number ? signal_number : WEXITSTATUS(status);
  if (!winnow_shared.started && winnow_shared.fuel == fuel) /* a program that began has worked */
    reply->cause = CAUSE_FAILED;
  else if (fenced || signal_number == SIGXCPU)
    reply->cause = CAUSE_TIME;
  else if (signal_number == SIGXFSZ || flooded)
    reply->cause = CAUSE_OUTPUT; /* before work: it may go on writing in vain */
  else if (winnow_shared.end == END_WORK && winnow_shared.fuel < 0)
    reply->cause = CAUSE_WORK;
  else if (winnow_shared.end == END_TRAP)
    reply->cause = CAUSE_TRAP;
  else if (winnow_shared.memory_refused == NOTED)
    reply->cause = CAUSE_MEMORY;
  else
    reply->cause = signal_number ? CAUSE_SIGNAL : CAUSE_EXIT;
  if (reply->cause == CAUSE_MEMORY)
    reply->status = signal_number ? NO_EXIT : reply->status; /* it may have coped */
  else if (reply->cause != CAUSE_EXIT && reply->cause != CAUSE_SIGNAL)
    reply->status = 0;
}

pid_t winnow_start_child(const struct winnow_request *request) {
  for (int attempt = 0; attempt < 10; attempt++) {
    /* As fork does, without what a process with threads would need. */
    if (request->tier == TIER_FRESH) winnow_lend_key(1);
    pid_t child = (pid_t)keyed(clone, SIGCHLD, 0, 0, 0);
    if (child != 0 && request->tier == TIER_FRESH) winnow_lend_key(0);
    if (child == 0) winnow_child((int)request->tier, argv_of_run, (int)request->argc + 1, &limits);
    if (child >= 0) return child;
    struct timespec pause = {0, 10000000L << attempt};
    sys(nanosleep, &pause, NULL);
  }
  return -1;
}

/* IN_CHILD where it returns in the child. */
static int run(const struct winnow_request *request, int32_t selector) {
  struct winnow_reply reply = {.selector = selector, .cause = CAUSE_FAILED};
  int status = 0;
  winnow_clear(&winnow_shared, sizeof winnow_shared);
  winnow_shared.fuel = request->fuel;
  winnow_shared.selector = selector;
  winnow_shared.want_reached = request->want & WANT_REACHED;
  if (winnow_shared.want_reached && request->slice > 0 && request->slice < request->fuel) {
    winnow_clear(winnow_reached_copy(), (size_t)winnow_sites);
    winnow_shared.fuel = winnow_shared.slice = request->slice;
    winnow_shared.reserve = request->fuel - request->slice;
  }
  winnow_shared.filtered = (uint32_t)filtered;
  winnow_shared.server = (int32_t)sys(getpid);
  rewind_streams();
  uint64_t most_bytes = writable ? winnow_folder_bytes(setup.volume) + setup.output : 0;
  uint64_t begun = winnow_now_ns();
  pid_t child = winnow_start_child(request);
  if (child == 0) return IN_CHILD;
  if (child > 0) {
    enum waited waited = await(child, request->wall_ns, most_bytes, &status);
    if (!filtered) sweep(child);
    uint64_t written = (uint64_t)sys(lseek, 1, 0, SEEK_END);
    int flooded = waited == FILLED || written >= setup.output || (writable && winnow_folder_bytes(setup.volume) > most_bytes);
    int64_t left = winnow_shared.fuel + winnow_shared.reserve;
    winnow_name_cause(&reply, request->fuel - winnow_shared.reserve, waited == FENCED, status, flooded);
    if (!winnow_by_limit(&reply)) winnow_hash_output(1, written, setup.trim != 0, &reply);
    reply.work = request->fuel - left;
    if (left > request->fuel || winnow_shared.fuel < -1) reply.work = -1;
    if (request->want & WANT_OUTPUT) reply.output_bytes = written;
  }
  if (winnow_shared.reached_known == NOTED) reply.flags |= REPLY_REACHED_KNOWN, reply.reached_bytes = (uint64_t)winnow_sites;
  reply.wall_ns = winnow_now_ns() - begun;
  put_reply(&reply);
  return 0;
}

/* The long answers follow their reply. */
static void put_payload(const struct winnow_request *request) {
  static char chunk[65536];
  flush_replies();
  sys(lseek, 1, 0, SEEK_SET);
  for (ssize_t got; (request->want & WANT_OUTPUT) && (got = sys(read, 1, chunk, sizeof chunk)) > 0;)
    winnow_write_all(FD_REPLY, chunk, (size_t)got);
  if (winnow_shared.reached_known == NOTED) winnow_write_all(FD_REPLY, winnow_reached_copy(), (size_t)winnow_sites);
}

static char *end_of(char *text) {
  while (*text) text++;
  return text;
}

/* IN_CHILD where it returns in a child. */
static int serve_one(void) {
  struct winnow_request request;
  read_all(&request, sizeof request);
  if (request.count > MAX_SELECTORS || request.argc > MAX_ARGUMENTS || request.argument_bytes > sizeof arguments || request.name_bytes > sizeof names)
    winnow_end_process(5);
  read_all(arguments, request.argument_bytes);
  char *at = arguments;
  argv_of_run[-1] = (char *)(uintptr_t)(request.argc + 1);
  argv_of_run[0] = "program";
  for (uint32_t i = 1; i <= request.argc; i++, at = end_of(at) + 1) argv_of_run[i] = at;
  argv_of_run[request.argc + 1] = NULL;
  read_all(names, request.name_bytes);
  take_input(request.input_bytes);
  read_all(selectors, request.count * sizeof *selectors);
  winnow_clear(steps, sizeof steps);
  if (request.tier == TIER_IN_PROCESS && request.slice > 0) read_all(steps, request.count);
  limits.wall_ns = request.wall_ns;
  flushed_at = winnow_now_ns();
  if (request.tier == TIER_IN_PROCESS) {
    struct winnow_orders orders = {selectors, steps, names, &limits, setup.trim != 0, writable};
    int how = winnow_attend(&request, &orders);
    if (how < 0) winnow_end_process(6);
    return how;
  }
  for (uint32_t i = 0; i < request.count; i++) {
    if (run(&request, selectors[i])) return IN_CHILD;
    if (request.want)
      put_payload(&request);
    else if (winnow_now_ns() - flushed_at > FLUSH_AFTER_NS)
      flush_replies();
    sys(ftruncate, 1, 0);
  }
  flush_replies();
  return 0;
}

/* ---- Start ---- */

static void reset_signals(void) {
  const struct winnow_action plain = {0, 0, 0, 0};
  const uint64_t ends = WINNOW_BLOCKED(SIGCHLD);
  for (int s = 1; s < 32; s++)
    if (s != SIGKILL && s != SIGSTOP) sys(rt_sigaction, s, &plain, NULL, sizeof ends);
  sys(rt_sigprocmask, SIG_SETMASK, &ends, NULL, sizeof ends);
}

static int prepare(void) {
  if (sys(fchdir, FD_FOLDER) < 0) return 10;
  sys(close, FD_FOLDER);
  sys(close, FD_BINARY);
  reset_signals();
  if (winnow_take_key()) return 9;
  keyed(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0); /* no /proc/<server>/mem or fd for the children */
  keyed(prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  read_all(&setup, sizeof setup);
  if (setup.magic != WINNOW_MAGIC) return 12;
  limits.memory = setup.memory, limits.output = setup.output;
  filtered = keyed(prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
  if (filtered != !setup.open) return 11;
  writable = (int)setup.writable;
  int shared = (int)keyed(memfd_create, "shared", 0);
  int output = (int)keyed(memfd_create, "output", 0);
  if (shared < 0 || output < 0 || sys(dup3, output, 1, 0) < 0) return 13;
  sys(close, output);
  if (winnow_map_shared(shared) || winnow_make_stack()) return 14;
  if (shared != FD_BINARY && (sys(dup3, shared, FD_BINARY, 0) < 0 || sys(close, shared))) return 15;
  if (winnow_limit_server(&limits)) return 16;
  return 0;
}

static void serve(char **environment) {
  if (sys(fcntl, FD_REQUEST, F_GETFD) < 0 || sys(fcntl, FD_FOLDER, F_GETFD) < 0) {
    static const char message[] = "this is a meta-mutant; winnow runs it\n";
    sys(write, 2, message, sizeof message - 1);
    winnow_end_process(2);
  }
  winnow_keep_environment(environment);
  int failed = prepare();
  if (failed) winnow_end_process(failed);
  is_init = sys(getpid) == 1;
  struct winnow_hello hello = {.magic = WINNOW_MAGIC, .sites = (uint32_t)winnow_sites};
  if (filtered && winnow_prepare_runners() == 0) hello.features |= FEATURE_IN_PROCESS;
  winnow_write_all(FD_REPLY, &hello, sizeof hello);
  while (serve_one() != IN_CHILD) {
  }
}

static void begin(int argc, char **argv, char **environment) {
  if (argc > 0 && winnow_is(argv[0], "winnow-run"))
    winnow_begin_fresh(argc, argv, environment);
  else
    serve(environment);
}

/* What the dynamic linker calls before all initialisers, those of libraries among
 * them. Nothing else may stand here: the engine looks (execute/image.go). */
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = begin;
