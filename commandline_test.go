package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// flagWord is a flag in a sentence. A text that is a flag as a whole is an argument of
// another program, as is what begins a line of git's.
var (
	flagWord  = regexp.MustCompile(`(^|[\s("'/` + "`" + `])--[a-z]{2}`)
	oneFlag   = regexp.MustCompile(`^--\S*$`)
	lineOfGit = regexp.MustCompile(`^diff --[a-z]+ $`)
)

// ownFlags are the texts that stay: what a column of a recorded table is said to mean is
// in every file that has it.
var ownFlags = []string{"the test was made from the others by an import with --augment"}

// flagsIn returns the texts of a file's string literals that name flags.
func flagsIn(name string, source any) ([]string, error) {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && flagWord.MatchString(text) && !oneFlag.MatchString(text) && !lineOfGit.MatchString(text) && !slices.Contains(ownFlags, text) {
			found = append(found, fmt.Sprintf("%s: %q", positions.Position(literal.Pos()), text))
		}
		return true
	})
	return found, nil
}

// Below cmd nobody knows which words the command line has: a page, a job of continuous
// integration or another program may be what calls. Errors have a kind there
// (internal/exit), and cmd/winnow/hints.go says what to type.
func TestLibrariesKnowNoFlags(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if path == "cmd" || path != "." && hidden(d.Name()) || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		found, err := flagsIn(path, nil)
		for _, text := range found {
			t.Errorf("%s names a flag: give the error a kind, and the kind a hint in cmd/winnow/hints.go", text)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

func TestFlagsInSentencesAreFound(t *testing.T) {
	source := "package p\n// Not --this.\nvar a, b, c, d = \"give it --out\", \"--lines %s: what?\", \"--no-color\", `(--all)`\nvar e, f = \"diff --git \", \"a -- b --\"\n"
	found, err := flagsIn("p.go", source)
	if err != nil || len(found) != 3 || !strings.HasPrefix(found[0], "p.go:3:") {
		t.Errorf("found %q, %v", found, err)
	}
}
