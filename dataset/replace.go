package dataset

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// replaceable are the tables of a run folder that may be computed again, or added. What
// is to take the place of one has the suffix next while the manifest is written.
var replaceable = []string{FeaturesFile, ProbeFile, BranchesFile}

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
	if err := r.hasRows(features); err != nil {
		return fmt.Errorf("replace features of %s: %w", r.Manifest.Name(), err)
	}
	parts := []part{{FeaturesFile, func(path string) error { return table.Write(path, features) }}}
	if probe != nil {
		parts = append(parts, part{ProbeFile, func(path string) error { return table.Write(path, probe) }})
	}
	return r.replace(parts, func(m *Manifest) {
		m.FeaturesTool = ""
		if tool != m.Tool {
			m.FeaturesTool = tool
		}
	})
}

// AddBranches puts branch coverage into the run folder, as safely as ReplaceFeatures.
func (r *Run) AddBranches(branches *cover.Matrix) error {
	return r.replace([]part{{BranchesFile, func(path string) error { return cover.Write(path, branches) }}}, func(*Manifest) {})
}

// part is a table of a run folder that is about to be written.
type part struct {
	name  string
	write func(path string) error
}

// replace writes parts beside those there are, describes them in a manifest that change
// changes, and puts them into their place.
func (r *Run) replace(parts []part, change func(*Manifest)) error {
	fail := func(err error) error {
		return fmt.Errorf("replace tables of %s: %w", r.Manifest.Name(), err)
	}
	m := r.Manifest
	m.Files = maps.Clone(r.Manifest.Files)
	for _, p := range parts {
		path := filepath.Join(r.Dir, p.name+next)
		if err := p.write(path); err != nil {
			return fail(err)
		}
		file, err := identify(path)
		if err != nil {
			return fail(err)
		}
		m.Files[p.name] = file
	}
	change(&m)
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

// FinishReplacing takes up what an interrupted replacement left behind: new
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
			return fmt.Errorf("replace tables of %s: %w", r.Manifest.Name(), err)
		}
	}
	return nil
}
