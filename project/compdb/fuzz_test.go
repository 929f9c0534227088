package compdb

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// FuzzRead: whatever a database says, its files lie at absolute paths, or it is an input
// that cannot be used.
func FuzzRead(f *testing.F) {
	f.Add(`[{"directory": "build", "command": "cc -I../inc '-DN=\"x y\"' -c ../a.c", "file": "../a.c", "output": "a.o"}]`)
	f.Add(`[{"directory": "/", "arguments": ["cc", "-c", "a.c", "-include", "b.h", "-o"], "file": "a.c"}, {"file": "a.c"}]`)
	f.Add(`[{"directory": "", "command": "cc @a.c \\", "file": "a.c"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, "compile_commands.json"), text)
		bounded.Check(t, len(text), func() {
			inputs, err := Read(dir, nil, nil)
			if err != nil && exit.Of(err) != exit.Input && exit.Of(err) != exit.Usage {
				t.Errorf("%v has status %v", err, exit.Of(err))
			}
			for _, in := range inputs {
				if !filepath.IsAbs(in.Path) {
					t.Errorf("%q", in.Path)
				}
			}
		})
	})
}
