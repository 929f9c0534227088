/* What make starts: lines of recipes, and the tests of automake. */
#include "helper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* shell runs a line of a recipe. make starts it with --winnow-target=TARGET
 * before its own flags; anybody else means the real shell. */
int shell(char **argv) {
	static const char flag[] = "--winnow-target=";
	struct text t = {0};
	char id[64];
	int status, marked = argv[1] && starts(argv[1], flag);
	long long began = now();
	const char *target = marked ? argv[1] + sizeof flag - 1 : "", *path = link_in("real");
	if (!path) die(name);
	if (marked) argv++;
	argv[0] = (char *)path;
	if (!target[0]) { /* $(shell ...) has no target */
		execv(path, argv);
		die(path);
	}
	identify(id, began);
	begin(&t, "line", argv, id);
	field(&t, "target", target);
	changed(&t);
	setenv("WINNOW_NOTE_LINE", id, 1);
	status = run(path, argv);
	finish(&t, status, began);
	return leave(status);
}

static void note_test(char **argv, const char *target, const char *expect) {
	struct text t = {0};
	char id[64];
	long long began = now();
	identify(id, began);
	begin(&t, "test", argv, id);
	field(&t, "target", target);
	field(&t, "expect", expect);
	changed(&t);
	finish(&t, 0, began);
}

static void write_file(const char *path, const char *text) {
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) die(path);
}

/* driver_test takes the place of automake's test driver
 * (https://www.gnu.org/software/automake/manual, "Command-line arguments for test
 * drivers"): the test is noted, and said to have passed. */
int driver_test(char **argv) {
	const char *test = "", *log = NULL, *trs = NULL, *expect = "pass";
	int i;
	for (i = 1; argv[i] && strcmp(argv[i], "--"); i++) {
		if (!argv[i + 1]) break;
		if (!strcmp(argv[i], "--test-name")) test = argv[++i];
		else if (!strcmp(argv[i], "--log-file")) log = argv[++i];
		else if (!strcmp(argv[i], "--trs-file")) trs = argv[++i];
		else if (!strcmp(argv[i], "--expect-failure")) expect = !strcmp(argv[++i], "yes") ? "fail" : "pass";
	}
	if (!argv[i] || !argv[i + 1] || !log || !trs) {
		fprintf(stderr, "winnow: not the arguments of a test driver\n");
		return 99;
	}
	note_test(argv + i + 1, test, expect);
	write_file(log, "");
	write_file(trs, ":test-result: PASS\n:global-test-result: PASS\n:recheck: no\n:copy-in-global-log: no\n");
	return 0;
}

/* driver_env stands first in TESTS_ENVIRONMENT: variables, then the test. */
int driver_env(char **argv) {
	for (argv++; *argv && strchr(*argv, '=') && **argv != '/' && **argv != '.'; argv++) putenv(*argv);
	if (*argv) note_test(argv, argv[0], "pass");
	return 0;
}
