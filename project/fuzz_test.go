package project

import (
	"testing"

	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// FuzzOpen: whatever a project file says, it is a project or an input that cannot be used.
func FuzzOpen(f *testing.F) {
	f.Add("program = \"p\"\nsources = [\"p.c\"]\n[tests]\nfolder = \"tests\"\n[[faults]]\nname = \"f\"\nsource = \"f.c\"\n")
	f.Add("[build]\ncommand = \"make\"\ntests = \"make check\"\n")
	f.Add("program = \"../p\"\nsources = [\"/etc/passwd\"]\nflags = [\"-fplugin=x\"]\n[tests]\nfile = \"\"\n")
	f.Add("a.b.c.d.e = [[[[{}]]]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, File), text)
		bounded.Check(t, len(text), func() {
			p, err := Open(dir)
			if (p == nil) == (err == nil) || err != nil && exit.Of(err) != exit.Input {
				t.Errorf("%v, %v", p, err)
			}
		})
	})
}
