/* The server's side of a runner: starts it, passes on what it decided, and puts
 * another in its place when it dies or hangs. */
#include "runner.h"

#ifdef WINNOW_RUNNERS
#include <sys/wait.h>
#include <time.h>

/* How often the server looks whether the runner gets on. */
#define LOOK_NS 20000000
/* Deaths of runners in one batch after which a safer tier makes the rest. */
enum { MOST_DEATHS = 8 };

static uint32_t sent;

static void pass_on(uint32_t until) {
  if (until > sent) winnow_write_all(FD_REPLY, BOARD->replies + sent, (until - sent) * sizeof *BOARD->replies);
  if (until > sent) sent = until;
}

static void undecided(uint32_t from, uint32_t until) {
  for (uint32_t i = from; i < until; i++)
    BOARD->replies[i] = (struct winnow_reply){.selector = BOARD->selectors[i], .flags = REPLY_UNDECIDED};
}

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* Waits for the runner's end; one that stays at the same run for the length of
 * the fence is killed. */
static void await(pid_t runner, uint64_t fence) {
  uint64_t ended = (uint64_t)1 << (SIGCHLD - 1), since = winnow_now_ns();
  struct timespec look = {0, LOOK_NS};
  uint32_t at = load(&BOARD->begun);
  for (;;) {
    int status;
    sys(rt_sigtimedwait, &ended, NULL, &look, sizeof ended);
    if (sys(wait4, runner, &status, WNOHANG, NULL) == runner) return;
    uint32_t verified = load(&BOARD->verified), begun = load(&BOARD->begun);
    if (verified <= BOARD->request.count) pass_on(verified);
    if (begun != at) {
      at = begun, since = winnow_now_ns();
    } else if (winnow_now_ns() - since > fence) {
      keyed(kill, runner, SIGKILL);
      sys(wait4, runner, &status, 0, NULL);
      return;
    }
  }
}

int winnow_attend(const struct winnow_request *request, const struct winnow_orders *orders) {
  struct winnow_board *board = BOARD;
  uint32_t count = request->count, at = 0;
  board->request = *request;
  board->limits = *orders->limits;
  board->trim = (uint32_t)orders->trim, board->writable = (uint32_t)orders->writable;
  winnow_lay(board->selectors, orders->selectors, count * sizeof *board->selectors);
  winnow_lay(board->steps, orders->steps, count);
  winnow_lay(board->names, orders->names, request->name_bytes);
  sent = 0;
  for (int deaths = 0; at < count && deaths < MOST_DEATHS; deaths++) {
    board->begun = board->done = board->verified = at;
    static const struct winnow_shared nothing;
    winnow_lay(&winnow_shared, &nothing, sizeof nothing);
    winnow_shared.filtered = 1;
    winnow_shared.server = (int32_t)sys(getpid);
    sys(lseek, 0, 0, SEEK_SET);
    pid_t runner = winnow_start_child(request);
    if (runner == 0) return IN_CHILD;
    if (runner < 0) break;
    await(runner, request->wall_ns);
    uint32_t begun = board->begun, verified = board->verified;
    if (begun > count || verified > begun || verified < sent) return -1; /* overwritten */
    pass_on(verified);
    if (begun == at) break; /* it could not even begin */
    undecided(verified, begun);
    pass_on(begun);
    at = begun;
  }
  undecided(at, count);
  pass_on(count);
  return 0;
}

#else
int winnow_attend(const struct winnow_request *request, const struct winnow_orders *orders) {
  (void)request, (void)orders;
  return -1;
}
#endif
