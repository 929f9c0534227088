package concrete_test

import (
	"os"
	"path/filepath"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs"
)

const descriptors = headers + `
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>
struct big { int key; char rest[200]; };
static int bySize(const void *a, const void *b) { return ((const struct big *)a)->key - ((const struct big *)b)->key; }
int main(int argc, char **argv) {
  char room[8];
  int n, sum = 0;
  struct big all[5];
  setlocale(LC_ALL, "");
  signal(SIGINT, SIG_IGN);
  for (int i = 1; i < argc; i++) {
    int fd = open(argv[i], O_RDONLY);
    if (fd < 0) { printf("%s: %d\n", argv[i], errno); fflush(stdout); continue; }
    while ((n = (int)read(fd, room, sizeof room)) > 0) { sum += n; write(STDOUT_FILENO, room, n); }
    if (lseek(fd, -2, SEEK_END) >= 0 && read(fd, room, 1) == 1) { write(1, "last ", 5); write(1, room, 1); write(1, "\n", 1); }
    close(fd);
  }
  while ((n = (int)read(0, room, 3)) > 0) { write(1, "+", 1); write(1, room, n); }
  for (int i = 0; i < 5; i++) { all[i].key = i * 7 % 5; sprintf(all[i].rest, "%d", i); }
  qsort(all, 5, sizeof *all, bySize);
  for (int i = 0; i < 5; i++) printf("%s ", all[i].rest);
  printf("%d %d %s\n", sum, isatty(0), getenv("WINNOW_SURELY_NOT_SET") ? "set" : "not set");
  fflush(stdout);
  _exit(argc);
}
`

// What is read and written without streams is what the program reads and writes.
func TestAGivenProgramReadsDescriptors(t *testing.T) {
	program := built(t, descriptors)
	root := concrete.Exact(find(t, compile(t, descriptors, "").Functions(), "main"), &op.Module{})
	for _, given := range []concrete.Given{
		{},
		{Text: []byte("some text\n")},
		{Text: []byte("x"), Args: []string{"a", "none", "a", "b"}, Files: []inputs.File{{Name: "a", Text: "one line\nand another\n"}, {Name: "b", Text: "z"}}},
	} {
		printed := printedBy(t, program, given)
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &given, nil, 1_000_000); !p.Returned || p.Guessed || string(p.Transcript.Printed) != printed {
			t.Errorf("of %q a path prints\n%s(returned %v, guessed %v, %s), the program\n%s", given, p.Transcript.Printed, p.Returned, p.Guessed, p.Unknown, printed)
		}
	}
}

// What comes to the output in an order that buffers decide, or is lost in them, is not known; nor is what
// users have in their environment.
func TestWhatBuffersDecideIsAGuess(t *testing.T) {
	for body, want := range map[string]bool{
		`printf("a"); write(1, "b", 1);`:                 true,
		`printf("a"); fflush(stdout); write(1, "b", 1);`: false,
		`printf("a"); fflush(stderr); write(1, "b", 1);`: true,
		`printf("a"); fflush(NULL); write(1, "b", 1);`:   false,
		`printf("a"); _exit(0);`:                         true,
		`write(1, "b", 1); _exit(0);`:                    false,
		`char c; getchar(); read(0, &c, 1);`:             true,
		`getenv("HOME");`:                                true,
		`getenv("POSIXLY_CORRECT");`:                     false,
		`open("a", O_WRONLY);`:                           true,
		`write(5, "b", 1);`:                              true,
	} {
		source := headers + "#include <fcntl.h>\n#include <unistd.h>\nint main(void) { " + body + " return 0; }\n"
		root := concrete.Exact(find(t, compile(t, source, "").Functions(), "main"), &op.Module{})
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &concrete.Given{Text: []byte("xyz")}, nil, 10_000); p.Guessed != want {
			t.Errorf("%s: guessed is %v, want %v", body, p.Guessed, want)
		}
	}
}

// A program of several files is that which they make when they are linked: what one defines is what
// the others declare, functions in tables too, and nothing is shared that is static.
func TestAProgramOfSeveralFilesIsLinked(t *testing.T) {
	main := headers + `
extern int total; extern const char *const kinds[]; int add(int), twice(int); void say(const char *, ...);
extern struct command { const char *name; int (*run)(int); } commands[];
static int step = 3;
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    for (struct command *c = commands; c->name; c++)
      if (!strcmp(c->name, argv[i])) say("%s %d %d\n", kinds[i % 2], c->run(step), total);
  total += argc;
  say("%d\n", add(1));
  return 0;
}
`
	others := []string{headers + `
#include <stdarg.h>
int total = 40; static int step = 5;
int add(int n) { total += n + step; return total; }
void say(const char *format, ...) { va_list list; va_start(list, format); vfprintf(stdout, format, list); va_end(list); }
`, headers + `
const char *const kinds[] = {"even", "odd"}; int add(int);
static int half(int n) { return n / 2; }
int twice(int n) { return 2 * n; }
struct command { const char *name; int (*run)(int); } commands[] = {{"add", add}, {"half", half}, {"twice", twice}, {NULL, NULL}};
`}
	var modules []*llir.Module
	folder := t.TempDir()
	files := []string{}
	for k, text := range append([]string{main}, others...) {
		if k > 0 {
			modules = append(modules, compile(t, text, "").LLVM)
		}
		path := filepath.Join(folder, string(rune('a'+k))+".c")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	program := builtOf(t, files...)
	root := concrete.Exact(find(t, compile(t, main, "").Functions(), "main"), &op.Module{}, modules...)
	for _, args := range [][]string{nil, {"add", "half", "twice", "add"}, {"none", "twice"}} {
		given := concrete.Given{Args: args}
		printed := printedBy(t, program, given)
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &given, nil, 100_000); !p.Returned || p.Guessed || string(p.Transcript.Printed) != printed {
			t.Errorf("of %q a path prints\n%s(returned %v, guessed %v, %s), the program\n%s", args, p.Transcript.Printed, p.Returned, p.Guessed, p.Unknown, printed)
		}
	}
	if !root.Whole() {
		t.Error("a small program is not known whole")
	}
	// Two definitions of a name are a guess.
	twice := compile(t, "int add(int n) { return n; }", "").LLVM
	root = concrete.Exact(find(t, compile(t, main, "").Functions(), "main"), &op.Module{}, append(modules, twice)...)
	p := concrete.Path{Transcript: &concrete.Transcript{}}
	if root.AlongGiven(&p, &concrete.Given{}, nil, 100_000); !p.Guessed || p.Unknown != "add" {
		t.Errorf("of a function that is defined twice the path guesses: %v, %q", p.Guessed, p.Unknown)
	}
}
