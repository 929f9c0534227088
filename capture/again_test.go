package capture

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

var twoFiles = map[string]string{
	"Makefile": "prog: a.o b.o\n\tcc -o prog a.o b.o\na.o: a.c a.h\n\tcc -c a.c\nb.o: b.c\n\tcc -c b.c\ntest: prog\n\ttest ! -e left\n\t./prog >left\n",
	"a.c":      "#include \"a.h\"\n#include <stdio.h>\nint part(void);\nint main(void) { return printf(\"%d\\n\", part() + BASE) < 0; }\n",
	"a.h":      "#define BASE 10\n",
	"b.c":      "#include \"table.c\"\nint part(void) { return rows[0]; }\n",
	"table.c":  "static int rows[] = {1};\n",
}

// printed is what the program of a capture prints.
func printed(t *testing.T, c *Capture) string {
	t.Helper()
	out, err := exec.Command(c.Path("source/prog")).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Where only sources have changed that are compiled by themselves, the earlier build is brought up to
// date: what it is then is what a build from nothing is.
func TestABuildIsBroughtUpToDateWhereOnlySourcesHaveChanged(t *testing.T) {
	t.Parallel()
	project, work := files(t, twoFiles), filepath.Join(t.TempDir(), "work")
	once := func() *Capture {
		t.Helper()
		c, err := BuildOnce(context.Background(), project, Options{Work: work})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if got := printed(t, once()); got != "11\n" {
		t.Fatalf("it prints %q", got)
	}
	mark := filepath.Join(work, sourceDir, "mark")
	for _, step := range []struct {
		what, name, text, prints string
		anew                     bool
	}{
		{"nothing", "a.h", "", "11\n", false},
		{"the time of a header", "a.h", twoFiles["a.h"], "11\n", false},
		{"a source", "a.c", "#include \"a.h\"\n#include <stdio.h>\nint part(void);\nint main(void) { return printf(\"%d!\\n\", part() + BASE) < 0; }\n", "11!\n", false},
		{"a header", "a.h", "#define BASE 20\n", "21!\n", true},
		{"a source that another takes in", "table.c", "static int rows[] = {2};\n", "22!\n", true},
		{"a new file", "new.c", "int unused;\n", "22!\n", true},
		{"a source again", "b.c", "#include \"table.c\"\nint part(void) { return -rows[0]; }\n", "18!\n", false},
	} {
		testfile.Write(t, mark, "")
		if step.text != "" {
			testfile.Write(t, filepath.Join(project, step.name), step.text)
		}
		c := once()
		if exists(c.Path("source/left")) {
			t.Errorf("%s has changed: what a test writes is there", step.what)
		}
		if got := printed(t, c); got != step.prints {
			t.Errorf("%s has changed: the program prints %q, want %q", step.what, got, step.prints)
		}
		if _, err := os.Stat(mark); (err != nil) != step.anew {
			t.Errorf("%s has changed: built anew %t, want %t", step.what, err != nil, step.anew)
		}
		again, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		whole, err := captured(t, project, Options{}).Marshal()
		if err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s has changed: %v; the capture is\n%s\nand from nothing\n%s", step.what, err, again, whole)
		}
	}
	// A makefile that does not know what its program is made of.
	testfile.Write(t, filepath.Join(project, "Makefile"), strings.Replace(twoFiles["Makefile"], "b.o: b.c\n", "b.o:\n", 1))
	once()
	testfile.Write(t, filepath.Join(project, "b.c"), "int part(void) { return 7; }\n")
	testfile.Write(t, filepath.Join(project, "a.c"), strings.Replace(twoFiles["a.c"], "%d", "%d?", 1))
	if got := printed(t, once()); got != "27?\n" {
		t.Errorf("what make does not know to be out of date is not made again: %q", got)
	}
	testfile.Write(t, filepath.Join(project, "b.c"), "int part(void) { return }\n")
	if _, err := BuildOnce(context.Background(), project, Options{Work: work}); err == nil {
		t.Error("what does not compile was built")
	}
	testfile.Write(t, filepath.Join(project, "b.c"), "int part(void) { return 3; }\n")
	if got := printed(t, once()); got != "23?\n" {
		t.Errorf("after a build that failed it prints %q", got)
	}
}
