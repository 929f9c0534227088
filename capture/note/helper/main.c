/* The helper behind every name that winnow puts in a build's way. What it does
 * follows from the folder that it was started from (package note lays them out):
 *
 *   bin/NAME     a compiler, linker or archiver: runs the real one and notes what
 *                it read and wrote
 *   shell/NAME   the shell of make's recipes: runs the real one and notes the line
 *   driver/test  the test driver of automake: notes the test and says that it passed
 *   driver/env   like env(1), for tests of older automakes: the same
 *   run/launch   takes limits on itself, then runs a command
 *
 * A note is one line of JSON, written to the file "log" by one write(2) with
 * O_APPEND, so that lines of processes that run at once never mix. */
#define _GNU_SOURCE
#include "helper.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char root[4096];
const char *name;

void die(const char *what) {
	fprintf(stderr, "winnow: %s: %s\n", what, strerror(errno));
	_exit(127);
}

long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

const char *base(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

void identify(char id[64], long long began) { snprintf(id, 64, "%d.%llx", (int)getpid(), began); }

/* link_in returns where the link FOLDER/NAME leads, or NULL. */
const char *link_in(const char *folder) {
	static char path[4096];
	char link[4400];
	ssize_t n;
	snprintf(link, sizeof link, "%s/%s/%s", root, folder, name);
	n = readlink(link, path, sizeof path - 1);
	if (n < 0) return NULL;
	path[n] = 0;
	return path;
}

int run(const char *path, char **argv) {
	int status;
	pid_t pid = vfork();
	if (pid == 0) {
		execv(path, argv);
		_exit(127);
	}
	if (pid < 0) die("fork");
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) die("wait");
	return status;
}

/* leave ends as the command did; where that was by a signal, by the same. */
int leave(int status) {
	if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

void begin(struct text *t, const char *kind, char **argv, const char *id) {
	char cwd[4096];
	if (!getcwd(cwd, sizeof cwd)) die("the current folder");
	put(t, "{\"kind\":");
	quote(t, kind);
	field(t, "id", id);
	if (getenv("WINNOW_NOTE_LINE")) field(t, "under", getenv("WINNOW_NOTE_LINE"));
	field(t, "dir", cwd);
	list(t, "argv", argv);
}

/* changed notes the variables that differ from those that the build began with;
 * the file "env" has these, each ended by a zero byte. */
void changed(struct text *t) {
	char path[4200];
	struct words differ = {0};
	struct stat st;
	char *was;
	int fd;
	snprintf(path, sizeof path, "%s/env", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !(was = calloc(1, st.st_size + 1)) || read(fd, was, st.st_size) != st.st_size) die(path);
	close(fd);
	push(&differ, NULL);
	differ.len = 0;
	for (int i = 0; environ[i]; i++) {
		char *w = was, *end = was + st.st_size;
		while (w < end && strcmp(w, environ[i])) w += strlen(w) + 1;
		if (w >= end && !starts(environ[i], "WINNOW_NOTE_")) push(&differ, environ[i]);
	}
	list(t, "env", differ.at);
}

void finish(struct text *t, int status, long long began) {
	char path[4200];
	int fd;
	number(t, "status", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	number(t, "began", began);
	number(t, "ended", now());
	put(t, "}\n");
	snprintf(path, sizeof path, "%s/log", root);
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, t->at, t->len) != (ssize_t)t->len) die(path);
	close(fd);
}

int main(int argc, char **argv) {
	char self[4096], *folder;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0) die("/proc/self/exe");
	(void)argc;
	self[n] = 0;
	name = strdup(base(self));
	*strrchr(self, '/') = 0;
	folder = strdup(base(self));
	*strrchr(self, '/') = 0;
	strcpy(root, self);
	if (!strcmp(folder, "bin")) return tool(argv);
	if (!strcmp(folder, "shell")) return shell(argv);
	if (!strcmp(folder, "run")) return launch(argv);
	if (!strcmp(folder, "driver")) return !strcmp(name, "env") ? driver_env(argv) : driver_test(argv);
	die("started from a folder that is none of the helper's");
}
