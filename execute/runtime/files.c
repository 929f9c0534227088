/* Runs that may write files: only in their folder, and only so much.
 *
 * Landlock (Linux 5.13) makes the kernel refuse every change outside of the
 * folder that the server works in, whatever path leads there. Folders, links
 * and devices cannot be made at all, so that what a run leaves is plain files. */
#include "winnow.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* The kernel's interface, which not every libc has headers for. */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
enum { PATH_BENEATH = 1 };
#define MAY_WRITE (1ULL << 1)
#define MAY_REMOVE_FILE (1ULL << 5)
#define MAY_MAKE_FILE (1ULL << 8)
/* Writing, removing and making things: all rights of the first version but
 * executing and reading. */
#define EVERY_CHANGE (0x1fffULL & ~1ULL & ~(1ULL << 2) & ~(1ULL << 3))

struct path_beneath {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

int winnow_keep_in_folder(void) {
  uint64_t handled = EVERY_CHANGE;
  int rules = (int)syscall(CALL_CREATE_RULESET, &handled, sizeof handled, 0);
  int here = (int)sys(openat, AT_FDCWD, ".", O_PATH | O_CLOEXEC);
  struct path_beneath files = {MAY_WRITE | MAY_REMOVE_FILE | MAY_MAKE_FILE, here};
  int failed = rules < 0 || here < 0 || syscall(CALL_ADD_RULE, rules, PATH_BENEATH, &files, 0) ||
               syscall(CALL_RESTRICT_SELF, rules, 0);
  if (rules >= 0) sys(close, rules);
  if (here >= 0) sys(close, here);
  return failed ? -1 : 0;
}

struct entry { /* struct linux_dirent64 */
  uint64_t inode, offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static uint64_t bytes_in(int above, const char *name, int depth) {
  /* A file takes a page even when it is empty, so that their number counts. */
  enum { LEAST = 4096, DEEPEST = 16 };
  char list[4096] __attribute__((aligned(8)));
  uint64_t sum = 0;
  int folder = (int)sys(openat, above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return 0;
  for (long got; (got = sys(getdents64, folder, list, sizeof list)) > 0;) {
    for (long at = 0; at < got;) {
      const struct entry *e = (const struct entry *)(list + at);
      struct stat s;
      at += e->length;
      if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0) continue;
      if (sys(newfstatat, folder, e->name, &s, AT_SYMLINK_NOFOLLOW)) continue;
      sum += LEAST + (uint64_t)s.st_blocks * 512;
      if (S_ISDIR(s.st_mode) && depth < DEEPEST) sum += bytes_in(folder, e->name, depth + 1);
    }
  }
  sys(close, folder);
  return sum;
}

/* The server's working folder is the runs'. */
uint64_t winnow_folder_bytes(void) { return bytes_in(AT_FDCWD, ".", 0); }
