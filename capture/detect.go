package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// candidate is a way to build a project.
type candidate struct {
	system *system
	folder string // below the project, "." for the project itself
	mark   string // the file that says so
	why    string
}

// others are folders that hold builds of other things than the project, whatever it tests.
const others = `\..*|testdata|examples?|samples?|demos?|tutorials?|contrib|docs?|fuzz\w*|ossfuzz|bench\w*|third[-_]?party|vendor|external|deps|debian|winnow-out`

// unlikely are these and folders of tests; testsToo are these alone, where folders of tests are looked at, too.
var (
	unlikely = regexp.MustCompile(`(?i)^(tests?|testing|` + others + `)$`)
	testsToo = regexp.MustCompile(`(?i)^(` + others + `)$`)
)

// candidates lists the ways to build a project, the best first. Where its own folder
// has none, folders up to two levels down are looked at, and the one with the most C
// files is taken.
func candidates(source string, opts Options) ([]candidate, error) {
	found := candidatesIn(source, ".")
	if len(found) == 0 {
		best, most, built := "", -1, []string{}
		folders := buildFolders(source, unlikely)
		hasC := func(folder string) bool { return countC(filepath.Join(source, folder)) > 0 }
		if !slices.ContainsFunc(folders, hasC) { // as of libraries that are a header, which only tests build
			folders = buildFolders(source, testsToo)
		}
		for _, folder := range folders {
			built = append(built, folder)
			if n := countC(filepath.Join(source, folder)); n > most {
				best, most = folder, n
			}
		}
		if best != "" {
			found = candidatesIn(source, best)
			for i := range found {
				found[i].why = fmt.Sprintf("The project's own folder has no build, and %s has %s.", best, found[i].mark)
				if len(built) > 1 {
					found[i].why += fmt.Sprintf(" It holds more C than the other folders that can be built (%s).", strings.Join(built, ", "))
				}
			}
		}
	}
	if opts.System != "" {
		found = slices.DeleteFunc(found, func(c candidate) bool { return c.system.Name != opts.System })
	}
	if len(found) == 0 {
		return nil, exit.New(exit.Input, ErrNoBuild, "winnow knows "+strings.Join(SystemNames(), ", ")+"; write a Makefile, or winnow.toml by hand (docs/projects.md)")
	}
	for i := range found[1:] {
		found[0].why += fmt.Sprintf(" It was preferred to %s (%s).", found[i+1].mark, found[i+1].system.Name)
	}
	return usable(found)
}

func candidatesIn(source, folder string) []candidate {
	var out []candidate
	for i := range Systems {
		s := &Systems[i]
		for _, mark := range s.marks {
			path := filepath.Join(source, folder, mark)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				out = append(out, candidate{s, folder, mark, "There is " + mark + "."})
				break
			}
		}
	}
	return out
}

// buildFolders are folders of a project that can be built, without those in them and without some
// by their names.
func buildFolders(source string, without *regexp.Regexp) []string {
	var out []string
	_ = filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || path == source {
			return nil // what cannot be read is no candidate
		}
		below, err := filepath.Rel(source, path)
		switch {
		case err != nil || without.MatchString(d.Name()) || strings.Count(below, string(filepath.Separator)) > 1:
			return fs.SkipDir
		case len(candidatesIn(source, below)) > 0:
			out = append(out, below)
			return fs.SkipDir
		}
		return nil
	})
	return out
}

func countC(folder string) int {
	n := 0
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".c" {
			n++
		}
		return nil
	})
	return n
}

// usable keeps the candidates whose programs are installed.
func usable(found []candidate) ([]candidate, error) {
	var out []candidate
	var missing error
	for _, c := range found {
		lacks := ""
		for _, tool := range c.system.tools {
			if _, err := exec.LookPath(tool); err != nil {
				lacks = tool
				missing = errors.Join(missing, &MissingError{Tool: tool, For: c.mark})
				break
			}
		}
		if lacks == "" {
			if missing != nil {
				c.why += fmt.Sprintf(" (%v.)", missing)
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, missing
	}
	return out, nil
}
