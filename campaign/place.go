package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/report"
)

// place is where run folders go. A new output folder is written to directly, so
// that what a killed run had finished is kept; one to be replaced stays until
// there is something to take its place.
type place struct {
	// out is the output folder, folder the one to write to: a draft beside out
	// where out is replaced.
	out, folder string
}

func newPlace(out string, replace, resume bool) (*place, error) {
	out = filepath.Clean(out)
	_, err := os.Lstat(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &place{out: out, folder: out}, nil
	case err != nil:
		return nil, fmt.Errorf("looking at the output folder: %w", err)
	case !replace && !resume:
		return nil, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", out))
	}
	if err := onlyRuns(out); err != nil {
		return nil, err
	}
	if resume {
		return &place{out: out, folder: out}, nil
	}
	draft, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".new-")
	if err != nil {
		return nil, fmt.Errorf("making a folder beside %s: %w", out, err)
	}
	return &place{out: out, folder: draft}, os.Chmod(draft, 0o755)
}

// onlyRuns returns an error when a folder holds anything that no run wrote: a
// slip of the keyboard must not remove a user's files.
func onlyRuns(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("looking at what would be replaced: %w", err)
		}
		name := d.Name()
		ours := d.IsDir() || d.Type().IsRegular() &&
			(name == dataset.ManifestFile || name == report.MissedFile || filepath.Ext(name) == ".parquet" ||
				filepath.Ext(name) == ".json" && filepath.Base(filepath.Dir(path)) == ProgressFolder || atomicfile.Unfinished(name))
		if !ours {
			return exit.New(exit.Output, fmt.Errorf("%s is not replaced: it holds %s, which no run wrote", dir, path), "name another folder")
		}
		return nil
	})
}

// commit puts the draft in its place.
func (p *place) commit() error {
	if p.folder == p.out {
		return nil
	}
	aside := p.folder + ".old"
	if err := os.Rename(p.out, aside); err != nil {
		return fmt.Errorf("replacing %s: %w", p.out, err)
	}
	if err := os.Rename(p.folder, p.out); err != nil {
		return errors.Join(fmt.Errorf("replacing %s: %w", p.out, err), os.Rename(aside, p.out))
	}
	p.folder = p.out
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("removing what was replaced: %w", err)
	}
	return nil
}

// discard removes a draft that was not committed.
func (p *place) discard() {
	if p.folder != p.out {
		os.RemoveAll(p.folder)
	}
}
