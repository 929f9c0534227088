package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// system is a way in which projects are built.
type system struct {
	Name string
	Doc  string
	// marks are files that show that a folder is built this way; tools are the
	// programs that it takes.
	marks, tools []string
	// outOfTree says that it is the custom to build in another folder.
	outOfTree bool
	// configure prepares the build, build builds, and check builds the test programs
	// and finds the tests.
	configure, build, check func(ctx context.Context, s *session) error
}

// Systems are all build systems, the preferred one first: CMake and Meson list
// their tests; a configure script that is there is ready to run.
var Systems = []system{
	cmake,
	meson,
	configure,
	autotools,
	makefile,
	database,
}

// SystemNames are the names for Options.System.
func SystemNames() []string {
	var out []string
	for _, s := range Systems {
		out = append(out, s.Name)
	}
	return out
}

// session is one attempt to build a project.
type session struct {
	*runner
	capture *Capture
	chosen  candidate
	project string // the original
	source  string // the copy, the folder that is built
	into    string // where the build's files go
	steps   []cut
	tests   []Test
	// recipes are those whose lines are tests; before are the files that there were
	// before they were run.
	recipes []recipe
	before  map[string]bool
	// compilers are variables for make that name stand-ins.
	compilers []string
	// commands are the command lines of a build that has no recipes to note.
	commands string
	// inBuild are programs that are tests for the build runs them.
	inBuild []string
	// partial says that not all could be built, builtByTests that building makes nothing, and
	// testing builds.
	partial, builtByTests bool
	// sanitized says that it has been said that sanitizers are left out.
	sanitized bool
}

// cut is where in the log of the build a step ends.
type cut struct {
	step string
	end  int64
}

// attempt builds a project in one way.
func (s *session) attempt(ctx context.Context) error {
	system := s.chosen.system
	for _, step := range []struct {
		name string
		do   func(context.Context, *session) error
	}{{"configure", system.configure}, {"build", system.build}, {"check", system.check}} {
		s.begin(step.name, "")
		if step.do != nil {
			if err := step.do(ctx, s); err != nil {
				return err
			}
		}
		_, end, err := s.kit.Read(s.end())
		if err != nil {
			return err
		}
		s.steps = append(s.steps, cut{step.name, end})
		if last := step.name == "check"; (last || step.name == "build" && !s.builtByTests) && !s.compiled() {
			return &StepError{Step: step.name, Argv: s.lastStep(), Output: s.tail(15), Log: s.log.Name(), Err: errNothingCompiled}
		}
	}
	return nil
}

var errNothingCompiled = errors.New("no compile of C was seen")

func (s *session) end() int64 {
	if len(s.steps) == 0 {
		return 0
	}
	return s.steps[len(s.steps)-1].end
}

// entries returns the log of a step.
func (s *session) entries(step string) []note.Entry {
	from := int64(0)
	for _, c := range s.steps {
		if c.step == step {
			all, _, err := s.kit.Read(from)
			if err != nil {
				return nil
			}
			if later, _, err := s.kit.Read(c.end); err == nil {
				all = all[:len(all)-len(later)]
			}
			return all
		}
		from = c.end
	}
	return nil
}

// compiled says whether anything was compiled so far.
func (s *session) compiled() bool {
	entries, _, err := s.kit.Read(0)
	return err == nil && slices.ContainsFunc(entries, func(e note.Entry) bool { return e.Kind == note.Compiler && e.Status == 0 })
}

// do runs a command of a step and writes it down as one of the build's.
func (s *session) do(ctx context.Context, step, dir string, argv ...string) error {
	s.record(step, dir, argv)
	return s.must(ctx, job{step: step, dir: dir, argv: argv})
}

// record writes down a command as one of the build's.
func (s *session) record(step, dir string, argv []string) {
	s.capture.System.Steps = append(s.capture.System.Steps,
		Step{Name: step, Dir: s.capture.relative(dir), Argv: s.capture.mark(withoutStands(argv))})
}

// withoutStands is a command without what has it noted.
func withoutStands(argv []string) []string {
	return slices.DeleteFunc(slices.Clone(argv), func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return name == "SHELL" || name == ".SHELLFLAGS" || strings.HasSuffix(name, "LOG_DRIVER") ||
			name == "TESTS_ENVIRONMENT" && strings.Contains(word, kitDir)
	})
}

func (s *session) lastStep() []string {
	steps := s.capture.System.Steps
	if len(steps) == 0 {
		return nil
	}
	return steps[len(steps)-1].Argv
}

func (s *session) note(format string, args ...any) { s.capture.note(format, args...) }

// has says whether the folder that is built has a file.
func (s *session) has(name string) bool { return exists(filepath.Join(s.source, name)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
