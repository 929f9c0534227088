package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

func TestSetModelLeavesOtherLinesAsTheyAre(t *testing.T) {
	const tests = "\n[tests]\ndir = \"tests\"\n"
	for _, c := range []struct{ name, before, after string }{
		{"below the program", "# by hand\nprogram = \"p\" # its name\nsources = [\"a.c\"]\n" + tests,
			"# by hand\nprogram = \"p\" # its name\nmodel = \"mine\"\nsources = [\"a.c\"]\n" + tests},
		{"in its place", "sources = [\n  \"a.c\",\n]\n model=\"old\"\nprogram = \"p\"\n" + tests,
			"sources = [\n  \"a.c\",\n]\nmodel = \"mine\"\nprogram = \"p\"\n" + tests},
		{"a build of its own", "\"program\" = \"p\"\n[build]\nsystem = \"make\"\n", "\"program\" = \"p\"\nmodel = \"mine\"\n[build]\nsystem = \"make\"\n"},
		{"a file that ends without a line's end", "sources = [\"a.c\"]\ntests = { dir = \"tests\" }\nprogram = \"p\"",
			"sources = [\"a.c\"]\ntests = { dir = \"tests\" }\nprogram = \"p\"\nmodel = \"mine\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, File)
			testfile.Write(t, path, c.before)
			if err := SetModel(folder, "mine"); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(path); string(text) != c.after {
				t.Errorf("the file is\n%s\nwant\n%s", text, c.after)
			}
			p, err := Open(folder)
			if err != nil || p.Model != "mine" {
				t.Fatalf("read as %v, %v", p, err)
			}
			if err := SetModel(folder, ""); err != nil {
				t.Fatal(err)
			}
			if p, err = Open(folder); err != nil || p.Model != "" {
				t.Errorf("taken away, read as %v, %v", p, err)
			}
		})
	}
}

// A line that would fall into a longer value is not written.
func TestSetModelRefusesWhatItCannotRead(t *testing.T) {
	folder := t.TempDir()
	const trap = "flags = [\"\"\"\nmodel = x\n\"\"\"]\nprogram = \"p\"\nsources = [\"a.c\"]\n[tests]\ndir = \"tests\"\n"
	testfile.Write(t, filepath.Join(folder, File), trap)
	err := SetModel(folder, "mine")
	if err == nil || exit.Of(err) != exit.Input || exit.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadFile(filepath.Join(folder, File)); string(left) != trap {
		t.Errorf("the file was changed:\n%s", left)
	}
}
