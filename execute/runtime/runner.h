/* Shared by the parts of a runner. All that must outlive a run lies at fixed
 * addresses far from the program, each part between guards, because everything
 * else that is writable goes back to its beginning after every run. */
#ifndef WINNOW_RUNNER_H
#define WINNOW_RUNNER_H
#include "winnow.h"

#ifdef __x86_64__
#define WINNOW_RUNNERS 1

#include <signal.h>

/* ---- The places ---- */
#define PLACE(n) ((char *)(0x100000000000ULL + (n) * 0x10000000000ULL))
#define CONTROL ((struct winnow_control *)PLACE(0))
#define BOARD ((struct winnow_board *)PLACE(1))
#define CAPTURE ((uint8_t *)PLACE(2)) /* what the run prints */
#define USUAL ((uint8_t *)PLACE(3))   /* what the original prints */
#define INPUT ((const uint8_t *)PLACE(4))
#define ALIAS ((volatile int32_t *)PLACE(5)) /* the selector's page, writable */
#define TABLE ((struct winnow_page *)PLACE(6))
#define HOT ((struct winnow_hot *)PLACE(7))
#define STORE ((uint64_t *)PLACE(8)) /* pages as they were */
#define OWN_STACK PLACE(9)
#define FOLDER_PLACE PLACE(10) /* what lies in the runs' folder; part of the image */
#define LAST_PLACE PLACE(11)

enum {
  RUNNER_PAGE = 4096,
  CAPTURE_BYTES = 16 << 20, /* where a run may print more, that is a safer tier's business */
  OWN_STACK_BYTES = 128 << 10,
  ALTERNATE_BYTES = 64 << 10,
  MAX_REGIONS = 64,
  MAX_MAPPINGS = 64,
  /* Memory that a run may map beyond what the first one began with. */
  EXTRA_BYTES = 64 << 20,
  MAX_IMAGE_PAGES = (512 << 20) / RUNNER_PAGE,
};

/* ---- What server and runner share ---- */
enum { RUNNER_DONE = 0x646f6e65 };

struct winnow_board {
  struct winnow_request request;
  struct winnow_limits limits;
  uint32_t trim, writable;
  char names[MAX_NAME_BYTES]; /* of the files that are part of a run's behaviour */
  /* Runs before begun have started, those before done have a reply, and for
   * those before verified the runner has found itself in order since. */
  uint32_t begun, done, verified;
  int32_t selectors[MAX_SELECTORS];
  uint8_t steps[MAX_SELECTORS]; /* of the selectors, as the request has them */
  struct winnow_reply replies[MAX_SELECTORS];
};

/* ---- The image: all that a run may write to ---- */
struct winnow_region {
  char *start;
  uint32_t pages, first; /* first: its place in TABLE */
};

/* A page is cold (write-protected, and as it was) or hot (to be restored). */
struct winnow_page {
  uint32_t slot;      /* where STORE keeps it, in pages; ZEROES: nowhere */
  uint8_t hot;
  uint8_t saved;      /* slot is valid */
  uint8_t patience, idle; /* so many runs may leave it as it is before it is cold again, and did */
  uint32_t cooled;        /* when that was, in times that the image was restored */
};
#define ZEROES 0xffffffffU

struct winnow_hot {
  char *start;
  uint32_t place; /* in TABLE */
};

struct winnow_mapping {
  char *start;
  size_t bytes;
};

enum { MAX_SIGNALS = 32 };

/* Where runs begin: at first with the program's main, later where the original
 * paused. What a run has asked of the kernel until then is part of it. */
struct winnow_beginning {
  void *stack;   /* of the paused run; NULL: main */
  uint32_t step; /* steps of the original that are over */
  int64_t work;  /* what they took */
  uint64_t captured, offset, clock_base, mask, changed_actions, extra;
  struct winnow_action actions[MAX_SIGNALS];
};

struct winnow_control {
  uint64_t canary;
  /* Constant while runs begin at the same place; under seal. */
  struct winnow_beginning beginning;
  struct winnow_region regions[MAX_REGIONS];
  uint32_t region_count, page_count;
  uint32_t slots; /* capacity of STORE */
  uint64_t input_bytes, first_offset, first_clock;
  char *first_break;
  int32_t self;
  uint32_t umask;
  uint32_t output_limit; /* bytes that one run may print here */
  uint32_t decides_floods; /* it may print no more anywhere */
  struct winnow_action first_actions[MAX_SIGNALS];
  uint64_t seal;
  /* The image's state. */
  uint32_t slots_used, hot_count;
  uint64_t slots_sum;
  uint32_t last_low, last_high, stride; /* the pages that the last fault freed, in TABLE */
  uint32_t restored; /* how often */
  /* The run in hand. */
  void *back; /* the runner's stack pointer */
  int running, answering;
  int pausing;  /* it stops where its fuel ends, to go on later */
  void *paused; /* its stack pointer there */
  int alone;    /* the beginning stays where it is: it could not be moved */
  int32_t call; /* the system call that it last made, -1: none */
  int full; /* no room to save another page: the run is in doubt */
  uint64_t captured, offset, clock_base, mask;
  uint64_t changed_actions; /* the signals whose action the run has set, as bits */
  struct winnow_action actions[MAX_SIGNALS];
  char *at_break;
  struct winnow_mapping mappings[MAX_MAPPINGS];
  uint32_t mapping_count;
  uint64_t extra;
  /* The original on this test, to spare the hash of equal outputs. */
  int usual_known;
  uint64_t usual_bytes, usual_length, usual_hash;
  uint64_t scratch[32];
  char alternate[ALTERNATE_BYTES] __attribute__((aligned(64)));
  uint64_t canary_end;
};
#define CANARY 0x8d1f6a2b94c3e057ULL

/* How a run in a runner ended. */
enum { LEFT_EXIT = 1 << 8, LEFT_SIGNAL = 2 << 8, LEFT_DOUBT = 3 << 8, LEFT_PAUSED = 4 << 8 };

/* runner.c */
_Noreturn void winnow_leave(int how);
_Noreturn void winnow_end_runner(int status);
int winnow_make_run(int32_t selector, int64_t fuel); /* from the beginning; how it ended */
void winnow_check_runner(void);
void winnow_seal_runner(void);
/* The kernel by the one instruction that the runner's filter lets through. */
long winnow_raw(long number, ...);
extern const char winnow_raw_ip[];
void winnow_restorer(void);
#define WINNOW_HAS_RESTORER 0x04000000

/* image.c */
int winnow_find_regions(struct winnow_region *regions, int max);
int winnow_protect_image(void);
int winnow_touch(const char *address); /* 1: a cold page, now writable */
void winnow_restore_image(void);
int winnow_keep_image(void); /* what is in memory now is the beginning; 0: no room, nothing is changed */
int winnow_image_in_order(void);
int winnow_equal(const void *a, const void *b, size_t bytes); /* multiples of 64 bytes */

/* child.c */
extern char winnow_input_buffer[]; /* of stdin */
void winnow_fill_input(void);      /* reads the first of the input into it */
int winnow_input_waits(void);      /* it holds bytes that nobody took yet */
const struct _IO_FILE *winnow_plain_stdout(void); /* NULL: not as it is at first, but for what it holds */

/* share.c */
int winnow_resume(void **back, void *at);
void winnow_move_on(uint32_t step);

/* calls.c */
int winnow_catch_in_runner(void);
long winnow_print_in_runner(const uint8_t *text, uint64_t bytes);
void winnow_forget_run(void); /* gives back what the run mapped */
_Noreturn void winnow_doubt(void); /* a safer tier is to make the run */

/* folder.c: what the kernel would answer */
struct stat;
enum { HERE = -1 /* at the descriptor's offset, which moves on */ };
int winnow_take_folder(struct winnow_region *region);
long winnow_open_in_runner(const char *path, int flags, uint32_t mode);
long winnow_close_in_runner(int fd);
long winnow_is_open_in_runner(int fd);
int winnow_writes_in_runner(void); /* a file is open for writing */
long winnow_control_in_runner(int fd, int what, long with);
long winnow_read_in_runner(int fd, uint8_t *to, uint64_t bytes, int64_t from);
long winnow_write_in_runner(int fd, const uint8_t *text, uint64_t bytes, int64_t to);
long winnow_seek_in_runner(int fd, int64_t by, int from);
long winnow_cut_in_runner(int fd, int64_t size);
long winnow_tell_open_in_runner(int fd, struct stat *to);
long winnow_tell_in_runner(const char *path, struct stat *to);
long winnow_may_in_runner(const char *path, int what);
long winnow_remove_in_runner(const char *path);
long winnow_rename_in_runner(const char *from, const char *to);
void winnow_hash_folder(struct winnow_reply *reply);

#endif
#endif
