package pipeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Branching makes the executable that notes which sides of the branches of the
// program's files, those of the harness left out, a run takes. It returns its path and
// the sides by their numbers.
func (b *Builder) Branching(ctx context.Context, p *Program, name string) (string, []schemata.Side, error) {
	var sides []schemata.Side
	first := make([]int, len(p.Units))
	for k, u := range p.Units {
		first[k] = len(sides)
		if !u.Input.Harness {
			sides = append(sides, schemata.Sides(u.Module)...)
		}
	}
	out, err := b.link(ctx, p, name, func(w io.Writer, k int, u *Unit) error {
		opts := schemata.Options{Sites: len(sides), Define: k == 0}
		if u.Input.Harness {
			return schemata.Write(w, u.Module, nil, opts)
		}
		return schemata.WriteBranching(w, u.Module, first[k], opts)
	})
	if err != nil {
		return "", nil, fmt.Errorf("making the build that notes branches: %w", err)
	}
	return out, sides, nil
}

// branchesTaken runs a program on the tests in use and notes the sides that they take.
// same says whether a run does what the meta-mutant did on the test of that place.
// Where it does not, because the program reads memory that it never wrote for instance,
// nothing is known of the test.
func (r *recorder) branchesTaken(ctx context.Context, p *Program, same func(test int, seen *execute.TestBaseline) bool) (*cover.Matrix, error) {
	start := time.Now()
	binary, sides, err := r.builder.Branching(ctx, p, "branches")
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	taken, err := r.original(ctx, binary, false)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(r.c.Tests))
	for t := range names {
		names[t] = r.c.Tests[t].Name
	}
	out, err := cover.New(cover.Branches, names, len(sides))
	if err != nil {
		return nil, err
	}
	if err := out.Name(r.namesOf(sides)); err != nil {
		return nil, err
	}
	for t := range taken.Tests {
		seen := &taken.Tests[t]
		if seen.SetAside != "" || !seen.ReachedKnown || !same(t, seen) {
			out.SetUnmeasured(t)
			continue
		}
		for side := range sides {
			if !seen.Reached.Has(side) {
				continue
			}
			if err := out.Set(t, side); err != nil {
				return nil, err
			}
		}
	}
	r.stage("branches", start)
	return out, nil
}

// namesOf says where sides are and when they are taken, e.g. "a.c:12:7 in f: true".
func (r *recorder) namesOf(sides []schemata.Side) []string {
	out := make([]string, len(sides))
	for k, s := range sides {
		out[k] = fmt.Sprintf("%s:%d:%d in %s: %s", relative(r.c.Folder, s.Position.File), s.Position.Line, s.Position.Column, s.Function, s.Taken)
	}
	return out
}
