/* For the sandbox without filter and namespaces: a mutant that leaves a daemon
 * behind, and one that kills the server. */
#include "meta.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

SITES(1)

int winnow_program_main(void) {
  SITE(0);
  if (MUTANT(1))
    for (int i = 0; i < 3; i++)
      if (fork() == 0) {
        setsid();
        if (fork() == 0) setsid();
        for (;;) pause();
      }
  if (MUTANT(2)) kill(getppid(), SIGKILL);
  puts(MUTANT(3) ? "wrong" : "right");
  return 0;
}
