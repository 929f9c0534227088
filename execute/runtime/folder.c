/* The folder of a run, in a runner. What lies in it is read once, before the first run;
 * what runs do to it happens in memory, which is part of the image and so goes back to
 * its beginning with everything else. The kernel's folder stays as it was.
 *
 * Plain files are known here, by names below the folder. Whatever else a run asks for
 * (other places, folders and their lists, copies of descriptors) is in doubt, as is a run
 * that may have written more than it may: a safer tier makes those. */
#include "runner.h"

#ifdef WINNOW_RUNNERS
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
  NAME_BYTES = 128,  /* of a name from the folder, its end among them */
  MOST_FILES = 256,  /* in the folder, removed ones too */
  MOST_OPEN = 64,    /* descriptors: what the launcher limits all runs to */
  FIRST_OPEN = 3,
  MOST_TEXT = 32 << 20, /* bytes of all files, and of what they were before they grew */
  DEEPEST = 8,
};

struct file {
  char name[NAME_BYTES]; /* from the folder; "": it was removed, and may still be open */
  uint8_t *text;
  uint64_t room; /* bytes at text, of which about.st_size count */
  struct stat about;
};

struct descriptor {
  struct file *file; /* NULL: not open */
  uint64_t offset;
  int flags, closed_on_exec;
};

struct folder {
  uint32_t known; /* 0: it holds something else, or too much */
  uint32_t count;
  uint64_t room, taken; /* bytes of text, all and by whatever */
  uint64_t written; /* at most so many bytes has the run added to the folder, as a safer tier counts them */
  struct stat about;
  struct descriptor open[MOST_OPEN];
  struct file files[MOST_FILES];
  uint8_t text[] __attribute__((aligned(RUNNER_PAGE)));
};
#define FOLDER ((struct folder *)FOLDER_PLACE)

static uint64_t whole_pages(uint64_t bytes) { return (bytes + RUNNER_PAGE - 1) & ~(uint64_t)(RUNNER_PAGE - 1); }

static void name_file(struct file *f, const char *name) {
  size_t i = 0;
  for (; name[i] && i < NAME_BYTES - 1; i++) f->name[i] = name[i];
  f->name[i] = 0;
}

static struct file *find(const char *name) {
  for (uint32_t i = 0; i < FOLDER->count; i++)
    if (FOLDER->files[i].name[0] && winnow_is(FOLDER->files[i].name, name)) return &FOLDER->files[i];
  return NULL;
}

/* ---- What is there at first ---- */

struct entry { /* struct linux_dirent64 */
  uint64_t inode, offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

static int read_file(struct file *f) {
  uint64_t size = (uint64_t)f->about.st_size, room = whole_pages(size);
  if (size > FOLDER->room || FOLDER->taken + room > FOLDER->room) return 0;
  f->text = FOLDER->text + FOLDER->taken, f->room = room;
  FOLDER->taken += room;
  long fd = sys(openat, AT_FDCWD, f->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return 0;
  uint64_t at = 0;
  for (long got; at < size && (got = sys(read, fd, f->text + at, size - at)) > 0;) at += (uint64_t)got;
  sys(close, fd);
  return at == size;
}

static int join(char *to, const char *above, const char *name) {
  size_t at = 0;
  for (; *above; above++) to[at++] = *above;
  if (at) to[at++] = '/';
  for (; *name; name++) {
    if (at == NAME_BYTES - 1) return 0;
    to[at++] = *name;
  }
  to[at] = 0;
  return 1;
}

/* 0: not all of it can be known. */
static int read_folder(const char *name, int depth) {
  char list[2048] __attribute__((aligned(8)));
  long fd = sys(openat, AT_FDCWD, *name ? name : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), got = 0;
  if (fd < 0) return 0;
  int whole = 1;
  while (whole && (got = sys(getdents64, fd, list, sizeof list)) > 0) {
    for (long at = 0; whole && at < got;) {
      const struct entry *e = (const struct entry *)(list + at);
      at += e->length;
      if (winnow_is(e->name, ".") || winnow_is(e->name, "..")) continue;
      if (FOLDER->count == MOST_FILES) return 0;
      struct file *f = &FOLDER->files[FOLDER->count];
      whole = join(f->name, name, e->name) && !sys(newfstatat, AT_FDCWD, f->name, &f->about, AT_SYMLINK_NOFOLLOW);
      FOLDER->count++;
      if (whole && S_ISDIR(f->about.st_mode))
        whole = depth < DEEPEST && read_folder(f->name, depth + 1);
      else if (whole)
        whole = S_ISREG(f->about.st_mode) && read_file(f);
    }
  }
  sys(close, fd);
  return whole && got == 0;
}

/* The folder becomes one more region of the image. */
int winnow_take_folder(struct winnow_region *region) {
  uint64_t room = whole_pages(BOARD->limits.memory / 16); /* like what is saved of pages */
  if (room > MOST_TEXT) room = MOST_TEXT;
  size_t bytes = sizeof *FOLDER + room;
  if (winnow_map(FOLDER, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != (void *)FOLDER) return -1;
  FOLDER->room = room;
  FOLDER->known = !sys(newfstatat, AT_FDCWD, ".", &FOLDER->about, 0) && read_folder("", 0);
  *region = (struct winnow_region){(char *)FOLDER, (uint32_t)(bytes / RUNNER_PAGE), 0};
  return 0;
}

/* ---- Names ---- */

/* Finds the file of a path. 0, or what the kernel says when it does not come so far that
 * it could be there; found is NULL when it could and is not. */
static long look_up(const char *path, char *name, struct file **found) {
  size_t at = 0;
  if (!FOLDER->known) winnow_doubt();
  if (!*path) return -ENOENT;
  if (*path == '/') winnow_doubt();
  for (;;) {
    while (*path == '/') path++;
    size_t part = 0;
    while (path[part] && path[part] != '/') part++;
    int is_here = part == 1 && path[0] == '.';
    if (part == 0 || (part == 2 && path[0] == '.' && path[1] == '.')) winnow_doubt(); /* it ends with a slash, or leads up */
    if (!is_here) {
      if (at + part + 2 > NAME_BYTES) winnow_doubt();
      if (at) name[at++] = '/';
      for (size_t i = 0; i < part; i++) name[at++] = path[i];
    }
    name[at] = 0;
    path += part;
    if (!*path) break;
    const struct file *above = at ? find(name) : NULL;
    if (at && !above) return -ENOENT;
    if (above && !S_ISDIR(above->about.st_mode)) return -ENOTDIR;
  }
  if (!at) winnow_doubt();
  *found = find(name);
  return 0;
}

static int is_folder(const struct file *f) { return S_ISDIR(f->about.st_mode); }

/* ---- Descriptors ---- */

static struct descriptor *opened(int fd) {
  struct descriptor *d = fd >= FIRST_OPEN && fd < MOST_OPEN ? &FOLDER->open[fd] : NULL;
  return d && d->file ? d : NULL;
}

/* The streams are not files of the folder. */
static long not_open(int fd) {
  if (fd >= 0 && fd < FIRST_OPEN) winnow_doubt();
  return -EBADF;
}

static int writes(const struct descriptor *d) { return (d->flags & O_ACCMODE) != O_RDONLY; }

enum {
  LARGE = 0100000, /* O_LARGEFILE of the kernel */
  KNOWN_FLAGS = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | LARGE,
  CHANGING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, /* as in execute/filter_linux.go */
};

/* What a run adds to its folder is counted so that it is no less than what a safer tier
 * would count: only that one knows when it was too much. */
static void count_written(uint64_t bytes) {
  FOLDER->written += bytes;
  if (FOLDER->written > BOARD->limits.output) winnow_doubt();
}

static struct file *create(const char *name, uint32_t mode) {
  if (FOLDER->count == MOST_FILES || (mode & 0600) != 0600) winnow_doubt();
  count_written(RUNNER_PAGE);
  struct file *f = &FOLDER->files[FOLDER->count++];
  name_file(f, name);
  f->about = FOLDER->about;
  f->about.st_mode = S_IFREG | (mode & 0777 & ~CONTROL->umask);
  f->about.st_ino += FOLDER->count;
  f->about.st_nlink = 1;
  f->about.st_size = 0;
  return f;
}

long winnow_open_in_runner(const char *path, int flags, uint32_t mode) {
  char name[NAME_BYTES];
  struct file *f;
  if (flags & ~KNOWN_FLAGS || (flags & O_ACCMODE) == O_ACCMODE) winnow_doubt();
  if (flags & CHANGING && !BOARD->writable) return -EROFS;
  if (flags & O_TRUNC && (flags & O_ACCMODE) == O_RDONLY) return -EROFS;
  int fd = FIRST_OPEN;
  while (fd < MOST_OPEN && FOLDER->open[fd].file) fd++;
  long failed = look_up(path, name, &f);
  if (fd == MOST_OPEN) return -EMFILE;
  if (failed) return failed;
  if (f && is_folder(f)) winnow_doubt();
  if (f && flags & O_CREAT && flags & O_EXCL) return -EEXIST;
  if (!f && !(flags & O_CREAT)) return -ENOENT;
  if (!f) f = create(name, mode);
  if (flags & O_TRUNC) f->about.st_size = 0;
  FOLDER->open[fd] = (struct descriptor){f, 0, flags, (flags & O_CLOEXEC) != 0};
  return fd;
}

long winnow_close_in_runner(int fd) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  d->file = NULL;
  return 0;
}

long winnow_control_in_runner(int fd, int what, long with) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  if (what == F_GETFL) return (d->flags & (O_ACCMODE | O_APPEND)) | LARGE;
  if (what == F_GETFD) return d->closed_on_exec ? FD_CLOEXEC : 0;
  if (what != F_SETFD) winnow_doubt();
  d->closed_on_exec = (with & FD_CLOEXEC) != 0;
  return 0;
}

int winnow_writes_in_runner(void) {
  for (int fd = FIRST_OPEN; fd < MOST_OPEN; fd++)
    if (FOLDER->open[fd].file && writes(&FOLDER->open[fd])) return 1;
  return 0;
}

/* 0, for what asks nothing more of a file. */
long winnow_is_open_in_runner(int fd) { return opened(fd) ? 0 : not_open(fd); }

/* ---- What they hold ---- */

long winnow_read_in_runner(int fd, uint8_t *to, uint64_t bytes, int64_t from) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  if ((d->flags & O_ACCMODE) == O_WRONLY) return -EBADF;
  uint64_t at = from == HERE ? d->offset : (uint64_t)from, size = (uint64_t)d->file->about.st_size;
  uint64_t left = at < size ? size - at : 0;
  if (bytes > left) bytes = left;
  winnow_lay(to, d->file->text + at, bytes);
  if (from == HERE) d->offset += bytes;
  return (long)bytes;
}

/* Makes a file as long, with zeroes where it was not. */
static void lengthen(struct file *f, uint64_t size) {
  uint64_t before = (uint64_t)f->about.st_size;
  if (size > BOARD->limits.output) winnow_doubt(); /* where it may end with a signal */
  if (size > f->room) {
    uint64_t room = whole_pages(size < 2 * f->room ? 2 * f->room : size);
    if (room > FOLDER->room || FOLDER->taken + room > FOLDER->room) winnow_doubt();
    count_written(room);
    uint8_t *text = FOLDER->text + FOLDER->taken;
    FOLDER->taken += room;
    winnow_lay(text, f->text, before);
    f->text = text, f->room = room;
  }
  if (size > before) winnow_clear(f->text + before, size - before);
  f->about.st_size = (off_t)size;
}

long winnow_write_in_runner(int fd, const uint8_t *text, uint64_t bytes, int64_t to) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  if (!writes(d)) return -EBADF;
  struct file *f = d->file;
  uint64_t size = (uint64_t)f->about.st_size;
  uint64_t at = d->flags & O_APPEND ? size : to == HERE ? d->offset : (uint64_t)to;
  if (bytes == 0) return 0;
  if (bytes > MOST_TEXT || at > MOST_TEXT) winnow_doubt();
  if (at + bytes > BOARD->limits.output) winnow_doubt();
  if (at > size) lengthen(f, at);
  if (at + bytes > (uint64_t)f->about.st_size) lengthen(f, at + bytes);
  winnow_lay(f->text + at, text, bytes);
  if (to == HERE) d->offset = at + bytes;
  return (long)bytes;
}

long winnow_seek_in_runner(int fd, int64_t by, int from) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  if (from < SEEK_SET || from > SEEK_END || by > INT32_MAX || by < INT32_MIN) winnow_doubt();
  int64_t at = by + (from == SEEK_SET ? 0 : from == SEEK_CUR ? (int64_t)d->offset : (int64_t)d->file->about.st_size);
  if (at < 0) return -EINVAL;
  d->offset = (uint64_t)at;
  return at;
}

long winnow_cut_in_runner(int fd, int64_t size) {
  struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  if (size < 0 || !writes(d)) return -EINVAL;
  if (size > (int64_t)d->file->about.st_size)
    lengthen(d->file, (uint64_t)size);
  else
    d->file->about.st_size = size;
  return 0;
}

/* ---- What is said of them ---- */

static long tell(const struct file *f, struct stat *to) {
  struct stat about = f->about;
  about.st_blocks = (blkcnt_t)(whole_pages((uint64_t)about.st_size) / 512);
  if (!f->name[0]) about.st_nlink = 0;
  winnow_lay(to, &about, sizeof about);
  return 0;
}

long winnow_tell_open_in_runner(int fd, struct stat *to) {
  const struct descriptor *d = opened(fd);
  if (!d) return not_open(fd);
  return tell(d->file, to);
}

long winnow_tell_in_runner(const char *path, struct stat *to) {
  char name[NAME_BYTES];
  struct file *f;
  long failed = look_up(path, name, &f);
  if (failed) return failed;
  if (f && is_folder(f)) winnow_doubt();
  return f ? tell(f, to) : -ENOENT;
}

long winnow_may_in_runner(const char *path, int what) {
  char name[NAME_BYTES];
  struct file *f;
  long failed = look_up(path, name, &f);
  if (failed) return failed;
  if (!f) return -ENOENT;
  if (is_folder(f) || what & ~(R_OK | W_OK)) winnow_doubt();
  return 0;
}

/* ---- Names that go and change ---- */

long winnow_remove_in_runner(const char *path) {
  char name[NAME_BYTES];
  struct file *f;
  if (!BOARD->writable) return -EPERM; /* the filter's answer */
  long failed = look_up(path, name, &f);
  if (failed) return failed;
  if (!f) return -ENOENT;
  if (is_folder(f)) winnow_doubt();
  f->name[0] = 0;
  return 0;
}

static size_t folder_length(const char *name) {
  size_t length = 0;
  for (size_t i = 0; name[i]; i++)
    if (name[i] == '/') length = i;
  return length;
}

long winnow_rename_in_runner(const char *from, const char *to) {
  char before[NAME_BYTES], after[NAME_BYTES];
  struct file *f, *replaced;
  if (!BOARD->writable) return -EPERM;
  long failed = look_up(from, before, &f);
  if (failed) return failed;
  failed = look_up(to, after, &replaced);
  if (failed) return failed;
  if (!f) return -ENOENT;
  size_t length = folder_length(before);
  if (is_folder(f) || (replaced && is_folder(replaced)) || folder_length(after) != length) winnow_doubt();
  for (size_t i = 0; i < length; i++)
    if (before[i] != after[i]) winnow_doubt(); /* from folder to folder is another right */
  if (f == replaced) return 0;
  if (replaced) replaced->name[0] = 0;
  name_file(f, after);
  return 0;
}

/* ---- What a run wrote, as its behaviour ---- */

void winnow_hash_folder(struct winnow_reply *reply) {
  if (!BOARD->request.name_bytes) return;
  winnow_begin_files(reply);
  const char *name = BOARD->names;
  while (name < BOARD->names + BOARD->request.name_bytes) {
    const struct file *f = find(name);
    if (f && !is_folder(f))
      winnow_hash_file(reply, name, f->text ? f->text : (const uint8_t *)"", (uint64_t)f->about.st_size, BOARD->trim != 0);
    else
      winnow_hash_file(reply, name, NULL, 0, 0);
    while (*name++) {
    }
  }
}

#endif
