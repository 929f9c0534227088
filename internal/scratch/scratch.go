// Package scratch makes the temporary folders that winnow works in, and sees that none
// of them stays for ever.
//
// Who makes a folder removes it. A process that is killed cannot, and so each folder is
// locked, by a lock of the kernel's that ends with the process: the first folder of a
// process is the occasion to remove those that nobody holds any more. Only folders of this
// user's whose names New gives are looked at.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// begin and end are in the name of every folder, so that nobody else's is taken for one.
const (
	begin = "winnow-"
	end   = ".scratch"
)

// Folder is a temporary folder of this process.
type Folder struct {
	Path string
	open *os.File // locked
}

var collected sync.Once

// New makes a folder below the system's folder for temporary files. The purpose, a word,
// is in its name.
func New(purpose string) (*Folder, error) {
	collected.Do(func() { collect(os.TempDir()) })
	for {
		path, err := os.MkdirTemp("", begin+purpose+"-*"+end)
		if err != nil {
			return nil, fmt.Errorf("making a temporary folder: %w", err)
		}
		open, err := lock(path)
		if err == nil {
			return &Folder{Path: path, open: open}, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(fmt.Errorf("making a temporary folder: %w", err), os.Remove(path))
		}
		// It was collected between being made and being locked.
	}
}

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	return errors.Join(os.RemoveAll(f.Path), f.open.Close())
}

// errTaken says that a folder is another process's, or is no more.
var errTaken = errors.New("the folder is another's")

// lock opens and locks a folder.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		ours, known := f.Stat()
		named, found := os.Lstat(path)
		if known == nil && found == nil && os.SameFile(ours, named) {
			return f, nil
		}
	}
	f.Close()
	if err == nil || errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errTaken
	}
	return nil, err
}

// collect removes the folders of processes that are gone. What cannot be removed is left
// to the next one.
func collect(below string) {
	entries, err := os.ReadDir(below)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), begin) || !strings.HasSuffix(e.Name(), end) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		if owner, known := info.Sys().(*syscall.Stat_t); !known || int(owner.Uid) != os.Geteuid() {
			continue
		}
		path := filepath.Join(below, e.Name())
		if f, err := lock(path); err == nil {
			os.Chmod(path, 0o700) // some are closed to writing
			(&Folder{Path: path, open: f}).Remove()
		}
	}
}
