package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/report"
)

// place is where run folders go, which nobody else writes to meanwhile. A new output
// folder is written to directly, so that what a killed run had finished is kept; one to be
// replaced stays until there is something to take its place.
type place struct {
	// folder is the one to write to: the output folder, or where that is replaced a draft
	// beside it.
	folder string
	held   *output.Held
	draft  *output.Draft // nil: nothing is replaced
}

func newPlace(out string, replace, resume bool) (*place, error) {
	out = filepath.Clean(out)
	held, err := output.Hold(out)
	if err != nil {
		return nil, err
	}
	p := &place{folder: out, held: held}
	if err := p.open(out, replace, resume); err != nil {
		held.Release()
		return nil, err
	}
	return p, nil
}

func (p *place) open(out string, replace, resume bool) error {
	_, err := os.Lstat(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("looking at the output folder: %w", err)
	case !replace && !resume:
		return exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", out))
	}
	if resume { // what testers said stays
		return onlyRuns(out, dataset.FeedbackFile)
	}
	if err := onlyRuns(out); err != nil {
		return err
	}
	return p.whole()
}

// whole has the folder appear whole or not at all, also where nothing is replaced: for what
// cannot be gone on with.
func (p *place) whole() error {
	if p.draft != nil {
		return nil
	}
	var err error
	if p.draft, err = output.NewDraft(p.folder); err == nil {
		p.folder = p.draft.Folder
	}
	return err
}

// onlyRuns returns an error when a folder holds anything that no run wrote: a
// slip of the keyboard must not remove a user's files.
func onlyRuns(dir string, besides ...string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("looking at what would be replaced: %w", err)
		}
		name := d.Name()
		ours := d.IsDir() || d.Type().IsRegular() &&
			(name == dataset.ManifestFile || name == report.MissedFile || filepath.Ext(name) == ".parquet" ||
				filepath.Ext(name) == ".json" && filepath.Base(filepath.Dir(path)) == ProgressFolder || atomicfile.Unfinished(name) || slices.Contains(besides, name))
		if !ours {
			return exit.New(exit.Output, fmt.Errorf("%s is not replaced: it holds %s, which no run wrote", dir, path), "name another folder")
		}
		return nil
	})
}

// commit puts the draft in its place.
func (p *place) commit() error {
	if p.draft == nil {
		return nil
	}
	return p.draft.Commit()
}

// close removes a draft that was not committed, and lets others have the folder.
func (p *place) close() {
	if p.draft != nil {
		p.draft.Discard()
	}
	p.held.Release()
}
