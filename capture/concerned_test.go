package capture

import (
	"strings"
	"testing"
)

func concerned(c *Capture) string {
	var names []string
	for _, t := range c.Concerned() {
		names = append(names, strings.Join(t.Argv, " "))
	}
	return strings.Join(names, ", ")
}

func TestTestsOfOtherProgramsAreNotConcerned(t *testing.T) {
	t.Parallel()
	dir := project(t, "pair")
	const upper, count = "sh tests/run.sh bin/upper abc ABC, sh tests/run.sh bin/upper a1 A1", "sh tests/run.sh bin/count abc 3"
	if got := concerned(captured(t, dir, Options{})); got != upper+", "+count {
		t.Errorf("of all that is built: %s", got)
	}
	one := captured(t, dir, Options{Target: []string{"bin/count"}, Exclude: []string{"text.c"}})
	if got := concerned(one); got != count {
		t.Errorf("of count: %s", got)
	}
	one.Tests = one.Tests[:2]
	if got := concerned(one); got != upper {
		t.Errorf("of count, where no test runs it: %s", got)
	}
}

// What is made while a test runs is watched by nobody.
func TestATestThatMakesProgramsForItselfIsConcerned(t *testing.T) {
	t.Parallel()
	const head = "all: one two again\n" +
		"one: one.c\n\tcc -o one one.c\n" +
		"two: two.c\n\tcc -o two two.c\n" +
		"again: one.c\n\tcc -DWITH=1 -o again one.c\n"
	texts := map[string]string{
		"one.c":    "#ifndef WITH\n#define WITH 0\n#endif\nint main(int n, char **v) { return n > 2 + WITH; }\n",
		"two.c":    "int main(int n, char **v) { return n > 3; }\n",
		"again.sh": "rm -f again\ncc -DWITH=1 -o again one.c\n./two && ./again\n",
		"gone.sh":  "cc -DWITH=2 -o gone one.c\n./two && ./gone\nrm gone\n",
	}
	for _, is := range []struct{ check, want string }{
		{"check: all\n\t./one\n\t./two\n", "./one"},
		{"check: all\n\t./one\n\tsh again.sh\n\t./two\n", "./one, sh again.sh"},
		// A program that was made and is gone may be made by any test.
		{"check: all\n\t./one\n\tsh gone.sh\n\t./two\n", "./one, sh gone.sh, ./two"},
	} {
		texts["Makefile"] = head + is.check
		c := captured(t, files(t, texts), Options{Target: []string{"one"}})
		if got := concerned(c); got != is.want {
			t.Errorf("%q: %s, want %s; tests:\n%s%s", is.check, got, is.want, testsOf(c), products(c))
		}
	}
}
