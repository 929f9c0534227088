/* What a run printed, as two numbers. */
#include "winnow.h"

/* Offset basis and prime of FNV-1a for 64 bits (Fowler, Noll and Vo). */
#define FNV_BASIS 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

struct normaliser {
  uint64_t hash, length;
  /* White space held back until something that counts follows it: first the
   * blanks and line ends in order, kept as a digest that is either committed
   * or dropped. blank_* are blanks since the last line end. */
  uint64_t line_hash, line_length;   /* with all pending line ends, without blanks */
  uint64_t blank_hash, blank_length; /* the same and the blanks after them */
};

static inline void feed(uint64_t *hash, uint64_t *length, uint8_t byte) {
  *hash = (*hash ^ byte) * FNV_PRIME;
  ++*length;
}

static int is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static void normalise(struct normaliser *n, uint8_t c, int trim) {
  if (trim && c == '\n') {
    /* Blanks before a line end are dropped; the line end itself waits, since
     * it may be among the last of the output. */
    feed(&n->line_hash, &n->line_length, c);
    n->blank_hash = n->line_hash, n->blank_length = n->line_length;
  } else if (trim && is_blank(c)) {
    feed(&n->blank_hash, &n->blank_length, c);
  } else {
    feed(&n->blank_hash, &n->blank_length, c);
    n->hash = n->line_hash = n->blank_hash;
    n->length = n->line_length = n->blank_length;
  }
}

static const struct normaliser nothing_yet = {FNV_BASIS, 0, FNV_BASIS, 0, FNV_BASIS, 0};

void winnow_hash_bytes(const uint8_t *text, uint64_t size, int trim, struct winnow_reply *reply) {
  struct normaliser n = nothing_yet;
  for (uint64_t i = 0; i < size; i++) normalise(&n, text[i], trim);
  reply->hash = n.hash;
  reply->length = n.length;
}

/* Where files are part of a run's behaviour, their length is the output's too, and its
 * hash is that of its own length and hash, and of each file's name, a byte that says
 * whether it is there, and its length and hash (twin: addOutputs in execute/folder.go). */
static void feed_number(struct winnow_reply *reply, uint64_t number) {
  uint64_t fed = 0;
  for (int i = 0; i < 8; i++, number >>= 8) feed(&reply->hash, &fed, (uint8_t)number);
}

void winnow_begin_files(struct winnow_reply *reply) {
  uint64_t hash = reply->hash;
  reply->hash = FNV_BASIS;
  feed_number(reply, reply->length);
  feed_number(reply, hash);
}

void winnow_hash_file(struct winnow_reply *reply, const char *name, const uint8_t *text, uint64_t size, int trim) {
  struct winnow_reply file;
  uint64_t fed = 0;
  for (; *name; name++) feed(&reply->hash, &fed, (uint8_t)*name);
  feed(&reply->hash, &fed, text != NULL);
  if (!text) return;
  winnow_hash_bytes(text, size, trim, &file);
  feed_number(reply, file.length);
  feed_number(reply, file.hash);
  reply->length += file.length;
}

void winnow_hash_output(int fd, uint64_t size, int trim, struct winnow_reply *reply) {
  static uint8_t chunk[65536];
  struct normaliser n = nothing_yet;
  for (uint64_t at = 0; at < size;) {
    ssize_t got = sys(pread64, fd, chunk, sizeof chunk, (off_t)at);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; i++) normalise(&n, chunk[i], trim);
    at += (uint64_t)got;
  }
  reply->hash = n.hash;
  reply->length = n.length;
}
