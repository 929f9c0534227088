package coverage

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Tool is a driver of a tool that measures criteria.
type Tool struct {
	Name, Doc string
	// Criteria are what it measures (matrix/criterion).
	Criteria []string
	// Needs are the programs that it is made of, found on PATH, and Packages those of Debian
	// and Ubuntu that hold them.
	Needs, Packages []string
	// Instrument is the tool at work, given the paths of its programs in the order of Needs.
	Instrument func(programs []string) Instrument
}

// Instrument is a tool at work.
type Instrument interface {
	// Compile makes an object of a unit that counts what runs.
	Compile(ctx context.Context, u Unit, object string) error
	// Runtime makes the object that counting objects are linked with.
	Runtime(ctx context.Context, object string) error
	// Environment makes a run leave its counts in a folder.
	Environment(traces string) []string
	// Lost begins the line that a run prints on standard error, and nothing else, where the system
	// refuses it the file of its counts.
	Lost() string
	// Read says what there is in the objects, and what of it a run covered by the traces
	// that it left. It may write in folder, which is empty.
	Read(ctx context.Context, objects []string, traces []command.Trace, folder string) ([]Element, error)
}

// Element is a line, a side of a branch or a function.
type Element struct {
	Criterion string
	// File is absolute.
	File string
	Line int
	// Name tells it from others of the line: a function's name, a branch's number.
	Name    string
	Covered bool
}

// Unit is a C file and how it is compiled: in folder Dir, with Flags. Of a unit that is Uncounted,
// as a harness is, nothing is counted.
type Unit struct {
	Source, Dir string
	Flags       []string
	Uncounted   bool
}

// Target is what is measured: a driver of a test tool has made it of a project.
type Target struct {
	// Root is the project's folder: elements are below it, and named by it.
	Root  string
	Units []Unit
	// Base is where the project was built and Tests run (command.Builds). Place makes the
	// layer of it in which objects, by unit, and the runtime have the places of its own.
	Base  string
	Tests []command.Test
	Place func(ctx context.Context, layer string, objects []string, runtime string) error
	// Unusable says why a run of a test that ended so tells nothing; "" where it does.
	Unusable func(test int, o execute.Outcome) string
	// Workers is how many units are compiled and tests run at once; 0 means one a core.
	Workers int
}

// Found is a tool that is installed.
type Found struct {
	Tool
	Instrument
}

// ErrMissing is wrapped by Find where a tool is not installed.
var ErrMissing = errors.New("a tool is missing")

// Find looks for tools by their names. It is an error when there is no such tool, or it is
// not installed.
func Find(names []string) ([]Found, error) {
	var out []Found
	for _, name := range names {
		tool, err := lookUp(name)
		if err != nil {
			return nil, err
		}
		for _, before := range out {
			if before.Name == name {
				return nil, exit.Usagef("%s is named twice", name)
			}
		}
		found, err := tool.find()
		if err != nil {
			return nil, err
		}
		out = append(out, found)
	}
	return out, nil
}

func lookUp(name string) (Tool, error) {
	var known []string
	for _, tool := range All() {
		if tool.Name == name {
			return tool, nil
		}
		known = append(known, tool.Name)
	}
	return Tool{}, exit.Usagef("no tool %q measures criteria: want %s", name, strings.Join(known, " or "))
}

func (t Tool) find() (Found, error) {
	var programs, missing []string
	for _, name := range t.Needs {
		path, err := exec.LookPath(name)
		if err != nil {
			missing = append(missing, name)
		}
		programs = append(programs, path)
	}
	if len(missing) > 0 {
		return Found{}, exit.New(exit.Tool, fmt.Errorf("%s: %w: %s not found on PATH", t.Name, ErrMissing, strings.Join(missing, ", ")),
			"on Debian or Ubuntu: sudo apt-get install "+strings.Join(t.Packages, " "))
	}
	return Found{t, t.Instrument(programs)}, nil
}

// run runs a program of a tool, and returns what it printed.
func run(ctx context.Context, dir string, argv ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		failed := &clang.Error{Tool: filepath.Base(argv[0]), Input: "the coverage build", Stderr: strings.TrimSpace(said.String()), Err: err}
		if exit.Of(failed) == exit.System {
			return nil, failed
		}
		first, _, _ := strings.Cut(failed.Stderr, "\n")
		return nil, fmt.Errorf("%s: %w: %s", argv[0], err, first)
	}
	return out, nil
}
