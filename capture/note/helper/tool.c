/* The names of compilers, linkers and archivers. */
#include "helper.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* holds_code says whether a file begins as objects, programs and archives do. */
static int holds_code(const unsigned char *at, ssize_t n) {
	return n > 7 && (!memcmp(at, "\177ELF", 4) || !memcmp(at, "!<arch>", 7) || !memcmp(at, "!<thin>", 7));
}

/* file adds an object, program or archive to a list: its path, and a hash of
 * what it holds, by which it is known again when the build has renamed it. */
static int file(struct text *t, const char *path, int first) {
	static unsigned char block[1 << 16];
	unsigned long long h = 1469598103934665603ULL, w;
	long long size = 0;
	ssize_t n;
	struct stat st;
	char digits[80];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return 0;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return 0;
	}
	while ((n = read(fd, block, sizeof block)) > 0) {
		if (!size && !holds_code(block, n)) break;
		size += n;
		memset(block + n, 0, n % 8 ? 8 - n % 8 : 0);
		for (ssize_t i = 0; i < n; i += 8) {
			memcpy(&w, block + i, 8);
			h = (h ^ w) * 0x9E3779B97F4A7C15ULL;
			h ^= h >> 32;
		}
	}
	close(fd);
	if (!size) return 0;
	put(t, first ? "{\"path\":" : ",{\"path\":");
	quote(t, path);
	snprintf(digits, sizeof digits, ",\"hash\":\"%016llx-%llx\"}", h, size);
	put(t, digits);
	return 1;
}

static void inputs(struct text *t, char **argv) {
	int n = 0;
	put(t, ",\"in\":[");
	for (int i = 1; argv[i]; i++)
		if (argv[i][0] != '-') n += file(t, argv[i], !n);
	put(t, "]");
}

/* written notes what a compiler or linker has made: what -o names, or what it
 * calls its output itself. */
static void written(struct text *t, char **argv) {
	int n = 0, named = 0, stops = 0;
	char path[4096];
	put(t, ",\"out\":[");
	for (int i = 1; argv[i]; i++) {
		stops |= !strcmp(argv[i], "-c");
		if (!starts(argv[i], "-o")) continue;
		named = 1;
		if (argv[i][2]) n += file(t, argv[i] + 2, !n);
		else if (argv[i + 1]) n += file(t, argv[i + 1], !n);
	}
	if (!named && !stops) n += file(t, "a.out", !n);
	for (int i = 1; !named && stops && argv[i]; i++) {
		const char *dot = strrchr(base(argv[i]), '.');
		if (argv[i][0] == '-' || !dot) continue;
		snprintf(path, sizeof path, "%.*s.o", (int)(dot - base(argv[i])), base(argv[i]));
		n += file(t, path, !n);
	}
	put(t, "]");
}

/* changed_files notes what an archiver or strip has left: each file that it was
 * given, as it is now. */
static void changed_files(struct text *t, char **argv) {
	int n = 0;
	put(t, ",\"out\":[");
	for (int i = 1; argv[i]; i++)
		if (argv[i][0] != '-') n += file(t, argv[i], !n);
	put(t, "]");
}

/* asks_only says whether a call makes nothing that belongs to the project: a
 * question to the tool, or a probe of configure, CMake or Meson. */
static int asks_only(char **argv) {
	char cwd[4096] = "";
	int files = 0;
	for (int i = 1; argv[i]; i++) {
		if (starts(base(argv[i]), "conftest") || strstr(argv[i], "/CMakeScratch/") || strstr(argv[i], "/meson-private/")) return 1;
		files += argv[i][0] != '-' || argv[i][1] == 0;
	}
	if (!files || !getcwd(cwd, sizeof cwd)) return 1;
	return strstr(cwd, "/CMakeFiles/CMakeTmp") || strstr(cwd, "/CMakeFiles/CMakeScratch") || strstr(cwd, "/CompilerId") ||
	       strstr(cwd, "/meson-private");
}

/* Variables that change what a compiler or linker does. */
static const char *const heard[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
	"COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_RUN_PATH", "SOURCE_DATE_EPOCH"};

static void heard_variables(struct text *t) {
	static char *found[sizeof heard / sizeof *heard + 1];
	int n = 0;
	for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
		struct text v = {0};
		if (!getenv(heard[i])) continue;
		put(&v, heard[i]);
		put(&v, "=");
		put(&v, getenv(heard[i]));
		found[n++] = v.at;
	}
	list(t, "env", found);
}

/* without_sanitizers takes sanitizers from a compiler's arguments: what they check is no part of the
 * program, and they need more memory than a run is given. The fuzzer's brings the main function. */
static void without_sanitizers(char **argv) {
	int n = 1;
	for (int i = 1; argv[i]; i++)
		if (!starts(argv[i], "-fsanitize=") || strstr(argv[i], "fuzzer")) argv[n++] = argv[i];
	argv[n] = NULL;
}

int tool(char **argv) {
	struct words all = {0};
	struct text t = {0};
	char id[64];
	int status;
	long long began = now();
	const char *compiler = link_in("compiler"), *path = compiler ? compiler : link_in("binutil");
	if (!path) die(name);
	argv[0] = (char *)path;
	for (int i = 0; argv[i]; i++) expand(&all, argv[i], 0);
	if (compiler) without_sanitizers(argv);
	/* A tool that another tool starts, as ccache and collect2 do, is part of it. */
	if (getenv("WINNOW_NOTE_INSIDE") || asks_only(all.at)) {
		setenv("WINNOW_NOTE_INSIDE", "1", 1);
		execv(path, argv);
		die(path);
	}
	all.at[0] = (char *)name;
	identify(id, began);
	begin(&t, compiler ? "compiler" : "binutil", all.at, id);
	heard_variables(&t);
	inputs(&t, all.at);
	setenv("WINNOW_NOTE_INSIDE", "1", 1);
	status = run(path, argv);
	if (compiler) written(&t, all.at);
	else changed_files(&t, all.at);
	finish(&t, status, began);
	return leave(status);
}
