// Package atomicfile writes files that are either whole or absent.
//
// A File is written under a temporary name beside its destination and renamed
// by Commit, so that a process killed at any moment leaves the old file, or
// none. What a killed process leaves behind is a file whose name starts with
// Prefix, which readers skip, and which the next one that writes the same file removes:
// whoever is still writing one has it locked. The folder is synchronised, too, and so are
// those that MakeFolder makes: what is written is there after a power failure.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Prefix starts the name of every file that is not finished.
const Prefix = ".unfinished-"

// File is a file in the making. Exactly one of Commit and Abort ends it; Abort
// after Commit does nothing, so it can be deferred.
type File struct {
	*os.File
	path string
	done bool
}

// Create starts the file that Commit will put at path, in an existing folder.
func Create(path string) (*File, error) {
	begin := Prefix + filepath.Base(path) + "-"
	collect(filepath.Dir(path), begin)
	for {
		f, err := os.CreateTemp(filepath.Dir(path), begin+"*")
		if err != nil {
			return nil, fmt.Errorf("create %s: %w", path, err)
		}
		if lock(f) {
			return &File{File: f, path: path}, nil
		}
		f.Close() // it was collected between being made and being locked
	}
}

// lock says whether an open file is this process's from now on, and still has its name.
// Where files cannot be locked all are, for as long as they have it.
func lock(f *os.File) bool {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return false
	}
	ours, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(ours, named)
}

// collect removes the files that begin with a name and that nobody is writing any more.
func collect(folder, begin string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // whoever writes there says so
	}
	for _, e := range entries {
		if end, ours := strings.CutPrefix(e.Name(), begin); !ours || strings.Trim(end, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		f, err := os.Open(filepath.Join(folder, e.Name()))
		if err != nil {
			continue
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			os.Remove(f.Name())
		}
		f.Close()
	}
}

// Commit flushes the file to disk and gives it its name, replacing a file of
// that name.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("commit %s: already ended", f.path)
	}
	f.done = true
	err := f.Chmod(0o644) // CreateTemp makes it private; a result is for everybody
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return SyncFolder(filepath.Dir(f.path))
}

// MakeFolder makes a folder and those above it that there are not, so that their names
// outlive a power failure.
func MakeFolder(path string) error {
	var made []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break // filepath.Dir ends at a folder that is always there
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	for _, folder := range made {
		if err := SyncFolder(filepath.Dir(folder)); err != nil {
			return err
		}
	}
	return nil
}

// SyncFolder has the name of a file outlive a power failure, like its content.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder that can be written to and not read
	}
	if err != nil {
		return fmt.Errorf("write to %s: %w", path, err)
	}
	defer folder.Close()
	// EINVAL: a file system that has nothing to synchronise.
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("write to %s: %w", path, err)
	}
	return nil
}

// Abort removes what was written, unless the file is committed.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.Close()
	os.Remove(f.Name())
}

// Write puts data at path in one step.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.Commit()
}

// Unfinished says whether name (without its folder) is a file that a killed
// process left behind.
func Unfinished(name string) bool { return strings.HasPrefix(name, Prefix) }
