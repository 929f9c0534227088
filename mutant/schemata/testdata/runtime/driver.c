/* Runs a program once a selector, each in a process of its own under limits,
   and prints a line a run: selector, exit status or minus the signal, output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUEL = 10000, OUT_OF_FUEL = 99, MEGABYTE = 1 << 20 };

int64_t winnow_fuel = FUEL;

void winnow_out_of_fuel(void) { _Exit(OUT_OF_FUEL); }

/* Clears an array whose length is known only as the program runs. */
void winnow_clear(void *array, int64_t bytes) { memset(array, 0, bytes > 0 ? (size_t)bytes : 0); }

int32_t winnow_selector;
int winnow_program_main(int argc, char **argv);

static void limit(int resource, rlim_t n) {
  struct rlimit r;
  getrlimit(resource, &r);
  r.rlim_cur = n;
  setrlimit(resource, &r);
}

static void child(int32_t selector, char **argv, int out) {
  dup2(out, 1);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 5);
  limit(RLIMIT_FSIZE, MEGABYTE);
  limit(RLIMIT_STACK, 100 * MEGABYTE);
  limit(RLIMIT_AS, 512 * MEGABYTE);
  winnow_selector = selector;
  winnow_fuel = FUEL;
  exit(winnow_program_main(1, argv));
}

int main(int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) return 1;
    if (pid == 0) {
      close(ends[0]);
      child(atoi(argv[k]), argv, ends[1]);
    }
    close(ends[1]);
    static char text[1 << 16];
    size_t size = 0;
    for (ssize_t n; size < sizeof text && (n = read(ends[0], text + size, sizeof text - size)) > 0;) size += n;
    close(ends[0]);
    int status;
    waitpid(pid, &status, 0);
    printf("%s %d ", argv[k], WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    for (size_t i = 0; i < size; i++) printf("%02x", (unsigned char)text[i]);
    printf("\n");
  }
  return 0;
}
