package built

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/internal/parallel"
)

// findChanged sets the sources that a change touches, in themselves or in a file that they include,
// where mutants are asked for on the lines of a change: no other source has any, and compiling and
// mutating all of them to find that out takes longer than anything else of a small change. The
// preprocessor says what a source includes.
func (r *recording) findChanged(ctx context.Context) error {
	change, err := r.opts.Mutation.Scope.Change(ctx)
	if err != nil || change == nil {
		return err
	}
	units := r.units()
	touched, err := parallel.Map(ctx, r.opts.Workers, units, func(ctx context.Context, _ int, u *capture.Unit) (bool, error) {
		in := r.input(u)
		text, err := r.builder.Tools.In(in.Directory).Preprocess(ctx, in.Path, in.Flags)
		if err != nil {
			return true, ctx.Err() // compiling it will say why
		}
		return slices.ContainsFunc(included(text, in.Directory), change.Changes), nil
	})
	if err != nil {
		return fmt.Errorf("looking for the sources that changed: %w", err)
	}
	r.changed = map[string]bool{}
	for k, u := range units {
		if touched[k] {
			r.changed[u.Source] = true
		}
	}
	if len(r.changed) == 0 && len(units) > 0 {
		r.changed[units[0].Source] = true // whose mutants are all out of scope, which says what there is
	}
	return nil
}

// lineMarker names the file of the lines that follow.
var lineMarker = regexp.MustCompile(`(?m)^# \d+ "([^"<]+)"`)

// included are the files of a preprocessed text, the source among them.
func included(text []byte, dir string) []string {
	var out []string
	known := map[string]bool{}
	for _, found := range lineMarker.FindAllSubmatch(text, -1) {
		name := string(found[1])
		if known[name] {
			continue
		}
		known[name] = true
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		out = append(out, name)
	}
	return out
}
