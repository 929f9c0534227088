package concrete_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
)

const arguments = headers + `
static int rows(int n) {
  int sum = 0;
  for (int i = 1; i <= n; i++) {
    int row[i];
    for (int k = 0; k < i; k++) row[k] = k * n;
    for (int k = 0; k < i; k++) sum += row[k];
  }
  return sum;
}
int main(int argc, char *argv[]) {
  char line[40];
  if (argc == 1) { fprintf(stderr, "no arguments\n"); fputs("usage\n", stderr); fputc('!', stderr); }
  for (int i = 1; i < argc; i++)
    printf("%d: '%s' %d %d\n", i, argv[i], atoi(argv[i]), argv[i][0] == '-');
  fprintf(stdout, "%d rows %d\n", argv[argc] == NULL, rows(argc));
  if (fgets(line, sizeof line, stdin)) fputs(line, stdout);
  fputc('.', stdout);
  perror("no");
  return argc > 3 ? 3 : argc;
}
`

// A program is given its arguments, has arrays of variable length, and what it prints on the
// standard error is not what tests look at.
func TestAGivenProgramHasItsArguments(t *testing.T) {
	program := built(t, arguments)
	root := concrete.OfFunction(find(t, compile(t, arguments, "").Functions(), "main"))
	for _, c := range []struct {
		input string
		args  []string
	}{
		{"", nil}, {"line\nmore\n", []string{"7"}}, {"x", []string{"", "-12", "two words"}}, {"\n", []string{"a", "b", "c", "d", "0012"}},
	} {
		command := exec.Command(program, c.args...)
		command.Stdin = strings.NewReader(c.input)
		printed, err := command.Output()
		if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		root.AlongGiven(&p, &concrete.Given{Text: []byte(c.input), Args: c.args}, nil, 200_000)
		if status := command.ProcessState.ExitCode(); !p.Returned || p.Guessed || string(p.Transcript.Printed) != string(printed) || p.Value()&255 != int64(status) {
			t.Errorf("of %q and %q a path prints %q and ends with %d (returned %v, guessed %v), the program %q and %d",
				c.args, c.input, p.Transcript.Printed, p.Value(), p.Returned, p.Guessed, printed, status)
		}
	}
}

// What is read into nowhere ends a program, if there is something to read.
func TestNothingIsReadIntoNullAtTheEnd(t *testing.T) {
	source := headers + "int main(void) { int n; return scanf(\"%d %d\", &n, (int *)0) + 3; }\n"
	root := concrete.OfFunction(find(t, compile(t, source, "").Functions(), "main"))
	for input, want := range map[string]int64{"": 2, "x": 3, "7": 4, "7 x": 4, "7 8": -1} {
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &concrete.Given{Text: []byte(input)}, nil, 1000); p.Trapped != (want < 0) || want >= 0 && p.Value() != want {
			t.Errorf("of %q the program returns %d (trapped: %v), want %d", input, p.Value(), p.Trapped, want)
		}
	}
}

// What a program is called is not known where it prints it, and another stream than the three is not,
// what lies behind a block of memory, or what becomes of a length that is none.
func TestWhatNobodyKnowsIsAGuess(t *testing.T) {
	for body, guesses := range map[string]bool{
		"puts(argv[1]);":                         false,
		"puts(argv[0]);":                         true,
		"fprintf(stderr, \"%s: no\", argv[0]);":  false,
		"puts(strrchr(argv[0], '/') + 1);":       true,
		"return strcmp(argv[0], argv[1]) == 0;":  false,
		"fputs(argv[1], stdout);":                false,
		"fputs(argv[1], fopen(argv[1], \"w\"));": true,
		"fputs(argv[1], stdout + 1);":            true,
		"return fgetc(stdin);":                   false,
		"return fgetc(stdout);":                  true,
		"static const struct option none[] = {{0}}; return getopt_long(argc, argv, \"W\", none, 0);":  false,
		"static const struct option none[] = {{0}}; return getopt_long(argc, argv, \"W;\", none, 0);": true,
		"return ((char *)calloc(5, 2))[9];":                false,
		"return ((char *)calloc(5, 2))[10];":               true,
		"char a[9]; snprintf(a, 9, \"12\"); return a[1];":  false,
		"char a[9]; snprintf(a, -9, \"12\"); return a[1];": true,
	} {
		if p := pathOf(t, body); p.Guessed != guesses {
			t.Errorf("%s: guessed is %v, want %v", body, p.Guessed, guesses)
		}
	}
}

// pathOf is the path of a program whose main has a body, with one argument.
func pathOf(t *testing.T, body string) *concrete.Path {
	t.Helper()
	source := headers + "#include <getopt.h>\n#include <time.h>\nint main(int argc, char **argv) { " + body + " return 0; }\n"
	root := concrete.Exact(find(t, compile(t, source, "").Functions(), "main"), &op.Module{})
	p := concrete.Path{Transcript: &concrete.Transcript{}}
	root.AlongGiven(&p, &concrete.Given{Args: []string{"one"}}, nil, 10_000)
	return &p
}
