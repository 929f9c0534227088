package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`(Test\\w+)`\\s+(?:in |\\()`([^`]+_test\\.go)`")
	anyTest   = regexp.MustCompile(`\bTest[A-Z]\w+`)
	testRow   = regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`)
)

// missingTests says what is wrong with the tests that a text names: each stands before its file
// in parentheses, and is there. Every row of the table below a heading names one.
func missingTests(text, heading string, read func(file string) string) (wrong []string) {
	named := map[string]bool{}
	for _, m := range namedTest.FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		if !strings.Contains(read(m[2]), "\nfunc "+m[1]+"(t *testing.T)") {
			wrong = append(wrong, m[2]+" has no "+m[1])
		}
	}
	for _, test := range anyTest.FindAllString(text, -1) {
		if !named[test] {
			wrong = append(wrong, test+" is named without its file")
		}
	}
	_, table, found := strings.Cut(text, heading)
	table, _, _ = strings.Cut(table, "\n## ")
	rows := testRow.FindAllStringSubmatch(table, -1)
	if !found || len(rows) < 2 {
		return append(wrong, "there is no table below "+heading)
	}
	for _, row := range rows[1:] {
		if !namedTest.MatchString(row[2]) {
			wrong = append(wrong, "no test is named for: "+row[1])
		}
	}
	return wrong
}

func TestEveryPromiseOfSecurityNamesATestThatIsThere(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) string {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, wrong := range missingTests(string(text), "\n## How it is tested\n", read) {
		t.Error(wrong)
	}
	// The promises of runs are attacked together, and are said to be.
	_, promises, _ := strings.Cut(string(text), "\n## What is promised of runs\n")
	promises, _, _ = strings.Cut(promises, "\n## ")
	if !namedTest.MatchString(promises) {
		t.Error("no test is named for the promises of runs")
	}
}

func TestAPromiseWithoutItsTestIsFound(t *testing.T) {
	const good = "\n## Tests\n\n| promise | test |\n|---|---|\n| holds | `TestOne` (`a_test.go`) |\n"
	read := func(string) string { return "\nfunc TestOne(t *testing.T) {" }
	if wrong := missingTests(good, "\n## Tests\n", read); len(wrong) > 0 {
		t.Errorf("in order: %v", wrong)
	}
	for _, change := range [][2]string{{"TestOne", "TestTwo"}, {" (`a_test.go`)", ""}, {"`TestOne` (`a_test.go`)", "`make test`"}, {"## Tests", "## Others"}} {
		if wrong := missingTests(strings.Replace(good, change[0], change[1], 1), "\n## Tests\n", read); len(wrong) == 0 {
			t.Errorf("%v is not found", change)
		}
	}
}
