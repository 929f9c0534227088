package concrete_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

const parsers = headers + `
#include <errno.h>
static void number(const char *s) {
  char *end; long x = strtol(s, &end, 10), y = strtol(s, NULL, 0), z = strtol(s, 0, 16);
  printf("%ld %ld %ld rest '%s' %.3f\n", x, y, z, end, strchr(s, 'x') ? -1 : atof(s));
}
int main(void) {
  char line[80], small[6], *word; int a = 0, b = 0, got;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    printf("%d blanks, %d digits\n", (int)strspn(line, " \t"), (int)strspn(line, "0123456789"));
    got = sscanf(line, "%d-%d", &a, &b);
    printf("%d: %d %d\n", got, a, b);
    got = snprintf(small, sizeof small, "<%s>", line);
    printf("%d %s %s\n", got, small, strpbrk(line, ",;") ? strpbrk(line, ",;") : "none");
    for (word = strtok(line, " ,;\t"); word; word = strtok(NULL, " ,;\t")) {
      number(word);
      printf("%d %d\n", strcmp(word, "m"), memcmp(word, "m", 1));
    }
  }
  printf("status %d\n", a & 7);
  return a & 7;
}
`

// What a path with a transcript prints, and ends with, is what the program does.
func TestATranscriptIsWhatTheProgramPrints(t *testing.T) {
	program := built(t, parsers)
	root := concrete.OfFunction(find(t, compile(t, parsers, "").Functions(), "main"))
	for _, input := range []string{
		"", "\n", "7", "-12 abc;0x1f,  077\tzz\n", "3-4\n5 - 6\n", "  leading, and trailing ,;\n", "0x,08 0xg 1e3 -.5 +7 - +\n",
		"99999999999999999999 -99999999999999999999 0xffffffffffffffffff\n", "a,b\n,,;\nlonger than the small one\n", "12-", "\t\t9\n",
	} {
		printed, status := ran(t, program, input)
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		root.AlongGiven(&p, &concrete.Given{Text: []byte(input)}, nil, 200_000)
		if !p.Returned || p.Guessed || string(p.Transcript.Printed) != printed || p.Value()&255 != int64(status) {
			t.Errorf("of %q a path prints %q and ends with %d (returned %v, guessed %v), the program %q and %d",
				input, p.Transcript.Printed, p.Value(), p.Returned, p.Guessed, printed, status)
		}
	}
}

const readsAll = headers + `
int main(void) {
  int n = 0, x; double d; char word[20], line[60], c;
  if (scanf("%d", &n) == 1) printf("n %d\n", n);
  if (scanf("%d:%d", &n, &x) == 2) printf("pair %d %d\n", n, x);
  if (scanf("%lf", &d) == 1) printf("d %.2f\n", d);
  if (scanf("%9s", word) == 1) printf("word %s\n", word);
  if (scanf(" %c", &c) == 1) printf("c %c\n", c);
  while ((x = getchar()) != EOF && x != '\n') printf("[%d]", x);
  if (fgets(line, sizeof line, stdin)) printf("line %s", line);
  if (fgets(line, sizeof line, stdin)) printf("line %s", line);
  while (scanf("%d", &x) == 1) printf("x %d\n", x);
  return 0;
}
`

// What a path reads of a drawn input is an input: on it the program prints what the path does.
func TestADrawnInputIsAnInputOfTheProgram(t *testing.T) {
	program := built(t, readsAll)
	root := concrete.OfFunction(find(t, compile(t, readsAll, "").Functions(), "main"))
	same := 0
	for seed := range uint64(48) {
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.Along(&p, seed, 0, 100_000); !p.Returned {
			t.Fatalf("seed %d: the path does not return", seed)
		}
		printed, _ := ran(t, program, string(p.Transcript.Read))
		if printed == string(p.Transcript.Printed) {
			same++
		}
	}
	if same < 40 { // a word may be cut where scanf stops to read, or a line go on
		t.Errorf("on %d of 48 drawn inputs the program prints what the path prints, want 40", same)
	}
}

// ran is what a program prints on an input, and its status.
func ran(t *testing.T, program, input string) (printed string, status int) {
	t.Helper()
	command := exec.Command(program)
	command.Stdin = strings.NewReader(input)
	out, err := command.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// A path with a transcript says that it guesses where C leaves open what the program does.
func TestATranscriptOfWhatIsUndefinedIsAGuess(t *testing.T) {
	for _, c := range []struct {
		body    string
		guesses bool
	}{
		{"int n = 3; printf(\"%d\", 1 << n);", false},
		{"int n = 33; printf(\"%d\", 1 << n);", true},
		{"int n = -1; printf(\"%d\", 8 >> n);", true},
		{"int n = 2147483647; printf(\"%d\", n + 1);", true},
		{"unsigned n = 4294967295u; printf(\"%u\", n + 1);", false},
		{"int n = -2147483647; printf(\"%d\", n - 2);", true},
		{"int n = 65536; printf(\"%d\", n * n);", true},
		{"int n = 46340; printf(\"%d\", n * n);", false},
		{"long n = 1l << 62; printf(\"%ld\", n * -2);", false},
		{"long n = 1l << 62; printf(\"%ld\", n * 2);", true},
		{"int n = 0; printf(\"%d\", 1 / n);", true},
		{"int n = 0; printf(\"%d\", 2 / n);", false},
		{"int n; printf(\"%d\", n);", true},
		{"if (scanf(\"%d\", (int *)0) == EOF) puts(\"end\");", false},
		{"int a[3]; a[0] = 1; printf(\"%d\", a[0]);", false},
		{"int a[3]; a[0] = 1; printf(\"%d\", a[1]);", true},
		{"static int a[3]; printf(\"%d\", a[1]);", false},
		{"printf(\"%d\", unknown(3));", true},
	} {
		source := headers + "int unknown(int);\nint main(void) { " + c.body + " return 0; }\n"
		root := concrete.OfFunction(find(t, compile(t, source, "").Functions(), "main"))
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		if root.AlongGiven(&p, &concrete.Given{}, nil, 1000); p.Guessed != c.guesses {
			t.Errorf("%s guessed: %v, want %v", c.body, p.Guessed, c.guesses)
		}
	}
}
