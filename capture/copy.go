package capture

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// emptyFiles are the files below a folder that hold nothing: one of them may be where a shell or
// tee puts what this command says.
func emptyFiles(folder, skip string) (map[string]bool, error) {
	out := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == skip:
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err == nil && info.Size() == 0 {
			out[path] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking at the project: %w", err)
	}
	return out, nil
}

// fingerprint is a hash of every name, size, mode, time and link below a folder; it
// tells whether anything has touched a project, without reading it. Of the files that may be
// written to, size and time are left out.
func fingerprint(folder, skip string, written map[string]bool) (string, error) {
	h := sha256.New()
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
		fmt.Fprintf(h, "%q %v %d %d %q\n", below, info.Mode(), size, time, link)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("looking at the project: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
