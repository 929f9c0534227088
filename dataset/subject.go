package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Subject is what a run folder holds. Every part but the manifest may be nil.
type Subject struct {
	Manifest Manifest
	// Mutants has MutantsSchema, one row a mutant in the order of selectors.
	Mutants *table.Table
	// Features has the string column "id" first, then one column a feature.
	Features *table.Table
	Kills    *kill.Matrix
	// Probe has ProbeSchema.
	Probe  *table.Table
	Faults fault.Table
	Cover  *cover.Matrix
	// Branches is coverage of that kind.
	Branches *cover.Matrix
	// Criteria are what other tools measured on the tests (package coverage).
	Criteria []*criterion.Matrix
	// Ranking has RankingSchema, best mutant first.
	Ranking *table.Table
	// Proofs has ProofsSchema; nil where nothing was proved.
	Proofs *table.Table
	// Removed has RemovedSchema, Sources SourcesSchema, and Edits EditsSchema: what
	// people read of the mutants.
	Removed, Sources, Edits *table.Table
	// Feedback is what testers said of the mutants, oldest first.
	Feedback []Feedback
	// Lived are the mutants that the tests of an earlier version of the subject let live, by id;
	// nil where the history has none, or no kills were loaded.
	Lived map[string]bool
}

// MutantsSchema is the columns of mutants.parquet.
func MutantsSchema() table.Schema {
	return slices.Concat(table.Schema{
		{Name: "id", Type: table.String, Doc: "id of the mutant, the same from run to run"},
		{Name: "selector", Type: table.Int64, Doc: "number of the mutant in the meta-mutant, from 1"},
		{Name: "site", Type: table.Int64, Doc: "ordinal of the mutant's place in the program, from 0"},
		{Name: "statement", Type: table.Int64, Doc: "number of the statement it changes, from 0"},
	}, changeColumns(), table.Schema{
		{Name: "ir_only", Type: table.Bool, Doc: "no change of the C text does what the mutant does"},
		{Name: "artefact", Type: table.Bool, Doc: "it changes code that the compiler made"},
		{Name: "diff", Type: table.String, Doc: "the change as a unified diff of the source; empty where there is none"},
	})
}

// changeColumns say what a mutant changes, and where.
func changeColumns() table.Schema {
	return table.Schema{
		{Name: "operator", Type: table.String, Doc: "operator family"},
		{Name: "matcher", Type: table.String, Doc: "the fragment that the operator matched"},
		{Name: "replacer", Type: table.String, Doc: "the fragment put in its place"},
		{Name: "rule", Type: table.String, Doc: "name of the rule that made it, as in the file of operators"},
		{Name: "function", Type: table.String, Doc: "function it is in"},
		{Name: "file", Type: table.String, Doc: "source file, relative to the project"},
		{Name: "line", Type: table.Int64, Doc: "line of the change, from 1; 0 if not known"},
		{Name: "column", Type: table.Int64, Doc: "byte of the line, from 1; 0 if not known"},
		{Name: "original", Type: table.String, Doc: "the C text that is replaced"},
		{Name: "replacement", Type: table.String, Doc: "the C text put in its place"},
	}
}

// Validate returns an error when the parts do not fit together: ids that
// repeat, or features, kills and ranks of mutants that are not in the table of
// mutants.
func (s *Subject) Validate() error {
	known := map[string]bool{}
	if s.Mutants != nil {
		if d := MutantsSchema().Difference(s.Mutants.Schema()); d != "" {
			return fmt.Errorf("mutants: %s", d)
		}
		ids, err := s.Mutants.Strings("id")
		if err != nil {
			return fmt.Errorf("mutants: %w", err)
		}
		for _, id := range ids {
			if known[id] {
				return fmt.Errorf("mutants: id %s occurs twice", id)
			}
			known[id] = true
		}
	}
	if s.Features != nil {
		ids, err := featureIDs(s.Features)
		if err != nil {
			return fmt.Errorf("features: %w", err)
		}
		if err := s.subset("features", ids, known); err != nil {
			return err
		}
	}
	if s.Kills != nil {
		if err := s.subset("kills", s.Kills.Mutants(), known); err != nil {
			return err
		}
	}
	if s.Proofs != nil {
		if err := checkProofs(s.Proofs); err != nil {
			return fmt.Errorf("proofs: %w", err)
		}
	}
	if s.Probe != nil {
		if d := differenceOfProbe(s.Probe.Schema()); d != "" {
			return fmt.Errorf("probe: %s", d)
		}
	}
	if s.Branches != nil && s.Branches.Kind() != cover.Branches {
		return fmt.Errorf("branches: it is coverage of %s", s.Branches.Kind())
	}
	for _, part := range []struct {
		name string
		t    *table.Table
		want table.Schema
	}{{"removed", s.Removed, RemovedSchema()}, {"sources", s.Sources, SourcesSchema()}, {"edits", s.Edits, EditsSchema()}} {
		if part.t == nil {
			continue
		}
		if d := part.want.Difference(part.t.Schema()); d != "" {
			return fmt.Errorf("%s: %s", part.name, d)
		}
	}
	if s.Ranking == nil {
		return nil
	}
	if d := RankingSchema().Difference(s.Ranking.Schema()); d != "" {
		return fmt.Errorf("ranking: %s", d)
	}
	ids, err := s.Ranking.Strings("id")
	if err != nil {
		return fmt.Errorf("ranking: %w", err)
	}
	return s.subset("ranking", ids, known)
}

func featureIDs(features *table.Table) ([]string, error) {
	schema := features.Schema()
	if len(schema) == 0 || schema[0].Name != "id" || schema[0].Type != table.String {
		return nil, errors.New(`the first column must be the string column "id"`)
	}
	return features.Strings("id")
}

func (s *Subject) subset(what string, ids []string, known map[string]bool) error {
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			return fmt.Errorf("%s: mutant %s occurs twice", what, id)
		}
		seen[id] = true
		if s.Mutants != nil && !known[id] {
			return fmt.Errorf("%s: mutant %s is not among the mutants; the tables come from two runs", what, id)
		}
	}
	return nil
}

// WriteSubject writes the parts that are not nil to the run folder dir, which
// it creates, and seals it.
func WriteSubject(dir string, s *Subject) error {
	if err := s.Validate(); err != nil {
		return fmt.Errorf("write subject %s: %w", s.Manifest.Name(), err)
	}
	if err := atomicfile.MakeFolder(dir); err != nil {
		return fmt.Errorf("write subject %s: %w", s.Manifest.Name(), err)
	}
	if err := Unseal(dir); err != nil {
		return err
	}
	for _, part := range []struct {
		file    string
		present bool
		write   func(path string) error
	}{
		{MutantsFile, s.Mutants != nil, func(p string) error { return table.Write(p, s.Mutants) }},
		{FeaturesFile, s.Features != nil, func(p string) error { return table.Write(p, s.Features) }},
		{KillsFile, s.Kills != nil, func(p string) error { return kill.Write(p, s.Kills) }},
		{ProbeFile, s.Probe != nil, func(p string) error { return table.Write(p, s.Probe) }},
		{FaultsFile, s.Faults != nil, func(p string) error { return fault.Write(p, s.Faults) }},
		{CoverFile, s.Cover != nil, func(p string) error { return cover.Write(p, s.Cover) }},
		{BranchesFile, s.Branches != nil, func(p string) error { return cover.Write(p, s.Branches) }},
		{CriteriaFile, s.Criteria != nil, func(p string) error { return criterion.Write(p, s.Criteria) }},
		{RankingFile, s.Ranking != nil, func(p string) error { return table.Write(p, s.Ranking) }},
		{ProofsFile, s.Proofs != nil, func(p string) error { return table.Write(p, s.Proofs) }},
		{RemovedFile, s.Removed != nil, func(p string) error { return table.Write(p, s.Removed) }},
		{SourcesFile, s.Sources != nil, func(p string) error { return table.Write(p, s.Sources) }},
		{EditsFile, s.Edits != nil, func(p string) error { return table.Write(p, s.Edits) }},
	} {
		path := filepath.Join(dir, part.file)
		if part.present {
			if err := part.write(path); err != nil {
				return fmt.Errorf("write subject %s: %w", s.Manifest.Name(), err)
			}
		} else if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("write subject %s: %w", s.Manifest.Name(), err)
		}
	}
	return Seal(dir, s.Manifest)
}

// Unseal removes the manifest of a run folder, so that it counts as not
// finished while its tables change.
func Unseal(dir string) error {
	if err := os.Remove(filepath.Join(dir, ManifestFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("unseal run folder: %w", err)
	}
	return nil
}

// Seal writes the manifest of a run folder whose tables are all in place, and
// fills in Format and Files.
func Seal(dir string, m Manifest) error {
	if m.Program == "" {
		return fmt.Errorf("seal %s: the manifest names no program", dir)
	}
	m.Format = FormatVersion
	m.Files = map[string]File{}
	for _, name := range tableFiles {
		file, err := identify(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("seal run folder: %w", err)
		}
		m.Files[name] = file
	}
	return writeManifest(dir, m)
}

func identify(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	h := sha256.New()
	size, err := io.Copy(h, f)
	if err != nil {
		return File{}, fmt.Errorf("hash %s: %w", path, err)
	}
	r, err := table.NewReader(f, size, path)
	if err != nil {
		return File{}, err
	}
	return File{Schema: r.Schema().Hash(), Rows: r.Rows(), SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
