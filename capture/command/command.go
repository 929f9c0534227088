// Package command reads command lines of compilers and archivers: what they
// compile, link or archive, and which of their flags say what the C means.
//
// # Which flags are kept
//
// winnow compiles a project's units again, with clang-14 and without optimisation,
// so of a compiler's flags those are kept that change what the program means:
//
//   - the language: -std, -ansi, -x, -trigraphs, -ffreestanding and the like;
//   - macros and includes: -D, -U, -I, -include, -isystem, -nostdinc, ...;
//   - the target: -m32, -march, instruction sets, --target, --sysroot, -pthread;
//   - warnings: -W..., -w, -pedantic, since clang refuses what -Wno-... lets pass;
//   - those flags -f... that change what C means or how data lies in memory.
//
// Dropped, by name: optimisation, debug information, dependency files, sanitisers,
// profiles, link-time optimisation, hardening, speed (-mtune), and -Werror, since
// the project's own compiler is the judge of that. Position independence is kept
// apart (Command.Position): one source built for a program and for a library is one
// unit. Refused, by name: plugins, specs and others with which no other compiler
// gives the same program. What is on no list is dropped by name, too. The lists are
// flagRules; their test reads this comment's words back.
package command

import (
	"path/filepath"
	"slices"
	"strings"
)

// Stage is how far a compiler's call goes.
type Stage int

const (
	// Nothing is made that a program consists of: -E, -M, -fsyntax-only, or no
	// input.
	Nothing Stage = iota
	// Assembly: -S.
	Assembly
	// Object: -c.
	Object
	// Link: a program, a shared library (Shared) or an object of objects (Partial).
	Link
)

// Input is a file or library of a command line, in its place.
type Input struct {
	// Path is a file; "" for a library.
	Path string
	// Library is what follows -l.
	Library string
	// Language is "c", "c++", "assembler" ..., "" for what is linked as it is.
	Language string
}

// Command is a compiler's command line.
type Command struct {
	Stage  Stage
	Inputs []Input
	Output string // "" where the compiler chooses
	// Shared and Partial are for a shared library and for -r.
	Shared, Partial bool
	// LibraryDirs are those of -L.
	LibraryDirs []string
	// Flags are kept, Position are those on position independence, Dropped and
	// Refused are not kept (see the package comment).
	Flags, Position, Dropped, Refused []string
}

// languages are the extensions of sources, as gcc(1) lists them.
var languages = map[string]string{
	".c": "c", ".i": "c", ".s": "assembler", ".S": "assembler-with-cpp", ".sx": "assembler-with-cpp",
	".cc": "c++", ".cp": "c++", ".cxx": "c++", ".cpp": "c++", ".CPP": "c++", ".c++": "c++", ".C": "c++", ".ii": "c++",
	".m": "objective-c", ".mm": "objective-c++", ".h": "header", ".hh": "header", ".hpp": "header",
	".f": "fortran", ".f90": "fortran", ".F": "fortran", ".F90": "fortran", ".d": "d", ".go": "go",
}

// separate are flags whose argument may stand in the next word.
var separate = []string{"-o", "-I", "-D", "-U", "-L", "-l", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix",
	"-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib", "-x", "-MF", "-MT", "-MQ", "-MJ", "-T", "-u", "-z", "-e", "-Xlinker",
	"-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm", "-aux-info", "-dumpbase", "-dumpdir", "-target", "-B", "-A", "-arch",
	"-framework", "--param", "-wrapper", "-specs", "--sysroot", "-soname", "-rpath", "-rpath-link", "-dynamic-linker", "-m"}

// whole are of those the ones whose argument never joins them.
var whole = []string{"-include", "-imacros", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm", "-aux-info", "-dumpbase",
	"-dumpdir", "-target", "-arch", "-framework", "--param", "-wrapper", "-specs", "--sysroot", "-soname", "-rpath", "-rpath-link",
	"-dynamic-linker", "-m", "-e", "-z", "-u", "-T"}

// Parse reads the command line of a compiler or linker, its name first.
func Parse(argv []string) *Command {
	c := &Command{Stage: Link}
	language := ""
	seen := false // an input
	for i := 1; i < len(argv); i++ {
		flag, value, words := split(argv[i:])
		i += words - 1
		switch {
		case argv[i] == "-":
			seen = true
			c.Inputs = append(c.Inputs, Input{Path: "-", Language: language})
		case flag == "":
			seen = true
			c.Inputs = append(c.Inputs, input(value, language))
		case flag == "-x":
			if language = value; language == "none" {
				language = ""
			}
		case c.shape(flag, value):
		default:
			c.judge(flag, value, argv[i-words+1:i+1])
		}
	}
	if !seen || slices.ContainsFunc(c.Inputs, func(in Input) bool { return in.Path == "-" }) {
		c.Stage = Nothing
	}
	return c
}

// split takes the first flag off a command line, with its argument and the number
// of words that they are. A word that is no flag is the argument of the flag "".
func split(argv []string) (flag, value string, words int) {
	word := argv[0]
	if word == "-" || !strings.HasPrefix(word, "-") {
		return "", word, 1
	}
	for _, flag := range separate {
		if word == flag && len(argv) > 1 {
			return flag, argv[1], 2
		}
	}
	for _, flag := range separate {
		if !slices.Contains(whole, flag) && strings.HasPrefix(word, flag) && len(flag) == 2 && !slices.Contains(longer, word) {
			return flag, word[2:], 1
		}
		if long := len(flag) > 2 && strings.HasPrefix(flag, "-i"); long && strings.HasPrefix(word, flag) && !slices.Contains(whole, flag) {
			return flag, word[len(flag):], 1
		}
	}
	return word, "", 1
}

// longer are flags that begin like one with a joined argument.
var longer = []string{"-Bstatic", "-Bdynamic", "-Bsymbolic", "-Bshareable"}

func input(path, language string) Input {
	if language == "" {
		language = languages[filepath.Ext(path)]
	}
	return Input{Path: path, Language: language}
}

// shape takes flags that say what is made of what.
func (c *Command) shape(flag, value string) bool {
	switch flag {
	case "-o":
		c.Output = value
	case "-c":
		c.Stage = min(c.Stage, Object)
	case "-S":
		c.Stage = min(c.Stage, Assembly)
	case "-E", "-M", "-MM", "-fsyntax-only":
		c.Stage = Nothing
	case "-shared", "-dynamiclib", "-bundle", "--shared", "-Bshareable":
		c.Shared = true
	case "-r", "--relocatable", "-i":
		c.Partial = true
	case "-l":
		c.Inputs = append(c.Inputs, Input{Library: value})
	case "-L":
		c.LibraryDirs = append(c.LibraryDirs, value)
	default:
		return c.linking(flag, value)
	}
	return true
}

// linking takes flags for the linker, which say nothing about C.
func (c *Command) linking(flag, value string) bool {
	if list, ok := strings.CutPrefix(flag, "-Wl,"); ok {
		words := strings.Split(list, ",")
		c.Shared = c.Shared || slices.Contains(words, "-shared")
		c.Partial = c.Partial || slices.Contains(words, "-r") || slices.Contains(words, "--relocatable")
		for _, word := range words {
			if name, ok := strings.CutPrefix(word, "-l"); ok {
				c.Inputs = append(c.Inputs, Input{Library: name})
			}
		}
		return true
	}
	switch flag {
	case "-T", "-u", "-z", "-e", "-Xlinker", "-soname", "-rpath", "-rpath-link", "-dynamic-linker", "-m", "-static", "-static-libgcc",
		"-nostdlib", "-nostartfiles", "-nodefaultlibs", "-rdynamic", "-s", "-pie", "-no-pie", "-static-pie", "-Bstatic", "-Bdynamic",
		"-Bsymbolic", "-export-dynamic":
		return true
	}
	return strings.HasPrefix(flag, "-Wa,") || flag == "-Xassembler"
}

// Source says whether the input is compiled or assembled, not linked as it is.
func (in Input) Source() bool { return in.Language != "" && in.Language != "header" }
