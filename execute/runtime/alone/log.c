/* The runtime of a probing or coverage build that is run by itself, as Mart's
 * X.WM and X.COV are: every mutant that is infected (covered) is written once a
 * process, its number in decimal on a line of its own, at the end of the file
 * that MART_WM_LOG_OUTPUT names, or else of one in the current folder. A line is
 * written at once, so that a crash loses none. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern const int32_t winnow_mutants;
extern uint8_t winnow_infected[];
extern uint32_t winnow_infect_counts[] __attribute__((weak));
extern const char winnow_log_name[];

static int log_file(void) {
  static int fd = -1;
  if (fd >= 0) return fd;
  const char *name = getenv("MART_WM_LOG_OUTPUT");
  if (!name || !*name) name = winnow_log_name;
  fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) {
    perror(name);
    _exit(127);
  }
  return fd;
}

void winnow_infect(int32_t first, uint64_t set) {
  char lines[64 * 12];
  int size = 0, error = errno;
  for (int32_t mutant = first; set; set >>= 1, mutant++) {
    if (!(set & 1)) continue;
    if (winnow_infect_counts && winnow_infect_counts[mutant] != UINT32_MAX) winnow_infect_counts[mutant]++;
    if (winnow_infected[mutant]) continue;
    winnow_infected[mutant] = 1;
    size += snprintf(lines + size, sizeof lines - (size_t)size, "%d\n", (int)mutant);
  }
  for (int sent = 0; sent < size;) {
    ssize_t n = write(log_file(), lines + sent, (size_t)(size - sent));
    if (n < 0 && errno != EINTR) break;
    if (n > 0) sent += (int)n;
  }
  errno = error;
}
