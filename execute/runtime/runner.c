/* A runner: a child that makes many runs, one after the other. It prepares
 * itself like the child of one run; from there on everything that a run changes
 * in memory is put back (image.c), and nothing that it asks for reaches the
 * kernel (calls.c). So every run begins in the very state in which a forked
 * child begins, without a list of what libc keeps where.
 *
 * The runner can be wrong in one way: a wild write hits what it lives from. It
 * therefore checks itself whenever the original runs, and only what was decided
 * before such a check counts. */
#include "runner.h"

#ifdef WINNOW_RUNNERS
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/rseq.h>
#include <sys/stat.h>

/* ---- In and out of a run ---- */

/* winnow_enter saves where the runner is and calls start on another stack, with
 * the floating-point environment of a new process. It returns what winnow_leave
 * was given. winnow_raw is the kernel by one instruction, whose address the
 * filter knows; winnow_restorer ends a signal handler by the same one. */
int winnow_enter(void **back, char *stack, void (*start)(void));
_Noreturn void winnow_return(void **back, int how);
__asm__(".text\n"
        ".globl winnow_enter, winnow_return, winnow_raw, winnow_raw_ip, winnow_restorer\n"
        "winnow_enter:\n"
        "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  jmp winnow_switch\n"
        "winnow_return:\n"
        "  mov (%rdi), %rsp\n  cld\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n  pop %rbx\n"
        "  mov %esi, %eax\n  ret\n"
        "winnow_restorer:\n"
        "  mov $15, %eax\n  jmp 1f\n"
        "winnow_raw:\n"
        "  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n"
        "  mov %r8, %r10\n  mov %r9, %r8\n  mov 8(%rsp), %r9\n"
        "1: syscall\n"
        "winnow_raw_ip:\n  ret\n");

_Noreturn void winnow_leave(int how) {
  CONTROL->running = 0;
  winnow_return(&CONTROL->back, how);
}

/* exit has called every function of the program's own. What libc would do now,
 * with a system call or two, is to write what stdout holds; when the stream
 * does not look plain, or others may hold something too, libc shall do it. */
void winnow_exit_in_runner(int status) {
  const FILE *out = winnow_plain_stdout();
  if (!out || winnow_writes_in_runner()) return;
  CONTROL->answering = 1;
  for (const char *at = out->_IO_write_base; at < out->_IO_write_ptr;)
    at += winnow_print_in_runner((const uint8_t *)at, (uint64_t)(out->_IO_write_ptr - at));
  winnow_leave(LEFT_EXIT | (status & 255));
}

_Noreturn void winnow_end_runner(int status) {
  for (;;) winnow_raw(SYS_exit_group, status);
}

/* ---- Setting up ---- */

static struct winnow_region found[MAX_REGIONS];
static int found_count;
static char *break_before;

extern void (*__fini_array_start[])(int, char **, char **) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(int, char **, char **) __attribute__((weak, visibility("hidden")));

static void *place(void *at, size_t bytes, int protection, int flags, int fd) {
  void *got = winnow_map(at, bytes, protection, flags | MAP_FIXED_NOREPLACE, fd, 0);
  return got == at ? got : NULL;
}

/* The selector becomes a page that a run cannot write and a runner can. */
static int share_selector(void) {
  void *page = (void *)&winnow_selector;
  int fd = (int)keyed(memfd_create, "selector", 1U /* close on exec */);
  if (fd < 0 || sys(ftruncate, fd, WINNOW_PAGE)) return -1;
  if (!place((void *)ALIAS, WINNOW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd)) return -1;
  if (winnow_map(page, WINNOW_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != page) return -1;
  return (int)sys(close, fd);
}

/* winnow_prepare_runners is called by the server, before its first child. */
int winnow_prepare_runners(void) {
  if (share_selector()) return -1;
  found_count = winnow_find_regions(found, MAX_REGIONS - 2); /* the heap and the folder come later */
  break_before = (char *)sys(brk, 0);
  /* The kernel may write to the area of restartable sequences at any moment;
   * functions that the program has run at exit by attribute come after ours. */
  if (found_count < 0 || __rseq_size > 0 || __fini_array_end - __fini_array_start > 1) return -1;
  return place(BOARD, sizeof *BOARD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1) ? 0 : -1;
}

enum { ROOM = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

static int take_input(void) {
  struct winnow_control *c = CONTROL;
  struct stat about;
  if (sys(fstat, 0, &about)) return -1;
  c->input_bytes = (uint64_t)about.st_size;
  if (c->input_bytes && !place((void *)INPUT, c->input_bytes, PROT_READ, MAP_SHARED, 0)) return -1;
  if (c->input_bytes) winnow_fill_input();
  c->first_offset = (uint64_t)sys(lseek, 0, 0, SEEK_CUR);
  return 0;
}

static int list_regions(void) {
  struct winnow_control *c = CONTROL;
  c->first_break = (char *)sys(brk, 0);
  for (int i = 0; i < found_count; i++) c->regions[i] = found[i];
  c->region_count = (uint32_t)found_count;
  char *heap = (char *)(((uintptr_t)break_before + RUNNER_PAGE - 1) & ~(uintptr_t)(RUNNER_PAGE - 1));
  if (c->first_break > heap)
    c->regions[c->region_count++] = (struct winnow_region){heap, (uint32_t)((c->first_break - heap) / RUNNER_PAGE), 0};
  if (winnow_take_folder(&c->regions[c->region_count++])) return -1;
  uint64_t pages = 0;
  for (uint32_t i = 0; i < c->region_count; i++) {
    c->regions[i].first = (uint32_t)pages;
    pages += c->regions[i].pages;
  }
  c->page_count = (uint32_t)pages;
  return pages > MAX_IMAGE_PAGES ? -1 : 0;
}

static int set_up(void) {
  struct winnow_control *c = CONTROL;
  uint64_t store = BOARD->limits.memory / 16;
  if (!place(c, sizeof *c, PROT_READ | PROT_WRITE, ROOM, -1) || list_regions() || take_input()) return -1;
  c->slots = (uint32_t)(store / RUNNER_PAGE);
  c->output_limit = BOARD->limits.output < CAPTURE_BYTES ? (uint32_t)BOARD->limits.output : CAPTURE_BYTES;
  c->decides_floods = BOARD->limits.output <= CAPTURE_BYTES;
  c->self = (int32_t)sys(getpid);
  c->umask = (uint32_t)sys(umask, 0777); /* which tells what it was only where it is changed */
  sys(umask, c->umask);
  c->first_clock = winnow_now_ns();
  c->canary = c->canary_end = CANARY;
  c->at_break = c->first_break;
  c->last_low = c->last_high = 0xfffffffe;
  for (int number = 1; number < MAX_SIGNALS; number++)
    if (sys(rt_sigaction, number, NULL, &c->first_actions[number], 8)) return -1;
  if (!place(CAPTURE, CAPTURE_BYTES, PROT_READ | PROT_WRITE, ROOM, -1) ||
      !place(USUAL, CAPTURE_BYTES, PROT_READ | PROT_WRITE, ROOM, -1) ||
      !place(TABLE, MAX_IMAGE_PAGES * sizeof *TABLE, PROT_READ | PROT_WRITE, ROOM, -1) ||
      !place(HOT, MAX_IMAGE_PAGES * sizeof *HOT, PROT_READ | PROT_WRITE, ROOM, -1) ||
      !place(STORE, (size_t)c->slots * RUNNER_PAGE, PROT_READ | PROT_WRITE, ROOM, -1) ||
      !place(OWN_STACK, OWN_STACK_BYTES, PROT_READ | PROT_WRITE, ROOM, -1))
    return -1;
  return 0;
}

/* ---- Its own order ---- */

static uint64_t seal(void) {
  const uint64_t *words = (const uint64_t *)CONTROL;
  uint64_t sum = 0;
  for (size_t i = 0; i < offsetof(struct winnow_control, seal) / 8; i++) sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ULL;
  return sum;
}

void winnow_seal_runner(void) { CONTROL->seal = seal(); }

void winnow_check_runner(void) {
  const struct winnow_control *c = CONTROL;
  if (c->canary != CANARY || c->canary_end != CANARY || c->seal != seal() || !winnow_image_in_order()) winnow_end_runner(9);
}

/* ---- Runs ---- */

static void hash_captured(struct winnow_reply *reply, int is_original) {
  struct winnow_control *c = CONTROL;
  uint64_t lines = (c->captured + 63) & ~(uint64_t)63;
  winnow_clear(CAPTURE + c->captured, lines - c->captured);
  if (c->usual_known && c->captured == c->usual_bytes && winnow_equal(CAPTURE, USUAL, lines)) {
    reply->length = c->usual_length, reply->hash = c->usual_hash;
    return;
  }
  winnow_hash_bytes(CAPTURE, c->captured, BOARD->trim != 0, reply);
  if (is_original && !c->usual_known) {
    winnow_lay(USUAL, CAPTURE, lines);
    c->usual_bytes = c->captured, c->usual_length = reply->length, c->usual_hash = reply->hash;
    c->usual_known = 1;
  }
}

static void reset_shared(int32_t selector) {
  static const struct winnow_shared nothing;
  winnow_lay(&winnow_shared, &nothing, sizeof nothing);
  winnow_shared.selector = selector;
  winnow_shared.filtered = 1;
  winnow_shared.started = 1;
  winnow_shared.runner = NOTED;
  *ALIAS = selector;
}

static void report(struct winnow_reply *reply, int how) {
  int64_t fuel = BOARD->request.fuel;
  if (how == LEFT_DOUBT) {
    reply->flags = REPLY_UNDECIDED;
    reply->status = CONTROL->call;
    return;
  }
  int status = how & 255; /* as wait gives it: a signal's number, or the exit status a byte higher */
  winnow_name_cause(reply, fuel, 0, (how & ~255) == LEFT_SIGNAL ? status : status << 8,
                    CONTROL->decides_floods && CONTROL->captured >= CONTROL->output_limit);
  reply->work = fuel - winnow_shared.fuel;
  if (winnow_shared.fuel > fuel || winnow_shared.fuel < -1) reply->work = -1;
  if (winnow_by_limit(reply)) return;
  hash_captured(reply, reply->selector == 0);
  winnow_hash_folder(reply);
}

int winnow_make_run(int32_t selector, int64_t fuel) {
  struct winnow_control *c = CONTROL;
  const struct winnow_beginning *from = &c->beginning;
  reset_shared(selector);
  winnow_shared.fuel = fuel - from->work;
  c->captured = from->captured, c->offset = from->stack ? from->offset : c->first_offset, c->clock_base = from->clock_base;
  c->mask = from->mask, c->changed_actions = from->changed_actions;
  for (uint64_t left = from->changed_actions; left; left &= left - 1) {
    int number = __builtin_ctzll(left) + 1;
    c->actions[number] = from->actions[number];
  }
  c->answering = 0, c->full = 0, c->call = -1;
  c->running = 1;
  int how = from->stack ? winnow_resume(&c->back, from->stack) : winnow_enter(&c->back, winnow_stack_top(), winnow_on_program_stack);
  c->running = 0;
  return how;
}

static void run_one(uint32_t i) {
  struct winnow_board *board = BOARD;
  struct winnow_reply reply = {.selector = board->selectors[i], .cause = CAUSE_FAILED};
  board->begun = i + 1;
  if (board->steps[i] > CONTROL->beginning.step + 1) winnow_move_on(board->steps[i] - 1U);
  if (CONTROL->beginning.stack) reply.flags = REPLY_SHARED;
  report(&reply, winnow_make_run(reply.selector, board->request.fuel));
  winnow_restore_image();
  winnow_forget_run();
  board->replies[i] = reply;
  __atomic_store_n(&board->done, i + 1, __ATOMIC_RELEASE);
  if (reply.selector == 0) {
    winnow_check_runner();
    __atomic_store_n(&board->verified, i + 1, __ATOMIC_RELEASE);
  }
}

static void run_all(void) {
  if (winnow_catch_in_runner()) winnow_end_process(7);
  if (winnow_filter_runner()) winnow_end_process(7);
  if (winnow_protect_image()) winnow_end_runner(7);
  winnow_seal_runner();
  for (uint32_t i = BOARD->done; i < BOARD->request.count; i++) run_one(i);
  winnow_end_runner(0);
}

_Noreturn void winnow_runner(void) {
  if (set_up()) winnow_end_process(7);
  static void *never;
  winnow_enter(&never, OWN_STACK + OWN_STACK_BYTES, run_all);
  winnow_end_process(7);
}

#else
int winnow_prepare_runners(void) { return -1; }
_Noreturn void winnow_runner(void) { winnow_end_process(7); }
#endif
