/* Which files a step may change: those below its work folder, and temporary ones
 * (Landlock). The kernel's constants are spelled out, for there are headers that are
 * older than the kernel. */
#define _GNU_SOURCE
#include "helper.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { create_ruleset = 444, add_rule = 445, restrict_self = 446, path_beneath = 1, version = 1 };

enum {
	execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_dir = 1 << 3,
	make_char = 1 << 6, make_block = 1 << 11, refer = 1 << 13, truncates = 1 << 14,
	first = (1 << 13) - 1, of_files = execute | write_file | read_file | truncates
};

struct rule {
	uint64_t rights;
	int32_t folder;
} __attribute__((packed));

static void allow(int rules, const char *path, uint64_t rights) {
	struct stat about;
	struct rule r = {rights, open(path, O_PATH | O_CLOEXEC)};
	if (r.folder < 0) return; /* what is not there need not be allowed */
	if (!fstat(r.folder, &about) && !S_ISDIR(about.st_mode)) r.rights &= of_files;
	if (syscall(add_rule, rules, path_beneath, &r, 0)) die(path);
	close(r.folder);
}

void bound_files(const char *work) {
	static const char *const temporary[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev/pts", 0};
	static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", 0};
	long known = syscall(create_ruleset, NULL, 0, version);
	uint64_t all = first;
	int rules, i;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) die("giving up new privileges");
	if (known <= 0) return; /* a kernel without: winnow says so (confine.Lacks) */
	if (known >= 2) all |= refer;
	if (known >= 3) all |= truncates;
	rules = syscall(create_ruleset, &all, sizeof all, 0);
	if (rules < 0) die("bounding files");
	allow(rules, "/", execute | read_file | read_dir);
	allow(rules, work, all & ~(make_char | make_block));
	for (i = 0; temporary[i]; i++) allow(rules, temporary[i], all & ~(make_char | make_block));
	for (i = 0; devices[i]; i++) allow(rules, devices[i], read_file | write_file | (all & truncates));
	if (syscall(restrict_self, rules, 0)) die("bounding files");
	close(rules);
}
