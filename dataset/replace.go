package dataset

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// replaceable are the tables of a run folder that may be computed again. What is to take
// the place of one has the suffix next while the manifest is written.
var replaceable = []string{FeaturesFile, ProbeFile}

const next = ".next"

// ReplaceFeatures puts a table into the place of the run folder's features and
// describes it in the manifest, with the version of winnow that computed it. The
// table has a row for each of the folder's mutants, in their order. All else
// stays as it is, byte for byte, but for the probe: it is replaced as well unless it is
// nil.
//
// Nothing is lost when the process ends at any moment: the folder then has its
// old tables or, when it has the new ones beside them already, a manifest that
// describes these. FinishReplacing takes it from there.
func (r *Run) ReplaceFeatures(features, probe *table.Table, tool string) error {
	fail := func(err error) error {
		return fmt.Errorf("replace features of %s: %w", r.Manifest.Name(), err)
	}
	if err := r.hasRows(features); err != nil {
		return fail(err)
	}
	m := r.Manifest
	m.Files = maps.Clone(r.Manifest.Files)
	for k, t := range []*table.Table{features, probe} {
		if t == nil {
			continue
		}
		name := replaceable[k]
		path := filepath.Join(r.Dir, name+next)
		if err := table.Write(path, t); err != nil {
			return fail(err)
		}
		file, err := identify(path)
		if err != nil {
			return fail(err)
		}
		m.Files[name] = file
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

// hasRows is an error unless a table has a row for each of the folder's mutants.
func (r *Run) hasRows(features *table.Table) error {
	ids, err := featureIDs(features)
	if err != nil {
		return err
	}
	s, err := r.Load(MutantsFile)
	if err != nil {
		return err
	}
	mutants, err := s.Mutants.Strings("id")
	if err != nil {
		return err
	}
	if !slices.Equal(ids, mutants) {
		return fmt.Errorf("%d rows that are not those of the %d mutants", len(ids), len(mutants))
	}
	return nil
}

// FinishReplacing takes up what an interrupted ReplaceFeatures left behind: new
// tables are put into their place when the manifest describes them, and are
// removed when it does not.
func (r *Run) FinishReplacing() error {
	for _, name := range replaceable {
		path := filepath.Join(r.Dir, name+next)
		file, err := identify(path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue
		case err == nil && file == r.Manifest.Files[name]:
			err = os.Rename(path, filepath.Join(r.Dir, name))
		default:
			err = os.Remove(path)
		}
		if err != nil {
			return fmt.Errorf("replace features of %s: %w", r.Manifest.Name(), err)
		}
	}
	return nil
}
