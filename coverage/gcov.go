package coverage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// gcov is GCC's. A side of a branch is an arc out of a block that has several, so that the
// parts of a condition have sides of their own, which gcov numbers by the line.
var gcov = Tool{
	Name:       "gcov",
	Doc:        "GCC's: lines, functions, and the arcs of branches of the compiled code",
	Criteria:   []string{criterion.Line, criterion.Branch, criterion.Function},
	Needs:      []string{"gcc", "gcov", "ld"},
	Packages:   []string{"gcc", "binutils"},
	Instrument: func(programs []string) Instrument { return gcovAt{programs[0], programs[1], programs[2]} },
}

type gcovAt struct{ gcc, gcov, ld string }

// Compile also writes OBJECT.gcno, without its .o, of what there is to count.
func (g gcovAt) Compile(ctx context.Context, u Unit, object string) error {
	argv := append([]string{g.gcc}, clang.KeepFrontEnd(u.Flags)...)
	argv = append(argv, "-O0", "-g", "-w", "-fPIC")
	if !u.Uncounted {
		argv = append(argv, "--coverage")
	}
	if _, err := run(ctx, u.Dir, append(argv, "-c", u.Source, "-o", object)...); err != nil || u.Uncounted {
		return err
	}
	return wholeNotes(notesOf(object))
}

// notesOf is where gcc puts the notes of an object.
func notesOf(object string) string { return strings.TrimSuffix(object, ".o") + ".gcno" }

// Runtime takes all of libgcov: which of it is needed nobody has said yet.
func (g gcovAt) Runtime(ctx context.Context, object string) error {
	path, err := run(ctx, "", g.gcc, "-print-file-name=libgcov.a")
	if err != nil {
		return err
	}
	_, err = run(ctx, "", g.ld, "-r", "-o", object, "--whole-archive", strings.TrimSpace(string(path)))
	return errors.Join(err, clang.Whole(object))
}

// Environment puts counts below a folder, at the path of the object.
func (g gcovAt) Environment(traces string) []string {
	return []string{"GCOV_PREFIX=" + traces, "GCOV_PREFIX_STRIP=0"}
}

// Lost is what libgcov says of a file of counts that it cannot write: it is below the folder of
// traces (Environment), of which no program says anything so.
func (g gcovAt) Lost() string { return "profiling:" + command.TracesFolder() }

// gcovFile is a source in what gcov prints.
type gcovFile struct {
	File      string `json:"file"`
	Functions []struct {
		Name  string `json:"name"`
		Line  int    `json:"start_line"`
		Count uint64 `json:"execution_count"`
	} `json:"functions"`
	Lines []struct {
		Line     int    `json:"line_number"`
		Count    uint64 `json:"count"`
		Branches []struct {
			Count uint64 `json:"count"`
		} `json:"branches"`
	} `json:"lines"`
}

func (g gcovAt) Read(ctx context.Context, objects []string, traces []command.Trace, folder string) ([]Element, error) {
	argv := []string{g.gcov, "--json-format", "--stdout", "--branch-probabilities"}
	for _, object := range objects {
		notes := notesOf(object)
		name := filepath.Base(notes)
		if err := os.Symlink(notes, filepath.Join(folder, name)); err != nil {
			return nil, err
		}
		argv = append(argv, name)
	}
	for _, f := range traces {
		if filepath.Ext(f.Name) != ".gcda" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(f.Name)), f.Text, 0o644); err != nil {
			return nil, err
		}
	}
	text, err := run(ctx, folder, argv...)
	if err != nil {
		return nil, err
	}
	var out []Element
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var of struct {
			Files []gcovFile `json:"files"`
		}
		if err := d.Decode(&of); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what gcov printed: %w", err)
		}
		for i := range of.Files {
			out = append(out, of.Files[i].elements()...)
		}
	}
}

func (f *gcovFile) elements() []Element {
	var out []Element
	for _, one := range f.Functions {
		out = append(out, Element{criterion.Function, f.File, one.Line, one.Name, one.Count > 0})
	}
	sides := map[int]int{} // by line, which is there once for each function that it is in
	for _, line := range f.Lines {
		out = append(out, Element{criterion.Line, f.File, line.Line, "", line.Count > 0})
		for _, side := range line.Branches {
			sides[line.Line]++
			out = append(out, Element{criterion.Branch, f.File, line.Line, fmt.Sprintf("branch %d", sides[line.Line]), side.Count > 0})
		}
	}
	return out
}
