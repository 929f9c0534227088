// Package paths says how paths of files are shown and resolved.
package paths

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Relative shortens a source path as seen from a folder ("": the current one);
// paths outside of it stay as they are.
func Relative(folder, path string) string {
	base, err := filepath.Abs(folder)
	if err != nil {
		return path
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(base, full); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Shortest names files by as much of the end of their paths as tells them
// apart: a faulty version often has the name of the source it replaces.
func Shortest(paths []string) map[string]string {
	out := map[string]string{}
	for _, path := range paths {
		parts := strings.Split(filepath.ToSlash(path), "/")
		for n := 1; n <= len(parts); n++ {
			name := strings.Join(parts[len(parts)-n:], "/")
			shared := slices.ContainsFunc(paths, func(other string) bool {
				return other != path && strings.HasSuffix("/"+filepath.ToSlash(other), "/"+name)
			})
			out[path] = name
			if !shared {
				break
			}
		}
	}
	return out
}

// Absolute resolves a path as seen from a folder.
func Absolute(folder, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// Exist reports whether there is a file or folder at a path. One that cannot be looked
// at counts as not there.
func Exist(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
