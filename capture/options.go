package capture

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Options choose how a project is built. The zero value is what most want.
type Options struct {
	// Work is the folder to build in; "" makes a temporary one. What a capture left
	// there before is replaced; a folder with anything else is refused.
	Work string
	// System is the name of the build system to take (Systems); "" chooses.
	System string
	// Configure are arguments for the configure step.
	Configure []string
	// Target are products to mutate, by name ("libcsv", "programs/lz4"); none means
	// to propose one. Exclude are sources, or folders of them, not to mutate.
	Target, Exclude []string
	// Tests are command lines of a shell that test what is built, in the place of the tests
	// that the project names. They are run in the folder that is built in, or in the
	// project's own where they name a file of that; the variable
	// srcdir is the folder of the sources, as for automake's tests.
	Tests []string
	// Valgrind has tests start programs by valgrind that do so, and not as they are.
	Valgrind bool
	// Jobs is how many compiles run at once; 0 is the number of processors.
	Jobs int
	// Time is allowed for the build; 0 means half an hour. TestTime is allowed for
	// looking at the tests; 0 means a minute.
	Time, TestTime time.Duration
	// Memory is allowed for a process, in bytes; 0 means 8 GB, less than 0 all.
	Memory int64
	// Env is the environment; nil means that of this process.
	Env []string
	// Progress is called at least every second while something runs, from another
	// goroutine.
	Progress func(Event)
}

// Event is how far a capture has come.
type Event struct {
	Step     string // "copy", "configure", "build", "check", "tests"
	Detail   string // what was printed or begun last
	Compiled int    // calls of compilers so far
	Elapsed  time.Duration
}

func (o Options) withDefaults() Options {
	if o.Jobs <= 0 {
		o.Jobs = runtime.NumCPU()
	}
	if o.Time <= 0 {
		o.Time = 30 * time.Minute
	}
	if o.TestTime <= 0 {
		o.TestTime = time.Minute
	}
	switch {
	case o.Memory == 0:
		o.Memory = 8 << 30
	case o.Memory < 0:
		o.Memory = 0
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	return o
}

// ErrNoBuild is wrapped where nothing in a folder says how it is built.
var ErrNoBuild = errors.New("nothing here says how the project is built")

// StepError is a step of the build that failed.
type StepError struct {
	Step   string
	Argv   []string
	Output string // the last lines
	Reason string // as CMake, a configure script or Meson gives it; "" where none does
	Log    string // the file with all of it
	Err    error
}

func (e *StepError) Error() string {
	return fmt.Sprintf("%s: %s: %v\n%s", e.Step, strings.Join(e.Argv, " "), e.Err, strings.TrimSpace(e.Output))
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }

// ExitCode says that the project is to blame.
func (e *StepError) ExitCode() exit.Code { return exit.Input }

// Hint says what to install, where a program was not found, and where more can be read.
func (e *StepError) Hint() string {
	log := "the whole output is in " + e.Log
	if m := notFound.FindStringSubmatch(e.Output); m != nil {
		return "install " + m[1] + ": " + packageOf(m[1]) + "; " + log
	}
	return log + "; does the project build by hand?"
}

// notFound is what shells and make say of a program that there is not.
var notFound = regexp.MustCompile(`(?m)^(?:\S*sh: (?:line )?\d+|make(?:\[\d+\])?): ([\w.+-]+): (?:[Cc]ommand not found|not found|No such file or directory)$`)

// MissingError is a program that the project's build needs.
type MissingError struct {
	Tool, For string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed, and %s needs it", e.Tool, e.For)
}

// ExitCode says that a program is missing.
func (e *MissingError) ExitCode() exit.Code { return exit.Tool }

// packages are Debian's names of packages where they are not the tool's.
var packages = map[string]string{"ctest": "cmake", "ninja": "ninja-build", "autoreconf": "autoconf automake libtool"}

// Hint says what to install.
func (e *MissingError) Hint() string { return packageOf(e.Tool) }

// packageOf says how a tool is installed.
func packageOf(tool string) string {
	return "on Debian or Ubuntu: sudo apt-get install " + cmp.Or(packages[tool], tool)
}

// TargetError is a name of Options.Target that no product has.
type TargetError struct {
	Target string
	Names  []string // what there is
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("the build makes no program or library %s", e.Target)
}

// ExitCode says that the call is wrong.
func (e *TargetError) ExitCode() exit.Code { return exit.Usage }

// Hint lists what there is.
func (e *TargetError) Hint() string { return "it makes " + strings.Join(e.Names, ", ") }
