/* Says what signals do at first, sets actions and asks for them; the mutants go
 * on to meet them. Those up to QUIET never have a function of theirs called. */
#include "meta.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SITES(1)

static volatile sig_atomic_t caught;
static void note(int number) { caught = number; }
static void leave(int number) { (void)number; _exit(9); }

static void tell(int number) {
  struct sigaction now;
  memset(&now, 0, sizeof now);
  int got = sigaction(number, NULL, &now);
  printf("%d: %d %d %d %x %d%d%d\n", number, got, got ? errno : 0,
         now.sa_handler == SIG_DFL ? 0 : now.sa_handler == SIG_IGN ? 1 : now.sa_handler == note ? 2 : 3, (unsigned)now.sa_flags,
         sigismember(&now.sa_mask, SIGUSR1), sigismember(&now.sa_mask, SIGKILL), sigismember(&now.sa_mask, SIGTERM));
}

int winnow_program_main(void) {
  SITE(0);
  WORK();
  tell(SIGCHLD), tell(SIGCONT); /* of others the run that notes what is reached has set the action */
  printf("%d %d\n", isatty(0), isatty(1));
  signal(SIGINT, note);
  struct sigaction act = {.sa_handler = note, .sa_flags = SA_RESETHAND | SA_NODEFER};
  sigfillset(&act.sa_mask);
  sigdelset(&act.sa_mask, SIGTERM);
  sigaction(SIGUSR2, &act, NULL);
  signal(SIGHUP, SIG_IGN);
  printf("%d %d\n", signal(SIGINT, SIG_DFL) == note, signal(SIGKILL, note) == SIG_ERR);
  tell(SIGUSR2), tell(SIGINT), tell(SIGHUP);
  switch (winnow_selector) {
  case 1: raise(SIGHUP); printf("ignored\n"); break;
  case 2: raise(SIGINT); break;
  case 3: signal(SIGABRT, SIG_DFL); abort();
  case 4: signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); break;
  case 5: signal(SIGFPE, note); signal(SIGFPE, SIG_DFL); *(volatile int *)16 = 1; break;
  case 6: raise(SIGCHLD); printf("nothing\n"); break;
  case 7: printf("%d %d\n", sigaction(99, &act, NULL), errno); break;
  case 8: signal(SIGCHLD, SIG_IGN); raise(SIGCHLD); raise(SIGURG); break;
  case 9: raise(SIGUSR2); tell(SIGUSR2); printf("caught %d\n", (int)caught); break;
  case 10: signal(SIGSEGV, leave); *(volatile int *)16 = 1; break;
  case 11: signal(SIGABRT, leave); abort();
  case 12: signal(SIGSEGV, SIG_IGN); *(volatile int *)16 = 1; break;
  case 13: signal(SIGFPE, leave); { volatile int zero = 0; zero = 1 / zero; } break;
  case 14: signal(SIGABRT, SIG_IGN); abort();
  }
  return 0;
}
