package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/program"
)

// differ returns what writes the diffs of a unit's mutants: "" for a mutant that
// has none.
func (w *writer) differ(u *program.Unit) func(*mutant.Mutant) (string, error) {
	if u.Source == nil {
		return func(*mutant.Mutant) (string, error) { return "", nil }
	}
	patcher := patch.New(u.Source)
	return func(m *mutant.Mutant) (string, error) {
		text, err := patcher.Diff(m)
		var none *patch.NoCounterpart
		if errors.As(err, &none) {
			return "", nil
		}
		return text, err
	}
}

// diffs returns the unified diff of every mutant that has one, by id, and
// writes them as files where they are asked for.
func (w *writer) diffs(ctx context.Context, mutants []mutant.Mutant, diff func(*mutant.Mutant) (string, error)) (map[string]string, error) {
	texts, err := parallel.Map(ctx, w.opts.Load.Workers, mutants, func(_ context.Context, i int, _ mutant.Mutant) (string, error) {
		return diff(&mutants[i])
	})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, text := range texts {
		if text != "" {
			out[mutants[i].ID] = text
		}
	}
	if !w.opts.Patches {
		return out, nil
	}
	for id, text := range out {
		// The folder is a draft: a file needs no care of its own.
		if err := os.WriteFile(w.path(filepath.Join(patchesBelow, id+".patch")), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("writing a patch: %w", err)
		}
	}
	return out, nil
}
