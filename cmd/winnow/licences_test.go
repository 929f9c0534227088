package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
)

// terms are the names of the files, and of the folders of files, that modules have their
// licences in, and what goes with these.
var terms = regexp.MustCompile(`(?i)^(un)?(third_party_)?(licen[cs]es?|copying|notice|patents)([-.].*)?$`)

// What is linked is asked of the build itself, so that a new module, or a new version of
// one, fails here until its terms are shipped.
func TestTheLicencesOfAllThatIsLinkedAreShipped(t *testing.T) {
	owners := map[string][]string{} // by text
	add := func(owner, folder string) {
		for _, text := range termsIn(t, folder) {
			owners[text] = append(owners[text], owner)
		}
	}
	add("the library and the runtime of Go", goSays(t, "env", "GOROOT"))
	linked := map[string]string{}
	for _, system := range []string{"linux/amd64", "linux/arm64"} {
		for _, line := range strings.Split(linkedInto(t, system), "\n") {
			if module, folder, found := strings.Cut(line, "\t"); found {
				linked[module] = folder
			}
		}
	}
	if len(linked) < 20 {
		t.Fatalf("the command is made of %d modules", len(linked))
	}
	for _, module := range slices.Sorted(maps.Keys(linked)) {
		add(module, linked[module])
	}
	var out strings.Builder
	out.WriteString("winnow is linked with what follows, each under the terms below its name.\n")
	byOwner := func(a, b string) int { return cmp.Or(slices.Compare(owners[a], owners[b]), strings.Compare(a, b)) }
	for _, text := range slices.SortedFunc(maps.Keys(owners), byOwner) {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), strings.Join(owners[text], "\n"), text)
	}
	golden.Check(t, "licences.txt", []byte(out.String()))
}

// termsIn are the texts of the terms in a folder.
func termsIn(t *testing.T, folder string) (texts []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !terms.MatchString(entry.Name()) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(folder, entry.Name()), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			texts = append(texts, plain(string(text)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(texts) == 0 {
		t.Fatalf("%s has no terms, or has them where nobody looks", folder)
	}
	return texts
}

// plain is a text without the differences that nobody sees.
func plain(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// linkedInto has a line for each package of others in the command: the module with its
// version, a tab, and its folder.
func linkedInto(t *testing.T, system string) string {
	t.Helper()
	goos, goarch, _ := strings.Cut(system, "/")
	t.Setenv("GOOS", goos)
	t.Setenv("GOARCH", goarch)
	return goSays(t, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
}

func goSays(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}
