package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// draftMark and asideMark are in the names of drafts, and of what a draft replaces for as
// long as that takes.
const (
	draftMark = ".new-"
	asideMark = ".old"
)

// Draft is a folder in the making.
type Draft struct {
	// Folder is where to write; after Commit it is the output folder.
	Folder string
	path   string
}

// NewDraft makes an empty folder that Commit puts at path.
func NewDraft(path string) (*Draft, error) {
	path = filepath.Clean(path)
	folder, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(beside(path, draftMark)))
	if err != nil {
		return nil, fmt.Errorf("making a folder beside %s: %w", path, err)
	}
	if err := os.Chmod(folder, 0o755); err != nil { // a result is for everybody
		return nil, errors.Join(fmt.Errorf("making a folder beside %s: %w", path, err), os.Remove(folder))
	}
	return &Draft{Folder: folder, path: path}, nil
}

// Commit puts the draft in its place; a folder that is there is replaced.
func (d *Draft) Commit() error {
	if err := syncFolders(d.Folder); err != nil {
		return err
	}
	// A folder cannot be renamed over a full one, so the old one steps aside.
	aside := d.Folder + asideMark
	if err := os.Rename(d.path, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replacing %s: %w", d.path, err)
	}
	if err := os.Rename(d.Folder, d.path); err != nil {
		err = fmt.Errorf("putting %s in its place: %w", d.path, err)
		if back := os.Rename(aside, d.path); back != nil && !errors.Is(back, fs.ErrNotExist) {
			err = errors.Join(err, back)
		}
		return err
	}
	d.Folder = d.path
	if err := atomicfile.SyncFolder(filepath.Dir(d.path)); err != nil {
		return err
	}
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("removing what was replaced: %w", err)
	}
	return nil
}

// syncFolders has the names of all files in a folder, and below it, outlive a power failure:
// what is put in its place is whole then, too.
func syncFolders(folder string) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = atomicfile.SyncFolder(path)
		}
		return err
	})
}

// Discard removes a draft that was not committed.
func (d *Draft) Discard() {
	if d.Folder != d.path {
		os.RemoveAll(d.Folder)
	}
}

// ClearUp removes what killed commands left of drafts for a path, which is held or below a
// folder that is. A folder that had stepped aside, and whose place nobody has taken, goes back.
func ClearUp(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrPermission) {
		return nil // nobody can have left anything there
	}
	if err != nil {
		return fmt.Errorf("looking for what was left beside %s: %w", path, err)
	}
	prefix := filepath.Base(beside(path, draftMark))
	for _, e := range entries {
		if end, ours := strings.CutPrefix(e.Name(), prefix); !ours || !e.IsDir() || !isDraft(end) {
			continue
		}
		left := filepath.Join(filepath.Dir(path), e.Name())
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(left, asideMark) {
			if err := os.Rename(left, path); err != nil {
				return fmt.Errorf("putting %s back: %w", path, err)
			}
			continue
		}
		if err := os.RemoveAll(left); err != nil {
			return fmt.Errorf("removing what was left beside %s: %w", path, err)
		}
	}
	return nil
}

// isDraft says whether the end of a name is what NewDraft and Commit give: digits, and
// the mark of what is replaced.
func isDraft(end string) bool {
	end = strings.TrimSuffix(end, asideMark)
	return end != "" && strings.Trim(end, "0123456789") == ""
}
