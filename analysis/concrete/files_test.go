package concrete_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs"
)

// files is a program that reads those of its arguments in all ways that paths know.
const files = headers + `
#include <errno.h>
#include <stdarg.h>
static void say(const char *name, const char *format, ...) {
  va_list list;
  printf("%s: ", name);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  putchar('\n');
}
int main(int argc, char **argv) {
  char line[12], *all = NULL;
  size_t room = 0;
  int n, c, got;
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], i % 2 ? "r" : "rb");
    if (!f) { say(argv[i], "none, %d", errno); continue; }
    got = fscanf(f, "%d", &n);
    say(argv[i], "%d %d %d", got, got == 1 ? n : -1, feof(f));
    while (fgets(line, sizeof line, f)) say(argv[i], "[%s] %d", line, feof(f));
    say(argv[i], "end %d %ld", feof(f), ftell(f));
    rewind(f);
    n = 0;
    while ((c = getc(f)) != EOF) n += c;
    say(argv[i], "sum %d, %d %d", n, feof(f), ferror(f));
    clearerr(f);
    got = fseek(f, -3L, SEEK_END);
    say(argv[i], "%d %d", got, feof(f));
    if ((c = fgetc(f)) != EOF) { ungetc(c, f); say(argv[i], "again %d", c == fgetc(f)); }
    fseek(f, 1, SEEK_SET);
    got = (int)fread(line, 3, 3, f);
    say(argv[i], "blocks %d %d", got, feof(f));
    fwrite(line, 1, 3 * got, stdout);
    rewind(f);
    while (getline(&all, &room, f) != -1) say(argv[i], "line of %zu in %zu: %s", strlen(all), room, all);
    rewind(f);
    while (!feof(f)) {
      got = fscanf(f, "%5[a-z0-9]%*[^a-z0-9]", line);
      if (got < 1) { c = fgetc(f); say(argv[i], "other %d", c); if (c == EOF) break; }
      else say(argv[i], "word %s", line);
    }
    fclose(f);
  }
  if (argc > 3 && freopen(argv[3], "r", stdin)) puts("instead");
  while ((c = getchar()) != EOF) putchar(c);
  printf("%d\n", feof(stdin));
  return 0;
}
`

// A program reads of files what it reads of them when it is run, and sees their ends then.
func TestAGivenFileIsReadAsByTheProgram(t *testing.T) {
	program := built(t, files)
	root := concrete.Exact(find(t, compile(t, files, "").Functions(), "main"), &op.Module{})
	texts := []string{
		"", "\n", "7", "7\n", "12 words here\n", "long enough to be cut\nshort\n\nlast without an end", "abcdefghijk\nabcdefghijkl", "x\n1\n22\n333\n", "-5 a,b;;c\n",
		strings.Repeat("abc", 45) + "\n" + "ab 12\n",
	}
	for k, text := range texts {
		given := concrete.Given{Text: []byte("standard\n"), Args: []string{"a.txt", "absent", "b"},
			Files: []inputs.File{{Name: "a.txt", Text: text}, {Name: "b", Text: texts[(k+1)%len(texts)]}}}
		printed := printedBy(t, program, given)
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		root.AlongGiven(&p, &given, nil, 1_000_000)
		if !p.Returned || p.Guessed || string(p.Transcript.Printed) != printed {
			t.Errorf("of %q a path prints\n%s(returned %v, guessed %v), the program\n%s", text, p.Transcript.Printed, p.Returned, p.Guessed, printed)
		}
		if fmt.Sprint(p.Asked) != "[absent]" {
			t.Errorf("the program asked for %q", p.Asked)
		}
	}
}

// printedBy is what a program prints that is given something, in a folder of its own.
func printedBy(t *testing.T, program string, given concrete.Given) string {
	t.Helper()
	folder := t.TempDir()
	for _, f := range given.Files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(f.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(program, given.Args...)
	command.Dir, command.Stdin = folder, strings.NewReader(string(given.Text))
	printed, err := command.Output()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(printed)
}

// A drawn input is told apart by the file that it was read of.
func TestDrawnFilesAreThoseThatAProgramReads(t *testing.T) {
	source := headers + `int main(int argc, char **argv) {
  int n = 0, x, sum = 0; char word[40] = "";
  FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!f) return 1;
  if (scanf("%39s", word) != 1) return 2;
  while (n++ < 4 && fscanf(f, "%d", &x) == 1) sum += x;
  printf("%s %d\n", word, sum);
  return 0;
}`
	root := concrete.Exact(find(t, compile(t, source, "").Functions(), "main"), &op.Module{})
	p := concrete.Path{Transcript: &concrete.Transcript{}}
	root.AlongArgs(&p, 5, []string{"in"}, 10_000)
	if len(p.Transcript.Files) != 1 || p.Transcript.Files[0].Name != "in" {
		t.Fatalf("the program read %q", p.Transcript.Files)
	}
	drawn, read := p.Transcript.Files[0], string(p.Transcript.Read)
	var word, printed string
	var x [4]int
	if _, err := fmt.Sscan(read, &word); err != nil {
		t.Fatalf("of the standard input it read %q", read)
	}
	if _, err := fmt.Sscan(drawn.Text, &x[0], &x[1], &x[2], &x[3]); err != nil {
		t.Fatalf("of the file it read %q", drawn.Text)
	}
	printed = fmt.Sprintf("%s %d\n", word, x[0]+x[1]+x[2]+x[3])
	if got := string(p.Transcript.Printed); got != printed {
		t.Errorf("it printed %q, want %q", got, printed)
	}
	root.AlongGiven(&p, &concrete.Given{Text: []byte(read), Args: []string{"in"}, Files: []inputs.File{drawn}}, nil, 10_000)
	if got := string(p.Transcript.Printed); got != printed || p.Guessed {
		t.Errorf("given what was drawn it printed %q, want %q", got, printed)
	}
}

// What a file that is written holds, where it lies, and what the standard input goes back to are not known.
func TestWhatIsNotKnownOfFilesIsAGuess(t *testing.T) {
	for body, guesses := range map[string]bool{
		`fopen("a", "r");`:                               false,
		`fopen("b", "r");`:                               false,
		`fopen("a", "w");`:                               true,
		`fopen("a", "r+");`:                              true,
		`fopen("/etc/passwd", "r");`:                     true,
		`fopen("..", "r");`:                              true,
		`rewind(stdin);`:                                 true,
		`fclose(stdin);`:                                 false,
		`ungetc('x', stdin);`:                            true,
		`fclose(fopen("a", "r"));`:                       false,
		`FILE *f = fopen("a", "r"); fclose(f); getc(f);`: true,
	} {
		source := headers + "int main(void) { " + body + " return 0; }\n"
		root := concrete.Exact(find(t, compile(t, source, "").Functions(), "main"), &op.Module{})
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &concrete.Given{Files: []inputs.File{{Name: "a", Text: "x"}}}, nil, 10_000); p.Guessed != guesses || p.Trapped {
			t.Errorf("%s: guessed is %v, want %v (trapped: %v)", body, p.Guessed, guesses, p.Trapped)
		}
	}
	for _, body := range []string{`getc(fopen("none", "r"));`, `fclose(fopen("none", "r"));`, `fputs("x", NULL);`, `feof(NULL);`, `rewind(NULL);`} {
		source := headers + "int main(void) { " + body + " return 0; }\n"
		root := concrete.Exact(find(t, compile(t, source, "").Functions(), "main"), &op.Module{})
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &concrete.Given{}, nil, 10_000); !p.Trapped {
			t.Errorf("%s does not trap", body)
		}
	}
}

// more calls what fewer programs call.
const more = headers + `
#include <errno.h>
#include <stdarg.h>
struct two { int a, b; };
static int by(const void *a, const void *b) { return ((const struct two *)a)->a - ((const struct two *)b)->a; }
static void fill(char *to, size_t n, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int whole = vsnprintf(to, n, format, list);
  va_end(list);
  char other[80];
  vsprintf(other, format, again);
  va_end(again);
  printf("%d <%s> <%s>\n", whole, to, other);
}
static double sum(int n, ...) {
  va_list list; double s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) s += i % 3 == 0 ? va_arg(list, int) : i % 3 == 1 ? va_arg(list, double) : (double)va_arg(list, long long);
  const char *end = va_arg(list, const char *);
  va_end(list);
  puts(end);
  return s;
}
int main(int argc, char **argv) {
  char text[80] = "ab", *end, *keep;
  for (int i = 1; i < argc; i++) {
    errno = 0;
    unsigned long u = strtoul(argv[i], &end, 0);
    printf("%lu %ld %d, ", u, (long)(end - argv[i]), errno);
    errno = 0;
    long l = strtol(argv[i], &end, 16);
    printf("%ld %ld %d\n", l, (long)(end - argv[i]), errno);
    strncat(text, argv[i], 3);
    char *copy = strdup(argv[i]), *part = strndup(argv[i], 4);
    printf("%s %s %s %zu %d\n", text, copy, part, strnlen(copy, 5), (int)(stpcpy(copy, "x") - copy));
    char *found = memchr(argv[i], '1', strlen(argv[i]));
    printf("%d %d %d\n", found ? (int)(found - argv[i]) : -1, strcasecmp(argv[i], "ABC") > 0, strncasecmp(argv[i], "12X", 2) == 0);
    for (char *w = strtok_r(argv[i], ",", &keep); w; w = strtok_r(NULL, ",", &keep)) {
      char inner[40], *k2; strcpy(inner, w);
      for (char *v = strtok_r(inner, ".", &k2); v; v = strtok_r(NULL, ".", &k2)) printf("(%s)", v);
    }
    putchar('\n');
  }
  struct two twos[] = {{1, 10}, {4, 40}, {4, 41}, {9, 90}}, key = {0, 0};
  for (key.a = 0; key.a < 11; key.a++) { struct two *p = bsearch(&key, twos, 4, sizeof *twos, by); printf("%d ", p ? p->b : -1); }
  for (int c = 0; c < 128; c++) putchar('0' + !!isxdigit(c) + 2 * !!isprint(c) + 4 * !!isgraph(c) + 8 * !!iscntrl(c) + 16 * !!isblank(c));
  fill(text, 8, "%d-%s %5.2f|%*d|%c%%", 12, "word", 2.5, 6, -7, 'c');
  printf("%.3f\n", sum(7, 1, 2.5, 3LL, 4, 5.25, -6LL, 7, "sum"));
  for (int i = 0; i < 40; i++) printf("%d ", rand() % 1000);
  unsigned seeds[] = {0, 1, 42, 2147483647u, 4000000000u};
  for (int s = 0; s < 5; s++) { srand(seeds[s]); for (int i = 0; i < 70; i++) printf("%d ", rand()); printf("%ld\n", random()); }
  setvbuf(stdout, NULL, _IONBF, 0);
  const char *none = argc > 90 ? "many" : NULL;
  printf("%s, %c and %c\n", none, 200 + argc, 'x');
  return 0;
}
`

func TestWhatFewerProgramsCallIsKnownToo(t *testing.T) {
	program := built(t, more)
	root := concrete.Exact(find(t, compile(t, more, "").Functions(), "main"), &op.Module{})
	for _, args := range [][]string{nil, {"0"}, {"12", "-3", "0x1fz", "077", "18446744073709551616", "-99999999999999999999", "abc"}, {"a.b,c.,,d", "x1y", "  42 7"}} {
		given := concrete.Given{Args: args}
		printed := printedBy(t, program, given)
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &given, nil, 1_000_000); !p.Returned || p.Guessed || string(p.Transcript.Printed) != printed {
			t.Errorf("of %q a path prints\n%s(returned %v, guessed %v), the program\n%s", args, p.Transcript.Printed, p.Returned, p.Guessed, printed)
		}
	}
}
