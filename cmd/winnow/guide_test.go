package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

// fencedBlock is a block of commands, or of what they print.
var fencedBlock = regexp.MustCompile("(?ms)^```(sh|text)\n(.*?)^```$")

// What the guide tells its readers to type works, one block after the other in one folder, and
// prints what it shows.
func TestTheGuideShowsWhatItsCommandsPrint(t *testing.T) {
	dir := t.TempDir()
	shortPrograms(t, filepath.Join(dir, "examples"))
	printed, blocks := "", 0
	for _, block := range fencedBlock.FindAllStringSubmatch(guide(t), -1) {
		if block[1] == "text" {
			if missing := notPrinted(printed, block[2]); missing != "" {
				t.Errorf("the guide shows %q, which is not among\n%s", missing, printed)
			}
			continue
		}
		blocks++
		cmd := exec.Command("sh", "-e", "-c", block[2])
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%s%v", block[2], out, err)
		}
		printed = string(out)
	}
	if blocks < 5 {
		t.Fatalf("the guide has %d blocks of commands", blocks)
	}
}

// A tester and a job of continuous integration are there in less than ten commands of winnow's.
func TestTheGuideIsShort(t *testing.T) {
	sections := strings.Split(guide(t), "\n## ")
	for _, title := range []string{"The first ten minutes", "In continuous integration"} {
		commands := 0
		for _, section := range sections {
			if strings.HasPrefix(section, title) {
				for _, block := range blocks(section, "sh") {
					commands += len(regexp.MustCompile(`(?m)^winnow `).FindAllString(block, -1))
				}
			}
		}
		if commands == 0 || commands >= 10 {
			t.Errorf("%s: %d commands", title, commands)
		}
	}
}

// The walks of a tester and of a job of continuous integration, from a checkout to the result,
// are as short.
func TestTheWalksAreShort(t *testing.T) {
	for _, who := range []string{"tester", "ci"} {
		script := testfile.Read(t, filepath.Join("testdata", "session", "walk-"+who+".txtar"))
		commands := len(regexp.MustCompile(`(?m)^(exec|status \d+) winnow `).FindAllString(script, -1))
		if commands == 0 || commands >= 10 {
			t.Errorf("%s: %d commands", who, commands)
		}
	}
}

var anything = regexp.MustCompile(` ?… ?`)

func guide(t *testing.T) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(repository, "docs", "guide.md"))
}

// notPrinted is the first line of what is shown that was not printed after those before it;
// … stands for anything, and white space for other white space.
func notPrinted(printed, shown string) string {
	rest := strings.Join(strings.Fields(printed), " ")
	for line := range strings.Lines(shown) {
		pattern := anything.ReplaceAllString(regexp.QuoteMeta(strings.Join(strings.Fields(line), " ")), ".*?")
		at := regexp.MustCompile(pattern).FindStringIndex(rest)
		if at == nil {
			return line
		}
		rest = rest[at[1]:]
	}
	return ""
}

func TestWhatIsNotPrintedIsFound(t *testing.T) {
	const printed = "a  1 of 3\nb 2\n"
	for shown, missing := range map[string]string{"a 1 …\nb 2\n": "", "b 2\na 1\n": "a 1\n", "a 2 of 3\n": "a 2 of 3\n"} {
		if got := notPrinted(printed, shown); got != missing {
			t.Errorf("of %q, %q is missing, want %q", shown, got, missing)
		}
	}
}
