package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/patch"
)

// diffs returns the unified diff of every mutant that has one, by id, and
// writes them as files where they are asked for.
func (w *mutantsWriter) diffs(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, u := range w.p.Units {
		if u.Source == nil {
			continue
		}
		patcher := patch.New(u.Source)
		texts, err := parallel.Map(ctx, w.opts.Load.Workers, u.Mutants, func(_ context.Context, i int, _ mutant.Mutant) (string, error) {
			text, err := patcher.Diff(&u.Mutants[i])
			var none *patch.NoCounterpart
			if errors.As(err, &none) {
				return "", nil
			}
			return text, err
		})
		if err != nil {
			return nil, err
		}
		for i, text := range texts {
			if text != "" {
				out[u.Mutants[i].ID] = text
			}
		}
	}
	if !w.opts.Patches {
		return out, nil
	}
	folder := w.path(patchesBelow)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of patches: %w", err)
	}
	for id, text := range out {
		// The folder is a draft: a file needs no care of its own.
		if err := os.WriteFile(filepath.Join(folder, id+".patch"), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("writing a patch: %w", err)
		}
	}
	return out, nil
}
