/* The first process of a step: limits, then the command. */
#include "helper.h"
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit(int what, const char *digits) {
	struct rlimit r;
	r.rlim_cur = r.rlim_max = strtoull(digits, NULL, 10);
	if (r.rlim_cur && setrlimit(what, &r)) die("setting a limit");
}

/* A network of its own has nothing but a loopback device, which is down. */
static void raise_loopback(void) {
	struct ifreq r;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	memset(&r, 0, sizeof r);
	strcpy(r.ifr_name, "lo");
	r.ifr_flags = IFF_UP;
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r)) die("raising the loopback device");
	close(fd);
}

/* The first process of a process namespace inherits every orphan; when it ends,
 * the kernel ends all others. */
static int reap(pid_t first) {
	int status;
	for (;;) {
		pid_t pid = wait(&status);
		if (pid == first) return status;
		if (pid < 0 && errno != EINTR) die("wait");
	}
}

/* launch CPU-SECONDS BYTES WHAT WORK COMMAND...: WHAT is "alone" in namespaces of
 * network, mounts and processes, "quiet" in one of the network, else "open". WORK is the
 * folder below which files may be changed. */
int launch(char **argv) {
	struct rlimit none = {0, 0};
	int alone, status;
	pid_t pid;
	if (!argv[1] || !argv[2] || !argv[3] || !argv[4] || !argv[5]) return 127;
	alone = !strcmp(argv[3], "alone");
	if (alone && (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("proc", "/proc", "proc", 0, NULL))) die("mounting /proc");
	if (alone || !strcmp(argv[3], "quiet")) raise_loopback();
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	limit(RLIMIT_CPU, argv[1]);
	limit(RLIMIT_AS, argv[2]);
	setrlimit(RLIMIT_CORE, &none);
	bound_files(argv[4]);
	argv += 5;
	if (!alone) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	if (pid < 0) die("fork");
	status = reap(pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
