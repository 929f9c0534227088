package coverage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// ErrTool is wrapped by the error of a tool that failed, beside matrices that say so.
var ErrTool = errors.New("a tool that measures criteria failed")

// Measure measures a target with each tool, one after the other. Where tools fail, their
// matrices are there, with nothing known, and the error, which wraps ErrTool, names them. What the
// system refuses, as where the disk is full, is no failure of a tool and ends all. keep
// is a folder for what is measured, from which it is taken when it is there; "" keeps
// nothing.
func Measure(ctx context.Context, tools []Found, t *Target, keep string) ([]*criterion.Matrix, error) {
	var all []*criterion.Matrix
	var failed []error
	for _, tool := range tools {
		made, err := measured(ctx, tool, t, keep)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if exit.Of(err) == exit.System {
			return nil, err
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%w: %s: %w", ErrTool, tool.Name, err))
			if made, err = nothing(tool, t, err); err != nil {
				return nil, err
			}
		}
		all = append(all, made...)
	}
	return all, errors.Join(failed...)
}

// nothing are the matrices of a tool that failed.
func nothing(tool Found, t *Target, why error) ([]*criterion.Matrix, error) {
	var out []*criterion.Matrix
	for _, name := range tool.Criteria {
		m, err := criterion.New(tool.Name, name, namesOf(t.Tests), nil)
		if err != nil {
			return nil, err
		}
		m.Fail(firstLine(why))
		out = append(out, m)
	}
	return out, nil
}

// firstLine is an error for a table: compilers explain themselves at length.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func namesOf(tests []command.Test) []string {
	out := make([]string, len(tests))
	for i := range tests {
		out[i] = tests[i].Name
	}
	return out
}

// measured are a tool's matrices, kept or made now.
func measured(ctx context.Context, tool Found, t *Target, keep string) ([]*criterion.Matrix, error) {
	if keep == "" {
		return measure(ctx, tool, t)
	}
	key, err := t.key(tool)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(keep, fmt.Sprintf("criteria-%s-%s.parquet", tool.Name, key))
	// What cannot be read is measured again.
	if kept, err := criterion.Read(path); err == nil {
		return kept, nil
	}
	made, err := measure(ctx, tool, t)
	if err != nil {
		return nil, err
	}
	if err := atomicfile.MakeFolder(keep); err != nil {
		return nil, err
	}
	return made, criterion.Write(path, made)
}

// key identifies what a tool measures.
func (t *Target) key(tool Found) (string, error) {
	hash := sha256.New()
	add := func(parts any) error {
		text, err := json.Marshal(parts)
		_, _ = hash.Write([]byte(strings.ReplaceAll(string(text), t.Base, ""))) // a hash takes everything
		return err
	}
	for _, u := range t.Units {
		text, err := os.ReadFile(u.Source)
		if err = errors.Join(err, add([]any{u.Flags, u.Uncounted, text})); err != nil {
			return "", err
		}
	}
	for _, test := range t.Tests {
		var input []byte
		if test.Stdin != "" {
			var err error
			if input, err = os.ReadFile(test.Stdin); err != nil {
				return "", err
			}
		}
		if err := add([]any{test, input}); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), add(tool.Name)
}

// measure builds and runs.
func measure(ctx context.Context, tool Found, t *Target) ([]*criterion.Matrix, error) {
	folder, err := os.MkdirTemp(filepath.Dir(t.Base), ".winnow-coverage-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for a build: %w", err)
	}
	defer os.RemoveAll(folder)
	objects, err := t.build(ctx, tool, folder)
	if err != nil {
		return nil, err
	}
	engine, err := command.Start(ctx, command.Builds{Base: t.Base, Traced: filepath.Join(folder, "layer")}, t.Tests, command.Options{Workers: t.Workers})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	seen := newSeen(len(t.Tests))
	err = engine.Trace(ctx, tool.Environment(command.TracesFolder()), func(test int, o execute.Outcome, left command.Left) error {
		if why := lost(left.Said, tool.Lost()); why != "" {
			return exit.New(exit.System, fmt.Errorf("test %s: %s", t.Tests[test].Name, why), "")
		}
		if t.Unusable(test, o) != "" || len(left.Traces) == 0 {
			return nil
		}
		work := filepath.Join(folder, fmt.Sprintf("run-%d", test))
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		defer os.RemoveAll(work)
		found, err := tool.Read(ctx, objects, left.Traces, work)
		if err != nil {
			return fmt.Errorf("reading what test %s covers: %w", t.Tests[test].Name, err)
		}
		seen.add(test, t.below(found))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if seen.measured.Empty() {
		return nil, fmt.Errorf("none of %d tests ended as it must and left counts", len(t.Tests))
	}
	return seen.matrices(tool, namesOf(t.Tests))
}

// lost is the line of what a run said that begins so, "" where there is none.
func lost(said, beginning string) string {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, beginning) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// build compiles the units and puts them in their places, in the folder's layer. It
// returns the objects that count.
func (t *Target) build(ctx context.Context, tool Found, folder string) (counting []string, err error) {
	layer := filepath.Join(folder, "layer")
	if err := os.Mkdir(layer, 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for a build: %w", err)
	}
	objects, err := parallel.Map(ctx, t.Workers, t.Units, func(ctx context.Context, k int, u Unit) (string, error) {
		object := filepath.Join(folder, fmt.Sprintf("unit%d.o", k))
		return object, tool.Compile(ctx, u, object)
	})
	if err != nil {
		return nil, err
	}
	runtime := filepath.Join(folder, "runtime.o")
	if err := tool.Runtime(ctx, runtime); err != nil {
		return nil, err
	}
	for k, object := range objects {
		if !t.Units[k].Uncounted {
			counting = append(counting, object)
		}
	}
	return counting, t.Place(ctx, layer, objects, runtime)
}

// below are the elements of the project, with the names that it has for files.
func (t *Target) below(all []Element) []Element {
	var out []Element
	for _, e := range all {
		if name := paths.Relative(t.Root, e.File); filepath.IsLocal(name) {
			e.File = filepath.ToSlash(name)
			out = append(out, e)
		}
	}
	return out
}
