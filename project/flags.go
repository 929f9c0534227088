package project

import (
	"os"
	"path/filepath"
	"strings"
)

// absolute resolves a path as seen from dir.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// pathFlags take a path as their next argument.
var pathFlags = map[string]bool{"-I": true, "-isystem": true, "-iquote": true, "-idirafter": true, "-isysroot": true}

// fileFlags take a file as their next argument that is looked for in the
// compiler's folder first, and among the include paths then.
var fileFlags = map[string]bool{"-include": true, "-imacros": true}

// absolutePaths resolves relative paths in flags, since the flags are also read
// by a parser that does not run in the compiler's folder.
func absolutePaths(dir string, flags []string) []string {
	out := append([]string(nil), flags...)
	for i := 0; i < len(out); i++ {
		f := out[i]
		switch {
		case pathFlags[f] && i+1 < len(out):
			i++
			out[i] = absolute(dir, out[i])
		case fileFlags[f] && i+1 < len(out):
			i++
			if path := absolute(dir, out[i]); Exists(path) {
				out[i] = path
			}
		case strings.HasPrefix(f, "-I") && len(f) > len("-I"):
			out[i] = "-I" + absolute(dir, f[len("-I"):])
		}
	}
	return out
}

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
