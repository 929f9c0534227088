package scope

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pattern is a name or glob, split at slashes.
type pattern struct {
	text  string
	parts []string
}

func parsePattern(text string) (pattern, error) {
	if strings.TrimSpace(text) == "" {
		return pattern{}, errors.New("an empty name matches nothing")
	}
	clean := cleanPath(text)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		if full, err := filepath.Abs(clean); err == nil {
			clean = filepath.ToSlash(full)
		}
	}
	p := pattern{text: text, parts: strings.Split(clean, "/")}
	for _, part := range p.parts {
		if _, err := path.Match(part, ""); err != nil {
			return pattern{}, fmt.Errorf("%q is no glob: close the bracket, or write \\[ for the character", text)
		}
	}
	return p, nil
}

// cleanPath is a path with slashes and without "." and inner "..".
func cleanPath(p string) string {
	if p == "" {
		return ""
	}
	return path.Clean(filepath.ToSlash(p))
}

// matchesName matches the whole of a function's name.
func (p pattern) matchesName(name string) bool {
	ok, _ := path.Match(p.text, name) // checked by parsePattern
	return ok || p.text == name
}

// matchesPath matches a clean path: an absolute pattern all of it, a relative
// one any of its trailing parts.
func (p pattern) matchesPath(file string) bool {
	if file == "" {
		return false
	}
	if file == cleanPath(p.text) {
		return true // a name may hold the characters of globs
	}
	if p.parts[0] == "" { // absolute
		full, err := filepath.Abs(file)
		return err == nil && matchParts(p.parts, strings.Split(filepath.ToSlash(full), "/"))
	}
	parts := strings.Split(file, "/")
	for k := range parts {
		if matchParts(p.parts, parts[k:]) {
			return true
		}
	}
	return false
}

// matchParts matches a glob and a path part by part; "**" stands for any
// number of parts.
func matchParts(glob, parts []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for k := range len(parts) + 1 {
				if matchParts(glob[1:], parts[k:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, _ := path.Match(glob[0], parts[0]); !ok {
			return false
		}
		glob, parts = glob[1:], parts[1:]
	}
	return len(parts) == 0
}

// sortedByPlace sorts names, and "file:line" ones by number.
func sortedByPlace(names map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		fileA, lineA := cutPlace(a)
		fileB, lineB := cutPlace(b)
		if fileA != fileB {
			return strings.Compare(fileA, fileB)
		}
		return lineA - lineB
	})
}

func cutPlace(s string) (file string, line int) {
	k := strings.LastIndexByte(s, ':')
	if k < 0 {
		return s, 0
	}
	line, err := strconv.Atoi(s[k+1:])
	if err != nil {
		return s, 0
	}
	return s[:k], line
}
