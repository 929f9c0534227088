package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A valgrind that says so, and is slow, stands before what the machine may have. One test wants to know how its program ends, and
// one what valgrind says.
func TestProgramsAreStartedWithoutValgrindWhereTestsPassSo(t *testing.T) {
	folder := t.TempDir()
	slow := "#!/bin/sh\necho '==1== ERROR SUMMARY: 0 errors' >&2\nwhile test $# -gt 0; do case $1 in -*) shift ;; *) break ;; esac; done\nexec \"$@\"\n"
	if err := os.WriteFile(filepath.Join(folder, "valgrind"), []byte(slow), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	project := files(t, map[string]string{
		"Makefile": "all: twice\ntwice: twice.c\n\tcc -o twice twice.c\ncheck: all\n\tsh ends.sh\n\tsh says.sh\n",
		"twice.c":  "#include <stdlib.h>\nint main(int argc, char **argv) { return argc == 3 && argv[1][0] == '-' ? 2 * atoi(argv[2]) : 1; }\n",
		"ends.sh":  "valgrind -q --error-exitcode=99 ./twice -n 21; test $? = 42\n",
		"says.sh":  "valgrind ./twice -n 0 2>&1 | grep -q 'ERROR SUMMARY: 0'\n",
	})
	bare := func(c *Capture) map[string]bool {
		out := map[string]bool{}
		for i := range c.Tests {
			one := &c.Tests[i]
			if one.Failing || len(one.Reaches) != 1 {
				t.Errorf("%s: fails %v, reaches %v", one.Name, one.Failing, one.Reaches)
			}
			for _, script := range []string{"ends.sh", "says.sh"} {
				if strings.Contains(strings.Join(one.Argv, " "), script) {
					out[script] = one.Bare
				}
			}
		}
		return out
	}
	c := captured(t, project, Options{})
	if got := bare(c); len(got) != 2 || !got["ends.sh"] || got["says.sh"] {
		t.Errorf("without valgrind: %v", got)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "Tests that start programs by valgrind: 1.") {
		t.Errorf("notes %q", notes)
	}
	for i := range c.Tests {
		if env := strings.Join(c.Environment(&c.Tests[i], "/bin"), " "); strings.Contains(env, ":/bin") != c.Tests[i].Bare {
			t.Errorf("%s has the environment %q", c.Tests[i].Name, env)
		}
	}
	own := &Test{Bare: true, Env: []string{"A=1", "PATH=/own", "B=2"}}
	if env := c.Environment(own, "/bin"); len(env) != 3 || env[0] != "A=1" || !strings.HasPrefix(env[1], "PATH="+c.Work) || !strings.HasSuffix(env[1], ":/own") {
		t.Errorf("a test with a PATH of its own has the environment %q", env)
	}
	c = captured(t, project, Options{Valgrind: true})
	if got := bare(c); len(got) != 2 || got["ends.sh"] || got["says.sh"] || strings.Contains(strings.Join(c.Notes, "\n"), "valgrind") {
		t.Errorf("with valgrind: %v, notes %q", got, c.Notes)
	}
}
