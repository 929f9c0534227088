package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// FormatVersion is the version of the run folder's format.
const FormatVersion = 1

// The files of a run folder.
const (
	ManifestFile = "manifest.json"
	MutantsFile  = "mutants.parquet"
	FeaturesFile = "features.parquet"
	KillsFile    = "kills.parquet"
	FaultsFile   = "faults.parquet"
	CoverFile    = "cover.parquet"
	RankingFile  = "ranking.parquet"
	ProbeFile    = "probe.parquet"
	BranchesFile = "branches.parquet"
	SourcesFile  = "sources.parquet"
	EditsFile    = "edits.parquet"
	CriteriaFile = "criteria.parquet"
)

// tableFiles are the tables of a run folder, in the order of their making.
var tableFiles = []string{MutantsFile, CoverFile, BranchesFile, CriteriaFile, FeaturesFile, KillsFile, ProbeFile, FaultsFile, RankingFile, ProofsFile, RemovedFile, SourcesFile, EditsFile}

// readingFiles are for people: nothing is learned from them.
var readingFiles = []string{RankingFile, BranchesFile, CriteriaFile, RemovedFile, SourcesFile, EditsFile}

// ErrUnfinished: the folder has no manifest, so that what made it did not end.
var ErrUnfinished = errors.New("the run folder is not finished; run again what makes it")

// Manifest says what a run folder holds and where it comes from. It is written
// last, so that a folder without one is not finished. See
// docs/formats/manifest.md.
type Manifest struct {
	// Format is FormatVersion; Seal fills it.
	Format int `json:"format"`
	// Tool is the version of winnow that wrote the folder.
	Tool string `json:"tool"`
	// FeaturesTool is the version that computed the features, where they were
	// computed again by another one (ReplaceFeatures).
	FeaturesTool string `json:"features_tool,omitempty"`

	// Program and Fault together name the subject: one version of one program.
	// Problem is the key by which subjects that resemble each other are kept
	// together, e.g. the programming problem they solve; empty: Program.
	Program string `json:"program"`
	Problem string `json:"problem,omitempty"`
	Fault   string `json:"fault,omitempty"`

	// Seed is the seed that all randomness of the run comes from.
	Seed uint64 `json:"seed"`
	// Options are the run's options by name.
	Options map[string]string `json:"options,omitempty"`
	// Inputs are the SHA-256 of what was read, in hexadecimal, by name.
	Inputs map[string]string `json:"inputs,omitempty"`
	// Counts are numbers of mutants, tests and so on, by name.
	Counts map[string]int64 `json:"counts,omitempty"`
	// Stages are the stages that ran, in order.
	Stages []Stage `json:"stages,omitempty"`
	// Files are the tables of the folder by name; Seal fills it.
	Files map[string]File `json:"files"`
}

// Stage is one stage of a run.
type Stage struct {
	Name string `json:"name"`
	// Seconds is the stage's wall time.
	Seconds float64 `json:"seconds"`
}

// File identifies a table of a run folder.
type File struct {
	// Schema is the hash of the table's schema, Rows its number of rows.
	Schema string `json:"schema"`
	Rows   int    `json:"rows"`
	// SHA256 is the hash of the file's bytes, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// Name names the subject in messages.
func (m *Manifest) Name() string {
	if m.Fault == "" {
		return m.Program
	}
	return m.Program + "/" + m.Fault
}

// Group is the problem, or the program where there is none.
func (m *Manifest) Group() string {
	if m.Problem == "" {
		return m.Program
	}
	return m.Problem
}

// ReadManifest reads the manifest of a run folder; it wraps ErrUnfinished when
// there is none.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Manifest{}, fmt.Errorf("read manifest: %s: %w", dir, ErrUnfinished)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read manifest: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fmt.Errorf("read manifest %s: %w; run again what makes this folder", path, err)
	}
	if m.Format != FormatVersion {
		return Manifest{}, fmt.Errorf("read manifest %s: format %d, this winnow reads %d; use the version that wrote it (%s)", path, m.Format, FormatVersion, m.Tool)
	}
	if m.Program == "" {
		return Manifest{}, fmt.Errorf("read manifest %s: it names no program", path)
	}
	return m, nil
}

func writeManifest(dir string, m Manifest) error {
	text, err := json.MarshalIndent(m, "", "  ") // sorts the keys of maps
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	return atomicfile.Write(filepath.Join(dir, ManifestFile), append(text, '\n'))
}
