package concrete_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
)

const optioned = headers + `
#include <getopt.h>
static int loud;
int main(int argc, char *argv[]) {
  static const struct option table[] = {{"verbose", no_argument, NULL, 'v'}, {"version", no_argument, NULL, 'V'},
    {"size", required_argument, NULL, 's'}, {"loud", no_argument, &loud, 7}, {"when", optional_argument, NULL, 'w'}, {0, 0, 0, 0}};
  const char *letters = "abc:d::";
  int c, at = -1, from = 1;
  opterr = 0;
  if (argc > 1 && argv[1][0] == '@') letters = argv[1] + 1, optind = from = 2;
  for (;;) {
    c = argc > 2 && argv[argc - 1][0] == '!' ? getopt(argc, argv, letters) : getopt_long(argc, argv, letters, table, &at);
    if (c == -1) break;
    printf("%d '%s' at %d, %d, number %d, %d\n", c, optarg ? optarg : "none", optind, c == '?' || c == ':' ? optopt : 0, at, loud);
  }
  printf("%d:", optind);
  for (int k = from; k < argc; k++) printf(" [%s]", argv[k]);
  putchar('\n');
  return 0;
}
`

// Options are found as glibc finds them, arguments that are none put behind them.
func TestOptionsAreThoseThatTheProgramFinds(t *testing.T) {
	program := built(t, optioned)
	m := compile(t, optioned, "")
	root := concrete.Exact(find(t, m.Functions(), "main"), &op.Module{})
	for _, line := range []string{
		"", "-a", "-ab", "-abc", "-abc x", "-cx y -a", "one -a two -b three", "one two -- -a -b", "-- -a", "- -a -", "-d -dx -d x", "-c", "-z", "-za -:",
		"a -c", "a b -c -a d -b", "@abc: x -c", "@:abc: x -c", "@:abc: -z", "@+ab x -a", "@+ab -a x -b", "@-ab x -a y -- -b z", "@+:c: -c",
		"--verbose", "--verb", "--ver", "--version x --size 3", "--size=4 --si 5 --size", "--loud", "--loud=3", "--when --when=now --w now", "--none", "x --size= -a --",
		"-a --loud y -b z --", "a !", "-ab x --loud !", "--a !", "-c !", "a -b c -- d !", "@:s: --size !",
	} {
		args := strings.Fields(line)
		printed, err := exec.Command(program, args...).Output()
		if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		root.AlongGiven(&p, &concrete.Given{Args: args}, nil, 200_000)
		if !p.Returned || p.Guessed || string(p.Transcript.Printed) != string(printed) {
			t.Errorf("of %q a path prints\n%s(returned %v, guessed %v), the program\n%s", args, p.Transcript.Printed, p.Returned, p.Guessed, printed)
		}
	}
}
