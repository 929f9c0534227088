/* What the parts of the helper share. main.c says what the helper is. */
#include <stddef.h>

extern char root[]; /* the folder that holds bin, shell, ..., and the log */
extern const char *name; /* the name that the helper was started by */

/* Text that grows; always ended by a zero byte once something was added. */
struct text {
	char *at;
	size_t len, room;
};

void add(struct text *t, const char *s, size_t n);
void put(struct text *t, const char *s);
void quote(struct text *t, const char *s);
void field(struct text *t, const char *key, const char *value);
void number(struct text *t, const char *key, long long value);
void list(struct text *t, const char *key, char **words);

/* Words of a command line that grows; always ended by a null pointer. */
struct words {
	char **at;
	int len, room;
};

void push(struct words *w, char *word);
void expand(struct words *out, char *word, int depth);

void bound_files(const char *work);

void die(const char *what);
const char *base(const char *path);
int starts(const char *s, const char *with);

/* A note: begin, any fields, and finish, which writes it to the log. */
void begin(struct text *t, const char *kind, char **argv, const char *id);
void changed(struct text *t);
void finish(struct text *t, int status, long long began);

long long now(void);
void identify(char id[64], long long began);
const char *link_in(const char *folder);
int run(const char *path, char **argv);
int leave(int status);

int tool(char **argv);
int shell(char **argv);
int driver_test(char **argv);
int driver_env(char **argv);
int launch(char **argv);
