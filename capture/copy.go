package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// copyTree copies a project. Times are kept, since make goes by them; links are
// copied as links, and those that name a file of the project by its absolute path
// come to name the copy. The folder skip is left out, and what is no file, folder or
// link.
func copyTree(from, to, skip string, each func(path string)) error {
	var folders []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == skip {
			return fs.SkipDir
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		each(below)
		target := filepath.Join(to, below)
		switch {
		case d.IsDir():
			folders = append(folders, below)
			return os.MkdirAll(target, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(from, to, path, target)
		case d.Type().IsRegular():
			return copyFile(path, target)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("copying the project: %w", err)
	}
	// A folder's time changes with what is put into it, so it is set last.
	for _, below := range folders {
		info, err := os.Stat(filepath.Join(from, below))
		if err == nil {
			target := filepath.Join(to, below)
			err = errors.Join(os.Chmod(target, info.Mode().Perm()|0o700), os.Chtimes(target, info.ModTime(), info.ModTime()))
		}
		if err != nil {
			return fmt.Errorf("copying the project: %w", err)
		}
	}
	return nil
}

func copyLink(from, to, path, target string) error {
	name, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if below, ok := strings.CutPrefix(name, from+string(filepath.Separator)); ok {
		name = filepath.Join(to, below)
	}
	return os.Symlink(name, target)
}

// copyFile leaves the copy writable, unlike some originals: builds change files.
func copyFile(path, target string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Chtimes(target, info.ModTime(), info.ModTime())
}

// snapshot is what can be seen of a project without reading it: the size, mode, time and link of every
// name below a folder.
type snapshot map[string]string

// changed is a name that two snapshots differ in, the first in order; "" for none.
func (s snapshot) changed(after snapshot) string {
	var names []string
	for name, was := range s {
		if after[name] != was {
			names = append(names, name)
		}
	}
	for name := range after {
		if _, known := s[name]; !known {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// snapshotOf looks at a project, but for its work folder. Of the files that may be written to, size and
// time are left out.
func snapshotOf(folder, skip string, written map[string]bool) (snapshot, error) {
	out := snapshot{}
	err := walkProject(folder, skip, func(path string, d fs.DirEntry, info fs.FileInfo) error {
		below, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		time, size := info.ModTime().UnixNano(), info.Size()
		if written[path] {
			time, size = 0, 0
		}
		if d.IsDir() && skip != "" && strings.HasPrefix(skip, path) {
			time = 0 // it holds the work folder
		}
		link := ""
		if d.Type()&fs.ModeSymlink != 0 {
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		}
		out[below] = fmt.Sprintf("%v %d %d %q", info.Mode(), size, time, link)
		return nil
	})
	return out, err
}

// logsOf are the files of a project where a shell or tee may put what this command says: those that hold
// nothing, and those that this process, or another of its session, has open for writing before anything
// was built.
func logsOf(folder, skip string) (map[string]bool, error) {
	written := writtenBySession()
	out := map[string]bool{}
	err := walkProject(folder, skip, func(path string, d fs.DirEntry, info fs.FileInfo) error {
		isWritten := slices.ContainsFunc(written, func(f fs.FileInfo) bool { return os.SameFile(f, info) })
		out[path] = d.Type().IsRegular() && (isWritten || info.Size() == 0)
		return nil
	})
	return out, err
}

// writtenBySession are the regular files that processes of this session have open for writing, as far as
// /proc tells.
func writtenBySession() (out []fs.FileInfo) {
	ours, err := unix.Getsid(0)
	if err != nil {
		return nil
	}
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		pid, err := strconv.Atoi(filepath.Base(process))
		if err != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err != nil || session != ours {
			continue
		}
		open, _ := os.ReadDir(filepath.Join(process, "fd")) // which may have ended
		for _, fd := range open {
			how, err := os.Lstat(filepath.Join(process, "fd", fd.Name()))
			if err != nil || how.Mode()&0o200 == 0 { // the link's mode is how it is open
				continue
			}
			if info, err := os.Stat(filepath.Join(process, "fd", fd.Name())); err == nil && info.Mode().IsRegular() {
				out = append(out, info)
			}
		}
	}
	return out
}

// walkProject visits all below a folder but one.
func walkProject(folder, skip string, visit func(path string, d fs.DirEntry, info fs.FileInfo) error) error {
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == skip {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return visit(path, d, info)
	})
	if err != nil {
		return fmt.Errorf("looking at the project: %w", err)
	}
	return nil
}

// changedError says that a project is not what was copied.
func changedError(project, name string) error {
	return exit.New(exit.Input, fmt.Errorf("%s has changed in %s while a copy of it was built", name, project),
		"its build writes to it by an absolute path, or somebody was working in it: try again")
}
