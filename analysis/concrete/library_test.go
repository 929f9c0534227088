package concrete_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/ir/clang"
)

const headers = `#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { char tag; int number; double weight; };
static int primes[] = {2, 3, 5, 7, 11};
static const char *names[] = {"zero", "one", "two"};
static struct pair pairs[] = {{'a', 4, 1.5}, {'b', -4, 2.5}};
static int cleared[20];
static int upwards(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int byNumber(const void *a, const void *b) { return ((const struct pair *)a)->number - ((const struct pair *)b)->number; }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
static int apply(int (*f)(int), int x) { return f(x); }
static int square(int x) { return x * x; }
static float single(float x) { return x / 3; }
`

var bodies = []string{
	"char s[20]; strcpy(s, \"hello\"); strcat(s, \", you\"); return strlen(s) * 100 + s[7];",
	"return strcmp(\"abc\", \"abd\") < 0 && strcmp(\"b\", \"abd\") > 0 && !strcmp(names[1], \"one\") && strncmp(\"abc\", \"abd\", 2) == 0;",
	"int a[10]; memset(a, 0, sizeof a); a[3] = 5; memset(a + 5, -1, 8); return a[3] * 100 + a[4] * 10 + a[5] + a[6];",
	"int s = cleared[7]; for (int i = 0; i < 5; i++) s = s * 12 + primes[i]; return s;",
	"int a[6] = {5, 3, 9, 1, 7}; qsort(a, 6, sizeof a[0], upwards); int s = 0; for (int i = 0; i < 6; i++) s = s * 10 + a[i]; return s;",
	"struct pair p[3] = {{'x', 3, 1}, {'y', 1, 2}, {'z', 2, 3}}; qsort(p, 3, sizeof p[0], byNumber); return p[0].tag * 10000 + p[1].tag * 100 + p[2].tag + (int)p[2].weight;",
	"struct pair p = pairs[0], q = p; q.number += pairs[1].number; return q.tag * 100 + q.number * 10 + (int)(q.weight * 2);",
	"return isdigit('7') && !isdigit('a') && isalpha('q') && isupper('Q') && !islower('Q') && isspace('\\n') && ispunct('!') && isalnum('0');",
	"return toupper('q') * 1000 + tolower('Q') * 10 + (toupper('3') == '3');",
	"return atoi(\"-417 apples\") + abs(-3) + (int)labs(-2000L);",
	"return (int)(sqrt(2) * 1000) + (int)floor(-2.5) + (int)ceil(2.1) + (int)pow(2, 10) + (int)fabs(-7.9) + (int)round(2.5);",
	"int *p = malloc(5 * sizeof *p), *q = calloc(5, sizeof *q); p[2] = 8; q[3]++; int x = p[2] * 10 + q[3] + q[4]; free(p); return x;",
	"char b[40]; int n = sprintf(b, \"%d|%5.2f|%s|%c|%03d|%-4d|%x|%%\", -7, 3.14159, names[2], 'k', 5, 6, 255); int h = n; for (int i = 0; b[i]; i++) h = (h * 31 + b[i]) % 100003; return h;",
	"const char *s = \"finder\"; return (int)(strchr(s, 'd') - s) * 100 + (strchr(s, 'z') == NULL) * 10 + (int)(strstr(s, \"der\") - s);",
	"return depth(30) + apply(square, 12);",
	"float f = single(1); return f * 3 == 1.0f && f != 1.0 / 3;",
	"int m[3][4], s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i * j; for (int i = 0; i < 12; i++) s = s * 2 + (&m[0][0])[i]; return s;",
	"char s[] = \"level\"; int i = 0, j = strlen(s) - 1; while (i < j && s[i] == s[j]) { i++; j--; } return i >= j ? 10 * i + j : -1;",
	"int x = 0, *p = &x; char c = 200; unsigned char u = 200; *p += 3; return x * 1000 + (c < 0) * 100 + (u > 0) * 10 + (1 ? x : c);",
	"int a[4] = {1, 2, 3, 4}, b[4]; memcpy(b, a, sizeof a); memmove(b + 1, a, 8); return b[0] * 1000 + b[1] * 100 + b[2] * 10 + b[3];",
	"long long big = 1LL << 40; unsigned wrap = 0; wrap--; return (int)(big >> 35) + (wrap == 4294967295u) + (int)(big % 1000000007);",
	"int n = 3; do { if (n == 2) continue; n += 10; } while (--n > 20); return n;",
}

// What a path makes of C without inputs is what the machine makes of it: the same
// functions are compiled and run.
func TestThePathsOfFunctionsAreThoseOfTheMachine(t *testing.T) {
	source, program := headers, "int main(void) {\n"
	for i, body := range bodies {
		source += fmt.Sprintf("int f%d(void) { %s }\n", i, body)
		program += fmt.Sprintf("  printf(\"%%d\\n\", f%d());\n", i)
	}
	want := native(t, source+program+"  return 0;\n}\n")
	for i, body := range bodies {
		// Variables have their initial values when main begins.
		m := compile(t, headers+"int main(void) { "+body+" }\n", "")
		c := concrete.OfFunction(find(t, m.Functions(), "main"))
		for _, seed := range []uint64{0, 2, 7, 12} {
			var p concrete.Path
			c.Along(&p, seed, 0, 20000)
			if got := strconv.Itoa(int(int32(p.Value()))); !p.Returned || got != want[i] {
				t.Errorf("seed %d: %s is %s (returned: %v, trap: %v), on the machine %s", seed, body, got, p.Returned, p.Trapped, want[i])
			}
		}
	}
}

// native runs a program and returns the lines that it prints.
func native(t *testing.T, source string) []string {
	t.Helper()
	text, err := exec.Command(built(t, source)).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// built is the program of a source.
func built(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return builtOf(t, file)
}

// builtOf is an executable of files.
func builtOf(t *testing.T, files ...string) string {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	if text, err := exec.Command(tools.Clang, slices.Concat([]string{"-w", "-o", program}, files, []string{"-lm"})...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}

// What is printed is compared as text: how it is made up of calls of the library does not
// matter within one, and the addresses of what is printed never do.
func TestWhatIsPrintedIsShownAsText(t *testing.T) {
	m := compile(t, headers+`
int f(int n) { printf("%d and %s\n", 5, "x"); puts("done"); putchar('!'); return 0; }
int g(int n) { char a[9]; sprintf(a, "%dx", 5); a[1] = 0; printf("%s and %c\n", a, 'x'); char d[] = "done"; puts(d); putchar(33); return 0; }
int h(int n) { printf("%d and %s\n", 6, "x"); puts("done"); putchar('!'); return 0; }
`, "")
	shown := map[string]string{}
	for _, name := range []string{"f", "g", "h"} {
		var p concrete.Path
		concrete.OfFunction(find(t, m.Functions(), name)).Along(&p, 5, 0, 4096)
		shown[name] = fmt.Sprint(p.Shown)
	}
	if shown["f"] != shown["g"] || shown["f"] == shown["h"] {
		t.Errorf("shown are %v", shown)
	}
}

// The input has the form that the program reads, in which what it looks for occurs, and
// ends.
func TestTheInputIsMadeUpAsItIsRead(t *testing.T) {
	m := compile(t, headers+`
int main(void) {
  int n, found = 0, c, letters = 0; char word[100], line[100];
  if (scanf("%d", &n) != 1 || n < 1) n = 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%s", word) != 1) break;
    if (strlen(word) == 0 || strlen(word) > 40 || strchr(word, ' ') || strchr(word, '\n')) return -1;
    if (strcmp(word, "north") == 0) found |= 1;
  }
  if ((c = getchar()) != '\n' && c != EOF) return -2;
  if (fgets(line, 100, stdin) && line[strlen(line) - 1] != '\n') return -3;
  while ((c = getchar()) != EOF) if (c == 'q' || c == 'z') found |= 2; else if (c != '\n') letters++;
  return found + 4 * (scanf("%d", &n) == EOF);
}
`, "")
	c := concrete.OfFunction(find(t, m.Functions(), "main"))
	seen := map[int64]bool{}
	for seed := range uint64(60) {
		var p concrete.Path
		c.Along(&p, seed, 0, 40000)
		if !p.Returned || p.Value() < 4 {
			t.Errorf("seed %d: returned %v with %d", seed, p.Returned, p.Value())
		}
		seen[p.Value()] = true
	}
	if !seen[7] || len(seen) < 3 {
		t.Errorf("of what the program looks for, the inputs have %v", seen)
	}
}

// The blocks that paths came to are counted once each.
func TestCoverageGrowsWithNewBlocksOnly(t *testing.T) {
	m := compile(t, "int scanf(const char *, ...);\nint main(void) { int n; if (scanf(\"%d\", &n) == 1 && n == 417) return 1; return 0; }\n", "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	covered, news := root.Coverage(), 0
	p := concrete.Path{Trace: true}
	for seed := range uint64(200) {
		root.Along(&p, seed, 0, 512)
		if covered.Add(&p) {
			news++
		}
		if covered.Add(&p) {
			t.Fatal("the same path is new twice")
		}
	}
	if news < 2 || news > 4 || !covered.Complete() {
		t.Errorf("%d paths are new, and all blocks are covered: %v", news, covered.Complete())
	}
}

// Memory is used at any address and of any size without harm.
func TestAnyAddressMayBeUsed(t *testing.T) {
	m := compile(t, headers+`
int f(char *p, long n, int k) {
  int x = 4; struct pair q;
  memset(p, k, n); memset(&x, k, 4); memset((void *)n, k, n);
  memcpy(&q, p, sizeof q); memcpy(p + n, p, n); memmove((char *)n, &x, n);
  strcpy(p - n, "text"); strncpy(p + n, (char *)n, n); strcat(p, p + 1);
  qsort(p, n, 4, upwards); qsort(&x, 1, n, upwards); p = realloc(p, n); p[n] = k;
  sprintf(p, "%*d %s", k, x, p); scanf("%d %s", (int *)n, p + n); fgets(p, n, stdin);
  return printf(p, n, k) + atoi(p + n) + p[k] + isalpha(k) + strlen(p) + f(p + n, n * 77777777, k - 1);
}
`, "")
	c := concrete.OfFunction(find(t, m.Functions(), "f"))
	trapped := 0
	for seed := range uint64(400) {
		var p concrete.Path
		c.Along(&p, seed, 0, 4096)
		if p.Trapped {
			trapped++
		}
	}
	if trapped == 0 {
		t.Error("no address is near null")
	}
}

// A program that would print without end, or copy what is large again and again, takes no
// longer than others.
func TestAPathEndsInTimeWhateverItCalls(t *testing.T) {
	m := compile(t, headers+`
static int a[5000], b[5000];
int f(void) {
  for (int i = 0; i < 5000; i++) a[i] = i + 1;
  for (;;) { memcpy(b, a, sizeof a); printf("%999999999d %.999999999f", a[0], 1.5); }
}
`, "")
	var p concrete.Path
	concrete.OfFunction(find(t, m.Functions(), "f")).Along(&p, 5, 0, 200_000)
	if p.Returned || len(p.Shown) == 0 || len(p.Shown) > 1000 {
		t.Errorf("the path returned: %v, and shows %d things", p.Returned, len(p.Shown))
	}
}
