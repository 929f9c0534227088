package compdb

import (
	"strings"

	"github.com/winnow-mutants/winnow/internal/paths"
)

// pathFlags take a path as their next argument.
var pathFlags = map[string]bool{"-I": true, "-isystem": true, "-iquote": true, "-idirafter": true, "-isysroot": true}

// TakesPath reports whether the argument behind a flag is a folder.
func TakesPath(flag string) bool { return pathFlags[flag] }

// fileFlags take a file as their next argument that is looked for in the
// compiler's folder first, and among the include paths then.
var fileFlags = map[string]bool{"-include": true, "-imacros": true}

// AbsoluteFlags resolves relative paths in flags, since the flags are also read
// by a parser that does not run in the compiler's folder.
func AbsoluteFlags(dir string, flags []string) []string {
	out := append([]string(nil), flags...)
	for i := 0; i < len(out); i++ {
		f := out[i]
		switch {
		case pathFlags[f] && i+1 < len(out):
			i++
			out[i] = paths.Absolute(dir, out[i])
		case fileFlags[f] && i+1 < len(out):
			i++
			if path := paths.Absolute(dir, out[i]); paths.Exist(path) {
				out[i] = path
			}
		case strings.HasPrefix(f, "-I") && len(f) > len("-I"):
			out[i] = "-I" + paths.Absolute(dir, f[len("-I"):])
		}
	}
	return out
}
