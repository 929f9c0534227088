/* Runs that may write files: only so much. That they may only in their folder, and
 * plain files, is the launcher's doing (execute/launch_linux.go). */
#include "winnow.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>

/* A file takes a page even when it is empty, so that their number counts. */
enum { LEAST = 4096, DEEPEST = 16, TMPFS = 0x01021994 };

struct entry { /* struct linux_dirent64 */
  uint64_t inode, offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static uint64_t bytes_in(int above, const char *name, int depth) {
  char list[4096] __attribute__((aligned(8)));
  uint64_t sum = 0;
  int folder = (int)sys(openat, above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return 0;
  for (long got; (got = sys(getdents64, folder, list, sizeof list)) > 0;) {
    for (long at = 0; at < got;) {
      const struct entry *e = (const struct entry *)(list + at);
      struct stat s;
      at += e->length;
      if (winnow_is(e->name, ".") || winnow_is(e->name, "..")) continue;
      if (sys(newfstatat, folder, e->name, &s, AT_SYMLINK_NOFOLLOW)) continue;
      sum += LEAST + (uint64_t)s.st_blocks * 512;
      if (S_ISDIR(s.st_mode) && depth < DEEPEST) sum += bytes_in(folder, e->name, depth + 1);
    }
  }
  sys(close, folder);
  return sum;
}

/* The server's working folder is the runs'. A volume knows what it holds, removed files
 * that are still open among it; of a folder, what lies in it is counted. */
uint64_t winnow_folder_bytes(uint32_t volume) {
  struct statfs held;
  if (volume && !sys(statfs, ".", &held) && held.f_type == TMPFS && held.f_bsize == LEAST && held.f_blocks == volume)
    return (held.f_blocks - held.f_bfree + held.f_files - held.f_ffree) * LEAST;
  return bytes_in(AT_FDCWD, ".", 0);
}
