package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/execute"
)

// Trace is a file that a run left: a coverage profile, for instance.
type Trace struct {
	// Name is its path in the folder of traces.
	Name string
	Text []byte
}

// Left is what a run left: its traces, and the end of what it said on standard error.
type Left struct {
	Traces []Trace
	Said   string
}

// mostTraces bounds what a run's traces may hold, in bytes: they pass through a pipe, and
// lie in memory on both sides.
const mostTraces = 64 << 20

// TracesFolder is where runs of Trace find an empty folder for their traces.
func TracesFolder() string { return tracesPath }

// Trace runs every test once on the traced build, with env beside the test's own
// environment, and tells how each ended and what it left, its traces in TracesFolder. Calls come in any
// order and may overlap; the first error that one returns ends all.
func (e *Engine) Trace(ctx context.Context, env []string, told func(test int, o execute.Outcome, left Left) error) error {
	return e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		t := &e.tests[test]
		answer, err := c.do(ctx, request{Build: tracedBuild, Argv: t.Argv, Dir: t.Dir, Stdin: t.Stdin, Keep: tailBytes, Traces: true,
			Env: append(append(environment(), t.Env...), env...), Wall: e.options.BaselineWall})
		if err != nil {
			return fmt.Errorf("running test %s: %w", t.Name, err)
		}
		return told(test, e.outcome(test, answer, table{}), Left{answer.Traces, string(answer.Stderr.Tail)})
	})
}

// Passes reports whether a test that ended so has passed.
func (t *Test) Passes(o execute.Outcome) bool {
	return (&Engine{tests: []Test{*t}}).unusable(0, o) == ""
}

// readTraces are the regular files below a folder, in the order of their names.
func readTraces(folder string) ([]Trace, error) {
	var out []Trace
	size := int64(0)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // the run removed it
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if size += info.Size(); size > mostTraces {
			return fmt.Errorf("they are more than %d MB", mostTraces>>20)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		out = append(out, Trace{name, text})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading what the run left: %w", err)
	}
	return out, nil
}
