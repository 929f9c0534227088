package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// nextFeaturesFile holds the features that are to take the place of a run
// folder's, while its manifest is written.
const nextFeaturesFile = FeaturesFile + ".next"

// ReplaceFeatures puts a table into the place of the run folder's features and
// describes it in the manifest, with the version of winnow that computed it. The
// table has a row for each of the folder's mutants, in their order. All else
// stays as it is, byte for byte.
//
// Nothing is lost when the process ends at any moment: the folder then has its
// old features or, when it has the new ones beside them already, a manifest that
// describes these. FinishReplacing takes it from there.
func (r *Run) ReplaceFeatures(t *table.Table, tool string) error {
	fail := func(err error) error {
		return fmt.Errorf("replace features of %s: %w", r.Manifest.Name(), err)
	}
	ids, err := featureIDs(t)
	if err != nil {
		return fail(err)
	}
	s, err := r.Load(MutantsFile)
	if err != nil {
		return fail(err)
	}
	mutants, err := s.Mutants.Strings("id")
	if err != nil {
		return fail(err)
	}
	if !slices.Equal(ids, mutants) {
		return fail(fmt.Errorf("%d rows that are not those of the %d mutants", len(ids), len(mutants)))
	}
	next := filepath.Join(r.Dir, nextFeaturesFile)
	if err := table.Write(next, t); err != nil {
		return fail(err)
	}
	file, err := identify(next)
	if err != nil {
		return fail(err)
	}
	m := r.Manifest
	m.Files = map[string]File{FeaturesFile: file}
	for name, other := range r.Manifest.Files {
		if name != FeaturesFile {
			m.Files[name] = other
		}
	}
	m.FeaturesTool = ""
	if tool != m.Tool {
		m.FeaturesTool = tool
	}
	if err := writeManifest(r.Dir, m); err != nil {
		return fail(err)
	}
	r.Manifest = m
	return r.FinishReplacing()
}

// FinishReplacing takes up what an interrupted ReplaceFeatures left behind: new
// features are put into their place when the manifest describes them, and are
// removed when it does not.
func (r *Run) FinishReplacing() error {
	next := filepath.Join(r.Dir, nextFeaturesFile)
	file, err := identify(next)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && file == r.Manifest.Files[FeaturesFile]:
		err = os.Rename(next, filepath.Join(r.Dir, FeaturesFile))
	default:
		err = os.Remove(next)
	}
	if err != nil {
		return fmt.Errorf("replace features of %s: %w", r.Manifest.Name(), err)
	}
	return nil
}
