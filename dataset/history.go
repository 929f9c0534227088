package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// ErrNoHistory is the kind of what is no history, or has nothing to learn from.
var ErrNoHistory = errors.New("there is no history")

// ErrEmpty is a folder without a run.
var ErrEmpty = errors.New("no finished run folder")

// ErrOtherColumns is a history whose run folders have different features.
var ErrOtherColumns = errors.New("compute the features of both with one version of winnow")

// History is the finished run folders below a folder.
type History struct {
	Dir string
	// Runs are the finished run folders, sorted by their path, but for those of
	// fixed versions (FixedSuffix), which are Fixed.
	Runs, Fixed []Run
	// Older are the runs of which there is a later version of the same subject (Add), the
	// first first.
	Older []Run
	// Unfinished are the paths of folders that hold tables but no manifest.
	Unfinished []string
}

// Run is a finished run folder.
type Run struct {
	// Dir is the folder; Path is Dir below the history, with slashes.
	Dir, Path string
	Manifest  Manifest
	// Pool is the tests that Load takes.
	Pool Pool
	// earlier are the versions of the subject before this one.
	earlier []Run
}

// OpenHistory finds the run folders below dir, reading no more than their
// manifests. Folders whose run did not end are listed, not read. It is an error
// when there is no finished one, when two of them name the same subject and are not
// versions of it, and when the features of two have other columns.
func OpenHistory(dir string) (*History, error) {
	h := &History{Dir: dir}
	var sealed, tables []string             // folders that hold a manifest, and a table
	root, err := filepath.EvalSymlinks(dir) // WalkDir does not enter a link
	if err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && path != root && output.Beside(d.Name()):
			return filepath.SkipDir // what a killed command left of a run
		case d.IsDir():
		case d.Name() == ManifestFile:
			sealed = append(sealed, filepath.Dir(path))
		case slices.Contains(tableFiles, d.Name()):
			tables = append(tables, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open history: %w", err)
	}
	for _, run := range sealed {
		if err := h.add(root, run); err != nil {
			return nil, fmt.Errorf("open history %s: %w", dir, err)
		}
	}
	for _, run := range slices.Compact(tables) {
		if !slices.Contains(sealed, run) {
			h.Unfinished = append(h.Unfinished, below(root, run))
		}
	}
	h.keepLast()
	for _, runs := range [][]Run{h.Runs, h.Fixed} {
		slices.SortFunc(runs, func(a, b Run) int { return strings.Compare(a.Path, b.Path) })
	}
	slices.Sort(h.Unfinished)
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("open history %s: %w", dir, err)
	}
	return h, nil
}

func below(root, dir string) string {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return dir
	}
	return filepath.ToSlash(rel)
}

func (h *History) add(root, dir string) error {
	m, err := ReadManifest(dir)
	if err != nil {
		return err
	}
	to := &h.Runs
	if m.OfFixed() {
		to = &h.Fixed
	}
	*to = append(*to, Run{Dir: dir, Path: below(root, dir), Manifest: m})
	return nil
}

func (h *History) check() error {
	if len(h.Runs) == 0 {
		return fmt.Errorf("%w among %d unfinished ones; a finished one holds %s", ErrEmpty, len(h.Unfinished), ManifestFile)
	}
	at := map[string]string{}
	first := Run{}
	for _, r := range slices.Concat(h.Runs, h.Fixed) {
		name := r.Manifest.Name()
		if other, ok := at[name]; ok {
			return fmt.Errorf("%s and %s both hold the subject %s; remove one", other, r.Path, name)
		}
		at[name] = r.Path
		if r.Manifest.OfFixed() {
			continue
		}
		f, ok := r.Manifest.Files[FeaturesFile]
		if !ok {
			continue
		}
		if g, ok := first.Manifest.Files[FeaturesFile]; !ok {
			first = r
		} else if f.Schema != g.Schema {
			return fmt.Errorf("%s in %s and %s have other columns (schema %s and %s): %w", FeaturesFile, first.Path, r.Path, g.Schema, f.Schema, describeDifference(first, r))
		}
	}
	return nil
}

// describeDifference opens the two feature tables to say what differs.
func describeDifference(a, b Run) error {
	var schemas [2]table.Schema
	for i, run := range []Run{a, b} {
		r, err := table.Open(filepath.Join(run.Dir, FeaturesFile))
		if err != nil {
			return err
		}
		schemas[i] = r.Schema()
		r.Close()
	}
	return fmt.Errorf("%s; %w", schemas[0].Difference(schemas[1]), ErrOtherColumns)
}

// Hash identifies the data of the history that one learns from: the hash of all names
// and table hashes, in hexadecimal. Stage times, folder names, the runs of fixed versions and
// what is there for people only (readingFiles) do not change it.
func (h *History) Hash() string {
	var lines []string
	for _, r := range h.Runs {
		for _, name := range tableFiles {
			if f, ok := r.Manifest.Files[name]; ok && !slices.Contains(readingFiles, name) {
				lines = append(lines, fmt.Sprintf("%q %q %s %s\n", r.Manifest.Name(), r.Manifest.Group(), name, f.SHA256))
			}
		}
	}
	slices.Sort(lines)
	if h.restricted() {
		lines = append(lines, string(OriginalTests))
	}
	sum := sha256.New()
	for _, line := range lines {
		sum.Write([]byte(line))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// path is that of a file of the run folder.
func (r *Run) path(file string) string { return filepath.Join(r.Dir, file) }

// Has says whether the run folder has the file.
func (r *Run) Has(file string) bool {
	_, ok := r.Manifest.Files[file]
	return ok
}

// Load reads the named files of the run folder, all it has when none is named.
// A named file that the folder lacks is an error; a file that is no longer the
// one the manifest describes is as well. Of the kills it keeps the verdicts
// only.
func (r *Run) Load(files ...string) (*Subject, error) {
	if len(files) == 0 {
		for _, name := range tableFiles {
			if r.Has(name) {
				files = append(files, name)
			}
		}
	}
	if slices.Contains(files, KillsFile) && !slices.Contains(files, ProofsFile) && r.Has(ProofsFile) {
		files = append(slices.Clone(files), ProofsFile) // what is known of kills beside the runs
	}
	s := &Subject{Manifest: r.Manifest}
	for _, name := range files {
		if err := r.load(s, name); err != nil {
			return nil, fmt.Errorf("load subject %s: %w", r.Manifest.Name(), err)
		}
	}
	if s.Kills != nil {
		if err := r.lived(s); err != nil {
			return nil, fmt.Errorf("load subject %s: %w", r.Manifest.Name(), err)
		}
	}
	if err := r.restrict(s); err != nil {
		return nil, fmt.Errorf("load subject %s: %w", r.Manifest.Name(), err)
	}
	var err error
	if s.Feedback, err = ReadFeedback(r.Dir); err != nil {
		return nil, fmt.Errorf("load subject %s: %w", r.Manifest.Name(), err)
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("load subject %s from %s: %w", r.Manifest.Name(), r.Dir, err)
	}
	return s, nil
}

// LoadCauses reads the kills of a subject that was loaded again, with what told each mutant from
// the original: Load leaves that out, which takes 24 bytes a kill and nobody learns from.
func (r *Run) LoadCauses(s *Subject) error {
	var err error
	if s.Kills, err = kill.Read(filepath.Join(r.Dir, KillsFile), kill.Everything); err != nil {
		return fmt.Errorf("load subject %s: %w", r.Manifest.Name(), err)
	}
	return r.restrict(s)
}

func (r *Run) load(s *Subject, name string) error {
	if !slices.Contains(tableFiles, name) {
		return fmt.Errorf("%s is not a table of a run folder", name)
	}
	if err := r.Verify(name); err != nil {
		return err
	}
	path := filepath.Join(r.Dir, name)
	var err error
	switch name {
	case MutantsFile:
		s.Mutants, err = table.Read(path)
	case FeaturesFile:
		s.Features, err = table.Read(path)
	case KillsFile:
		s.Kills, err = kill.Read(path, kill.VerdictsOnly)
	case ProbeFile:
		s.Probe, err = table.Read(path)
	case FaultsFile:
		s.Faults, err = fault.Read(path)
	case CoverFile:
		s.Cover, err = cover.Read(path)
	case BranchesFile:
		s.Branches, err = cover.Read(path)
	case CriteriaFile:
		s.Criteria, err = criterion.Read(path)
	case RankingFile:
		s.Ranking, err = table.Read(path)
	case ProofsFile:
		s.Proofs, err = table.Read(path)
	case RemovedFile:
		s.Removed, err = table.Read(path)
	case SourcesFile:
		s.Sources, err = table.Read(path)
	case EditsFile:
		s.Edits, err = table.Read(path)
	}
	return err
}

// Verify makes sure that the file is the one the manifest describes.
func (r *Run) Verify(name string) error {
	want, ok := r.Manifest.Files[name]
	if !ok {
		return fmt.Errorf("%s has no %s; run the stage that writes it", r.Dir, name)
	}
	path := filepath.Join(r.Dir, name)
	got, err := identify(path)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s is not the file that %s describes; run again what makes this folder", path, ManifestFile)
	}
	return nil
}
