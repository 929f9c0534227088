package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// TestExtension adds an operator, a feature family, a strategy and a stage that finds
// equivalent mutants, each by one new file and one new line in a list, builds winnow with
// them, and uses them as its users would. The repository's own files stay as they are: the
// compiler reads the new ones over them.
func TestExtension(t *testing.T) {
	t.Parallel()
	clangtest.Tools(t)
	archive, err := txtar.ParseFile("testdata/extensions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	winnow, c := filepath.Join(folder, "winnow"), filepath.Join(folder, "program.c")
	over := overlay{folder: folder, Replace: map[string]string{}}
	for _, f := range archive.Files {
		if filepath.Ext(f.Name) == ".c" {
			write(t, c, f.Data)
			continue
		}
		over.add(t, f)
	}
	replaced, err := json.Marshal(over)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "overlay.json"), replaced)
	printed(t, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-overlay", filepath.Join(folder, "overlay.json"), "-o", winnow, ".")

	t.Run("operator", func(t *testing.T) {
		mutants := verdicts(t, winnow, c, "--operators", "halving")
		if len(mutants) != 1 || mutants[0].Original != "a + b" || mutants[0].Replacement != "a / 2" {
			t.Errorf("the mutants of the new operator: %+v", mutants)
		}
	})
	t.Run("feature family", func(t *testing.T) {
		file := filepath.Join(folder, "features.parquet")
		printed(t, winnow, "features", c, "--operators", "halving", "--out", file)
		got, err := table.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		values, err := got.Floats("column_of_text")
		if err != nil || !slices.Equal(values, []float64{16}) {
			t.Errorf("the new feature is %v (%v), want 16 of the only mutant", values, err)
		}
	})
	t.Run("strategy", func(t *testing.T) {
		var ranking struct{ Mutants []struct{ Line int } }
		read(t, printed(t, winnow, "rank", c, "--strategy", "last", "--format", "json"), &ranking)
		var lines []int
		for _, m := range ranking.Mutants {
			lines = append(lines, m.Line)
		}
		if slices.Reverse(lines); len(lines) < 5 || !slices.IsSorted(lines) || lines[0] == lines[len(lines)-1] {
			t.Errorf("the lines of the ranking, from its end: %v", lines)
		}
	})
	t.Run("equivalence stage", func(t *testing.T) {
		var found []proof
		for _, m := range verdicts(t, winnow, c, "--operators", "sdl") {
			if m.Evidence == "logs" && m.Verdict == "equivalent" {
				found = append(found, m)
			}
		}
		if len(found) != 1 || found[0].Line != 5 {
			t.Errorf("the new stage calls equivalent: %+v", found)
		}
	})
}

// overlay is what go build -overlay reads: the files that stand in the place of others.
type overlay struct {
	folder  string
	Replace map[string]string
}

// add lays a new file over the repository, and all.go of its folder with one line more
// at the end of the last list that it returns.
func (o *overlay) add(t *testing.T, f txtar.File) {
	t.Helper()
	first, _, _ := strings.Cut(string(f.Data), "\n")
	_, line, ok := strings.Cut(first, "// all.go: ")
	if !ok {
		t.Fatalf("%s does not say which line it has in all.go", f.Name)
	}
	o.lay(t, filepath.Join("..", "..", f.Name), f.Data)
	list := filepath.Join("..", "..", filepath.Dir(f.Name), "all.go")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	end := strings.LastIndex(string(text), ",\n\t}\n") + len(",\n")
	o.lay(t, list, slices.Concat(text[:end], []byte("\t\t"+line+"\n"), text[end:]))
}

// lay puts a text in the place of a file.
func (o *overlay) lay(t *testing.T, file string, text []byte) {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Replace[file] = filepath.Join(o.folder, fmt.Sprintf("%d.go", len(o.Replace)))
	write(t, o.Replace[file], text)
}

// verdicts are what winnow prove says of the mutants of a file.
func verdicts(t *testing.T, winnow, file string, flags ...string) []proof {
	t.Helper()
	var out proofs
	read(t, printed(t, winnow, append([]string{"prove", file, "--json"}, flags...)...), &out)
	return out.Mutants
}

// printed is what a command prints, which must end well.
func printed(t *testing.T, command string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", command, strings.Join(args, " "), err, stderr.String())
	}
	return out
}

func read(t *testing.T, text []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
