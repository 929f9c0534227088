package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// make check-deep runs of the command's own tests only those that have a sample, which it
// names.
func TestTheSampledTestsOfTheCommandAreRunWhole(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?m)^SAMPLED := \^\((.*)\)\$\$$`).FindSubmatch(makefile)
	if named == nil {
		t.Fatal("the Makefile names no tests")
	}
	files, err := filepath.Glob("cmd/winnow/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	uses := regexp.MustCompile(`\bdeep\.(Sample|Count|Asked)\(`)
	begins := regexp.MustCompile(`(?m)^func (\w+)`)
	sampled := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range uses.FindAllIndex(text, -1) {
			all := begins.FindAllSubmatch(text[:at[0]], -1)
			if len(all) == 0 {
				continue
			}
			sampled++
			if test := string(all[len(all)-1][1]); !strings.Contains("|"+string(named[1])+"|", "|"+test+"|") {
				t.Errorf("%s: %s has a sample, and make check-deep does not run it whole: name it in SAMPLED", file, test)
			}
		}
	}
	if sampled == 0 {
		t.Error("no test has a sample")
	}
}
