/* Text and words that grow, JSON, and response files. */
#include "helper.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void add(struct text *t, const char *s, size_t n) {
	if (t->len + n + 1 > t->room) {
		t->room = 2 * (t->len + n) + 256;
		t->at = realloc(t->at, t->room);
		if (!t->at) die("memory");
	}
	memcpy(t->at + t->len, s, n);
	t->len += n;
	t->at[t->len] = 0;
}

void put(struct text *t, const char *s) { add(t, s, strlen(s)); }

void quote(struct text *t, const char *s) {
	char hex[8];
	put(t, "\"");
	for (; *s; s++) {
		unsigned char c = *s;
		if (c == '"' || c == '\\') {
			char both[2] = {'\\', (char)c};
			add(t, both, 2);
		} else if (c < 0x20) {
			snprintf(hex, sizeof hex, "\\u%04x", c);
			put(t, hex);
		} else {
			add(t, s, 1);
		}
	}
	put(t, "\"");
}

void field(struct text *t, const char *key, const char *value) {
	put(t, ",\"");
	put(t, key);
	put(t, "\":");
	quote(t, value);
}

void number(struct text *t, const char *key, long long value) {
	char digits[64];
	snprintf(digits, sizeof digits, ",\"%s\":%lld", key, value);
	put(t, digits);
}

void list(struct text *t, const char *key, char **words) {
	put(t, ",\"");
	put(t, key);
	put(t, "\":[");
	for (int i = 0; words[i]; i++) {
		if (i) put(t, ",");
		quote(t, words[i]);
	}
	put(t, "]");
}

void push(struct words *w, char *word) {
	if (w->len + 2 > w->room) {
		w->room = 2 * w->len + 64;
		w->at = realloc(w->at, w->room * sizeof *w->at);
		if (!w->at) die("memory");
	}
	w->at[w->len++] = word;
	w->at[w->len] = NULL;
}

static char *slurp(const char *path) {
	struct text t = {0};
	char block[65536];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return NULL;
	add(&t, "", 0);
	while ((n = read(fd, block, sizeof block)) > 0) add(&t, block, n);
	close(fd);
	return t.at;
}

static int blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* expand adds a word, or the words of the response file that it names, as GNU
 * tools read one: blanks part words, quotes hold them together, a backslash
 * takes the next character as it is. */
void expand(struct words *out, char *word, int depth) {
	char *text = word[0] == '@' && depth < 10 ? slurp(word + 1) : NULL;
	if (!text) {
		push(out, word);
		return;
	}
	for (char *s = text; *s;) {
		struct text t = {0};
		char within = 0;
		while (blank(*s)) s++;
		if (!*s) break;
		add(&t, "", 0);
		for (; *s && (within || !blank(*s)); s++) {
			if (*s == '\\' && s[1]) add(&t, ++s, 1);
			else if (within && *s == within) within = 0;
			else if (!within && (*s == '"' || *s == '\'')) within = *s;
			else add(&t, s, 1);
		}
		expand(out, t.at, depth + 1);
	}
	free(text);
}
