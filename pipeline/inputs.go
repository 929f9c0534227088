package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Input is one file of a program and how to compile it.
type Input struct {
	Path string
	// Flags are the compiler's, for C sources.
	Flags []string
	// Directory is where the compiler runs; "" is the current one. Path is
	// absolute where there is a Directory.
	Directory string
	// Harness says that the file belongs to the program and is not mutated.
	Harness bool
}

// Inputs resolves what the user named: C, .ll and .bc files, and folders with a
// compile_commands.json or, without one, a project file. Flags are for all C
// files. Entries choose among several ways in which a folder compiles one file (chooseEntry).
func Inputs(args, flags []string, entries ...string) ([]Input, error) {
	var out []Input
	named := map[string]bool{}
	for _, arg := range args {
		inputs, err := inputsOf(arg, flags, entries)
		if err != nil {
			return nil, err
		}
		for _, in := range inputs {
			path, err := filepath.Abs(in.Path)
			if err != nil {
				return nil, fmt.Errorf("resolving %s: %w", in.Path, err)
			}
			if named[path] {
				return nil, exit.Usagef("%s is named more than once", in.Path)
			}
			named[path] = true
		}
		out = append(out, inputs...)
	}
	if len(out) == 0 {
		return nil, exit.Usagef("no C file to mutate")
	}
	return out, nil
}

func inputsOf(arg string, flags, entries []string) ([]Input, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	if info.IsDir() {
		if !exists(filepath.Join(arg, "compile_commands.json")) && exists(filepath.Join(arg, ProjectFile)) {
			project, err := OpenProject(arg)
			if err != nil {
				return nil, err
			}
			return project.Inputs(nil), nil
		}
		return compileCommands(arg, flags, entries)
	}
	switch filepath.Ext(arg) {
	case ".c", ".ll", ".bc":
		return []Input{{Path: arg, Flags: flags}}, nil
	}
	return nil, exit.Usagef("%s: want a .c, .ll or .bc file, or a folder with compile_commands.json", arg)
}

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
			if path := absolute(dir, out[i]); exists(path) {
				out[i] = path
			}
		case strings.HasPrefix(f, "-I") && len(f) > len("-I"):
			out[i] = "-I" + absolute(dir, f[len("-I"):])
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// blanks separate words.
const blanks = " \t\n"

// splitCommand splits a command into words as a POSIX shell does (XCU 2.2):
// blanks separate, quotes and backslashes protect. Nothing is expanded.
func splitCommand(s string) ([]string, error) {
	var out []string
	for s = strings.TrimLeft(s, blanks); s != ""; s = strings.TrimLeft(s, blanks) {
		word, rest, isWord, err := firstWord(s)
		if err != nil {
			return nil, err
		}
		if isWord {
			out = append(out, word)
		}
		s = rest
	}
	return out, nil
}

// firstWord reads s up to the first blank that nothing protects. isWord is
// false when all there was is a continued line.
func firstWord(s string) (word, rest string, isWord bool, err error) {
	var b strings.Builder
	for s != "" {
		switch c := s[0]; {
		case strings.IndexByte(blanks, c) >= 0:
			return b.String(), s, isWord, nil
		case c == '\'':
			end := strings.IndexByte(s[1:], '\'')
			if end < 0 {
				return "", "", false, errors.New("the command has a quote without end")
			}
			b.WriteString(s[1 : 1+end])
			s, isWord = s[end+2:], true
		case c == '"':
			if s, err = quoted(&b, s[1:]); err != nil {
				return "", "", false, err
			}
			isWord = true
		case c == '\\' && strings.HasPrefix(s[1:], "\n"):
			s = s[2:] // the line goes on
		case c == '\\' && len(s) > 1:
			b.WriteByte(s[1])
			s, isWord = s[2:], true
		default:
			b.WriteByte(c)
			s, isWord = s[1:], true
		}
	}
	return b.String(), "", isWord, nil
}

// quoted reads what is between double quotes, in which a backslash protects
// only what would have a meaning, and returns what follows.
func quoted(b *strings.Builder, s string) (rest string, err error) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[i+1:], nil
		case c == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i++
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("the command has a quote without end")
}
