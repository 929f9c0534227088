package csource

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/winnow-mutants/winnow/internal/toolcache"
)

// ErrNoCompiler is returned where no C compiler is installed: the parser needs
// one to learn the predefined macros and where the system headers are.
var ErrNoCompiler = errors.New("no C compiler found; install clang-14")

// compilers are asked for their configuration in this order: clang-14 is what
// winnow compiles with, so its macros select the same code.
var compilers = []string{"clang-14", "cc", "gcc"}

// hostConfig is what a compiler says about itself for one language standard.
type hostConfig struct {
	predefined string   // #define lines
	system     []string // directories of system headers
	abi        *cc.ABI
}

// hostConfigs caches one hostConfig a standard: asking takes tens of
// milliseconds and the answer does not change while the process lives.
var hostConfigs sync.Map // string → func() (*hostConfig, error)

func hostConfigOf(standard string) (*hostConfig, error) {
	ask := sync.OnceValues(func() (*hostConfig, error) { return askCompilers(standard) })
	cached, _ := hostConfigs.LoadOrStore(standard, ask)
	return cached.(func() (*hostConfig, error))()
}

func askCompilers(standard string) (*hostConfig, error) {
	abi, err := cc.NewABI(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return nil, fmt.Errorf("finding the C types of %s/%s: %w", runtime.GOOS, runtime.GOARCH, err)
	}
	var failures []error
	for _, name := range compilers {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		said, err := askCompiler(path, standard)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		return &hostConfig{predefined: said.Predefined + dialect(said.Predefined, standard), system: said.System, abi: abi}, nil
	}
	return nil, errors.Join(append([]error{ErrNoCompiler}, failures...)...)
}

// answer is what a compiler says of itself, as it is kept for the next process: to ask takes
// as long as to compile.
type answer struct {
	Predefined string   // #define lines
	System     []string // directories of system headers
	Absent     []string // directories that would be among them, were they there
}

// holds says whether the directories are as they were.
func (a *answer) holds() bool {
	is := func(path string) bool { _, err := os.Stat(path); return err == nil }
	return a.Predefined != "" && !slices.ContainsFunc(a.Absent, is) && !slices.ContainsFunc(a.System, func(path string) bool { return !is(path) })
}

// askCompiler asks a compiler, or takes what it said before.
func askCompiler(path, standard string) (*answer, error) {
	args := []string{"-v", "-dM", "-E", "-x", "c", "-"}
	if standard != "" {
		args = append([]string{standard}, args...)
	}
	kept := toolcache.Of("compiler", []string{path}, args...)
	var before answer
	if text, ok := kept.Read(); ok && json.Unmarshal(text, &before) == nil && before.holds() {
		return &before, nil
	}
	said, err := startCompiler(path, args)
	if err != nil {
		return nil, err
	}
	if text, err := json.Marshal(said); err == nil {
		kept.Write(text)
	}
	return said, nil
}

// startCompiler runs a compiler's preprocessor on an empty file: the macros
// come on standard output, the search path on standard error.
func startCompiler(path string, args []string) (*answer, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("asking %s for its predefined macros: %w: %s", path, err, lastLine(stderr.String()))
	}
	said := answer{Predefined: stdout.String()}
	listed := false
	for line := range strings.Lines(stderr.String()) {
		absent, isAbsent := strings.CutPrefix(line, "ignoring nonexistent directory ")
		switch {
		case isAbsent:
			said.Absent = append(said.Absent, strings.Trim(strings.TrimSpace(absent), `"`))
		case strings.HasPrefix(line, "#include <...>"):
			listed = true
		case strings.HasPrefix(line, "End of search list"):
			listed = false
		case listed:
			said.System = append(said.System, filepath.Clean(strings.TrimSpace(line)))
		}
	}
	return &said, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// dialect returns #define lines that make ordinary identifiers of words the
// parser takes for keywords and the compiler does not: gcc's float types
// under clang (whose C library declares them by typedef), and the GNU words
// under a strict standard.
func dialect(predefined, standard string) string {
	var words []string
	if strings.Contains(predefined, "#define __clang__ ") {
		words = append(words, "_Float32", "_Float64", "_Float128", "_Float32x", "_Float64x", "_Float128x")
	}
	strict := standard == "-ansi" || strings.HasPrefix(standard, "-std=") && !strings.HasPrefix(standard, "-std=gnu")
	if strict {
		words = append(words, "asm", "typeof")
	}
	switch standard {
	case "-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990", "-std=iso9899:199409":
		words = append(words, "inline")
	}
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "#define %s %s%s\n", w, w, plainSuffix)
	}
	return b.String()
}

// plainSuffix ends the stand-in of a word that dialect made an identifier.
const plainSuffix = "__identifier"

// options are the flags of a compiler command that change what a file means.
type options struct {
	standard string   // as given, e.g. "-std=c99" or "-ansi"
	include  []string // -I
	quote    []string // -iquote
	system   []string // -isystem
	defines  string   // #define and #undef lines for -D and -U
	prefix   string   // #include lines for -include
}

// readFlags reads the flags that matter, written as one word ("-Iinc") or
// two ("-I", "inc"); all others are ignored.
func readFlags(flags []string) options {
	var o options
	for i := 0; i < len(flags); i++ {
		flag := flags[i]
		value := func(name string) (string, bool) {
			v, ok := strings.CutPrefix(flag, name)
			if ok && v == "" && i+1 < len(flags) {
				i++
				v = flags[i]
			}
			return v, ok && v != ""
		}
		if strings.HasPrefix(flag, "-std=") || flag == "-ansi" {
			o.standard = flag
		} else if v, ok := value("-isystem"); ok {
			o.system = append(o.system, filepath.Clean(v))
		} else if v, ok := value("-iquote"); ok {
			o.quote = append(o.quote, filepath.Clean(v))
		} else if v, ok := value("-include"); ok {
			o.prefix += fmt.Sprintf("#include \"%s\"\n", v)
		} else if v, ok := value("-I"); ok {
			o.include = append(o.include, filepath.Clean(v))
		} else if v, ok := value("-D"); ok {
			o.defines += defineLine(v)
		} else if v, ok := value("-U"); ok {
			o.defines += "#undef " + v + "\n"
		}
	}
	return o
}

// defineLine is the directive for -Dname, -Dname=value or -Dname(a)=value.
func defineLine(definition string) string {
	name, value, given := strings.Cut(definition, "=")
	if !given {
		value = "1"
	}
	value = strings.ReplaceAll(value, "\n", " ")
	return "#define " + name + " " + value + "\n"
}
