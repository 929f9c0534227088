/* Leaves a file, a listener and a waiting process behind, and notices those of the run before. It
 * tries to trace who started it and to write in its memory. With some mutants it kills that, where it can,
 * or leaves a process that is another at each moment. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

int clamp(int x, int low, int high);

int main(int argc, char **argv) {
  (void)argv;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(4000), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (open("/tmp/left", O_CREAT | O_EXCL, 0600) < 0) return 3;
  if (open("left", O_CREAT | O_EXCL, 0600) < 0) return 4;
  if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 1) < 0) return 5;
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  char memory[64];
  snprintf(memory, sizeof memory, "/proc/%d/mem", getppid());
  if (open(memory, O_RDWR) >= 0 || ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0) return 6;
  if (atoi(getenv("WINNOW_MUTANT")) % 16 == 1) {
    if (argc == 2) kill(getppid(), SIGKILL);
    if (argc == 3 && fork() == 0) {
      setsid();
      while (fork() == 0) continue;
      _exit(0);
    }
  }
  printf("%d %d %d\n", clamp(4, 0, 3), clamp(-1, 0, 3), clamp(2, 0, 3));
  return 0;
}
