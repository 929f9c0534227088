package project

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

func TestABuildSaysWhatIsComparedBesideHowTestsEnd(t *testing.T) {
	open := func(compare string) (*Project, error) {
		folder := t.TempDir()
		testfile.Write(t, filepath.Join(folder, File), "program = \"p\"\n[build]\ncompare = "+compare+"\n")
		return Open(folder)
	}
	p, err := open(`["stdout", "out/*.txt", "log"]`)
	if err != nil {
		t.Fatal(err)
	}
	if b := p.Build; !b.Compared("stdout") || b.Compared("stderr") || !slices.Equal(b.Files(), []string{"out/*.txt", "log"}) {
		t.Errorf("it compares %+v", b.Compare)
	}
	for _, wrong := range []string{`["../secret"]`, `["/etc/passwd"]`, `["out/["]`, `[""]`} {
		if _, err := open(wrong); err == nil || !strings.Contains(err.Error(), "build.compare") {
			t.Errorf("%s is taken: %v", wrong, err)
		}
	}
}
