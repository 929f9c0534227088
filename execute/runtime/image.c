/* The image of a runner: every page that a run may write to. At first all are
 * write-protected; the first write to one faults, and its content is saved
 * before the write is let through. After the run what differs is put back.
 * Pages stay writable as long as runs keep changing them, because a comparison
 * costs a tenth of a fault; and longer those that were written again soon after, as
 * malloc writes errno: with what it was. */
#include "runner.h"

/* The program may define memcpy and its like, and mutate them: these are ours. */
void winnow_lay(void *to, const void *from, size_t bytes) {
#ifdef __x86_64__
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
  for (size_t i = 0; i < bytes; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
#endif
}

void winnow_clear(void *at, size_t bytes) {
#ifdef __x86_64__
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0) : "memory");
#else
  for (size_t i = 0; i < bytes; i++) ((volatile char *)at)[i] = 0;
#endif
}

int winnow_is(const char *text, const char *other) {
  while (*text && *text == *other) text++, other++;
  return *text == *other;
}

#ifdef WINNOW_RUNNERS
#include <fcntl.h>
#include <sys/mman.h>

typedef uint64_t vector __attribute__((vector_size(16), may_alias));

static inline int line_equal(const vector *a, const vector *b) {
  vector x = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
  return (x[0] | x[1]) == 0;
}

static inline int line_zero(const vector *a) {
  vector x = a[0] | a[1] | a[2] | a[3];
  return (x[0] | x[1]) == 0;
}

enum { LINE = 64 };

int winnow_equal(const void *a, const void *b, size_t bytes) {
  const char *x = a, *y = b;
  for (size_t at = 0; at < bytes; at += LINE)
    if (!line_equal((const vector *)(x + at), (const vector *)(y + at))) return 0;
  return 1;
}

/* mend makes a page what it was; says whether it was anything else. */
static int mend(char *page, const char *before) {
  int changed = 0;
  for (size_t at = 0; at < RUNNER_PAGE; at += LINE) {
    vector *now = (vector *)(page + at);
    if (before) {
      const vector *then = (const vector *)(before + at);
      if (line_equal(now, then)) continue;
      now[0] = then[0], now[1] = then[1], now[2] = then[2], now[3] = then[3];
    } else {
      if (line_zero(now)) continue;
      now[0] = now[1] = now[2] = now[3] = (vector){0, 0};
    }
    changed = 1;
  }
  return changed;
}

/* ---- Finding it ---- */

static uint64_t hexadecimal(const char **at) {
  uint64_t value = 0;
  for (;; ++*at) {
    char c = **at;
    if (c >= '0' && c <= '9')
      value = value * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    else
      return value;
  }
}

/* Lists the private writable mappings of this process; -1 when they are too many. */
int winnow_find_regions(struct winnow_region *regions, int max) {
  static char text[1 << 16];
  size_t size = 0;
  long fd = sys(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  for (long got; (got = sys(read, fd, text + size, sizeof text - 1 - size)) > 0;) size += (size_t)got;
  sys(close, fd);
  if (size == 0 || size == sizeof text - 1) return -1;
  text[size] = 0;
  int count = 0;
  for (const char *at = text; *at;) { /* start-end rw-p … */
    char *start = (char *)hexadecimal(&at);
    at++;
    char *end = (char *)hexadecimal(&at);
    if (at[2] == 'w') {
      if (at[4] == 'p' && count == max) return -1;
      if (at[4] == 'p') regions[count++] = (struct winnow_region){start, (uint32_t)((end - start) / RUNNER_PAGE), 0};
    }
    while (*at && *at++ != '\n') {
    }
  }
  return count;
}

int winnow_protect_image(void) {
  struct winnow_control *c = CONTROL;
  for (uint32_t i = 0; i < c->region_count; i++)
    if (winnow_raw(SYS_mprotect, c->regions[i].start, (size_t)c->regions[i].pages * RUNNER_PAGE, (long)PROT_READ)) return -1;
  return 0;
}

/* ---- The first write to a page ---- */

static const struct winnow_region *region_of(const char *address) {
  struct winnow_control *c = CONTROL;
  for (uint32_t i = 0; i < c->region_count; i++) {
    const struct winnow_region *r = &c->regions[i];
    if (address >= r->start && address < r->start + (size_t)r->pages * RUNNER_PAGE) return r;
  }
  return NULL;
}

/* A sum in which every word counts by its place. */
static uint64_t sum_of(const uint64_t *words) {
  uint64_t sum = 0;
  for (int i = 0; i < RUNNER_PAGE / 8; i++) sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ULL;
  return sum;
}

static int save(struct winnow_page *page, const char *at) {
  struct winnow_control *c = CONTROL;
  if (page->saved) return 1;
  int zeroes = 1;
  for (size_t k = 0; k < RUNNER_PAGE && zeroes; k += LINE) zeroes = line_zero((const vector *)(at + k));
  page->slot = ZEROES;
  if (!zeroes) {
    if (c->slots_used == c->slots) return 0;
    page->slot = c->slots_used++;
    uint64_t *slot = STORE + (size_t)page->slot * (RUNNER_PAGE / 8);
    winnow_lay(slot, at, RUNNER_PAGE);
    c->slots_sum += sum_of(slot);
  }
  page->saved = 1;
  return 1;
}

/* Writes that go up or down in memory free more and more pages at a time. */
enum { LONGEST_STRIDE = 64 };

/* A page that many runs changed is kept writable for as many more. */
enum { MOST_PATIENCE = 32 };

/* Twice as much for a page that lay cold for less than its patience; else what a new one has. */
static uint8_t patience_of(const struct winnow_page *page) {
  if (CONTROL->restored - page->cooled > page->patience) return 0;
  return page->patience < MOST_PATIENCE / 2 ? (uint8_t)(2 * page->patience + 1) : MOST_PATIENCE;
}

int winnow_touch(const char *address) {
  struct winnow_control *c = CONTROL;
  const struct winnow_region *r = region_of(address);
  if (!r) return 0;
  uint32_t here = (uint32_t)((address - r->start) / RUNNER_PAGE), low = here, high = here + 1, place = r->first + here;
  if (TABLE[place].hot) return 0;
  int up = place == c->last_high, down = high + r->first == c->last_low;
  c->stride = up || down ? c->stride * 2 : 1;
  if (c->stride > LONGEST_STRIDE) c->stride = LONGEST_STRIDE;
  if (down)
    while (low > 0 && high - low < c->stride && !TABLE[r->first + low - 1].hot) low--;
  else
    while (high < r->pages && high - low < c->stride && !TABLE[r->first + high].hot) high++;
  for (uint32_t k = low; k < high; k++)
    if (!save(&TABLE[r->first + k], r->start + (size_t)k * RUNNER_PAGE)) return c->full = 1, 0;
  if (winnow_raw(SYS_mprotect, r->start + (size_t)low * RUNNER_PAGE, (size_t)(high - low) * RUNNER_PAGE, (long)(PROT_READ | PROT_WRITE)))
    return c->full = 1, 0;
  for (uint32_t k = low; k < high; k++) {
    struct winnow_page *page = &TABLE[r->first + k];
    page->patience = patience_of(page), page->hot = 1, page->idle = 0;
    HOT[c->hot_count].place = r->first + k;
    HOT[c->hot_count++].start = r->start + (size_t)k * RUNNER_PAGE;
  }
  c->last_low = r->first + low, c->last_high = r->first + high;
  return 1;
}

/* ---- Back ---- */

void winnow_restore_image(void) {
  struct winnow_control *c = CONTROL;
  uint32_t kept = 0;
  char *cold = NULL, *cold_end = NULL; /* neighbours are protected in one call */
  for (uint32_t i = 0; i < c->hot_count; i++) {
    struct winnow_hot hot = HOT[i];
    struct winnow_page *page = &TABLE[hot.place];
    if (mend(hot.start, page->slot == ZEROES ? NULL : (const char *)STORE + (size_t)page->slot * RUNNER_PAGE)) {
      page->idle = 0;
      if (page->patience < MOST_PATIENCE) page->patience++;
    } else if (page->idle++ > page->patience) {
      page->hot = 0, page->cooled = c->restored;
      if (hot.start == cold_end) {
        cold_end += RUNNER_PAGE;
      } else if (hot.start + RUNNER_PAGE == cold) {
        cold -= RUNNER_PAGE;
      } else {
        if (cold && winnow_raw(SYS_mprotect, cold, (size_t)(cold_end - cold), (long)PROT_READ)) winnow_end_runner(8);
        cold = hot.start, cold_end = hot.start + RUNNER_PAGE;
      }
      continue;
    }
    HOT[kept++] = hot;
  }
  if (cold && winnow_raw(SYS_mprotect, cold, (size_t)(cold_end - cold), (long)PROT_READ)) winnow_end_runner(8);
  c->hot_count = kept;
  c->restored++;
  c->last_low = c->last_high = 0xfffffffe;
}

/* ---- Another beginning ---- */

static int region_added(char *start, size_t bytes) {
  struct winnow_control *c = CONTROL;
  uint32_t pages = (uint32_t)((bytes + RUNNER_PAGE - 1) / RUNNER_PAGE);
  if ((uintptr_t)start % RUNNER_PAGE || winnow_raw(SYS_mprotect, start, (size_t)pages * RUNNER_PAGE, (long)PROT_READ)) return 0;
  c->regions[c->region_count++] = (struct winnow_region){start, pages, c->page_count};
  c->page_count += pages;
  return 1;
}

/* What is saved of a page, as it is now. */
static void save_again(struct winnow_page *page, const char *at) {
  struct winnow_control *c = CONTROL;
  if (page->slot == ZEROES) {
    page->saved = 0;
    save(page, at); /* there is room: it was counted */
    return;
  }
  uint64_t *slot = STORE + (size_t)page->slot * (RUNNER_PAGE / 8);
  c->slots_sum -= sum_of(slot);
  winnow_lay(slot, at, RUNNER_PAGE);
  c->slots_sum += sum_of(slot);
}

int winnow_keep_image(void) {
  struct winnow_control *c = CONTROL;
  uint64_t pages = c->page_count + ((uint64_t)(c->at_break - c->first_break) + RUNNER_PAGE - 1) / RUNNER_PAGE;
  for (uint32_t i = 0; i < c->mapping_count; i++) pages += (c->mappings[i].bytes + RUNNER_PAGE - 1) / RUNNER_PAGE;
  if (pages > MAX_IMAGE_PAGES || c->region_count + c->mapping_count + 1 > MAX_REGIONS || c->slots_used + c->hot_count > c->slots ||
      (uintptr_t)c->at_break % RUNNER_PAGE || (uintptr_t)c->first_break % RUNNER_PAGE)
    return 0;
  if (c->at_break > c->first_break && !region_added(c->first_break, (size_t)(c->at_break - c->first_break))) winnow_end_runner(8);
  for (; c->mapping_count > 0; c->mapping_count--)
    if (!region_added(c->mappings[c->mapping_count - 1].start, c->mappings[c->mapping_count - 1].bytes)) winnow_end_runner(8);
  c->first_break = c->at_break;
  for (uint32_t i = 0; i < c->hot_count; i++) save_again(&TABLE[HOT[i].place], HOT[i].start);
  return 1;
}

/* What the image is restored from is as it was saved. */
int winnow_image_in_order(void) {
  struct winnow_control *c = CONTROL;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < c->slots_used; k++) sum += sum_of(STORE + (size_t)k * (RUNNER_PAGE / 8));
  return sum == c->slots_sum;
}

#endif
