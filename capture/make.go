package capture

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

var makefile = system{
	Name:  "make",
	Doc:   "a Makefile, and make; in the tree",
	marks: makefileNames,
	tools: []string{"make"},
	build: buildWithMake,
	check: checkWithMake,
}

// makefileNames are those that make looks for, in its order.
var makefileNames = []string{"GNUmakefile", "makefile", "Makefile"}

// shellSet is how makefiles choose the shell of their recipes.
var shellSet = regexp.MustCompile(`(?m)^ *(?:export[ \t]+|override[ \t]+)?(\.SHELLFLAGS|SHELL)[ \t]*[:?]*=[ \t]*(.*)$`)

// makefiles lists the makefiles below folders.
func makefiles(folders ...string) []string {
	var out []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			name := strings.ToLower(filepath.Base(path))
			if err == nil && d.Type().IsRegular() && (name == "makefile" || name == "gnumakefile" || strings.HasSuffix(name, ".mk")) {
				out = append(out, path)
			}
			return nil // what cannot be read sets no shell
		})
	}
	return out
}

// shell returns make's variables that have the lines of recipes noted, with the
// shell that the makefiles mean. A shell that is neither sh nor bash is left alone.
func (s *session) shell() []string {
	name, flags := "sh", "-c"
	for _, path := range makefiles(s.source, s.into) {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, m := range shellSet.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\\\n", " "), -1) {
			value := strings.TrimSpace(m[2])
			base := filepath.Base(value)
			switch {
			case m[1] == ".SHELLFLAGS":
				flags = value
			case strings.HasPrefix(value, "$") || strings.HasPrefix(value, "@") || base == "sh" || base == "dash":
			case strings.HasSuffix(base, "bash"):
				name = "bash"
			default:
				s.note("The makefiles choose the shell %s; what their recipes run was not written down.", value)
				return nil
			}
		}
	}
	return s.kit.Shell(name, flags)
}

// make is a call of make.
func (s *session) make(args ...string) []string {
	return slices.Concat([]string{"make"}, s.shell(), s.compilers, args)
}

// buildWithMake builds with as many jobs as allowed. Makefiles that cannot do with
// several at once get one; a part that cannot be built at all, mostly the manual,
// does not keep the rest from it.
func buildWithMake(ctx context.Context, s *session) error {
	if err := s.clean(ctx); err != nil {
		return err
	}
	if err := s.nameCompilers(ctx); err != nil {
		return err
	}
	err := s.do(ctx, "build", s.into, s.make("-j"+strconv.Itoa(s.opts.Jobs))...)
	if err == nil && !s.compiled() {
		// Makefiles whose first target only says which others there are.
		for _, target := range []string{"all", "linux", "posix", "generic"} {
			if err = s.do(ctx, "build", s.into, s.make(target)...); err == nil && s.compiled() {
				return nil
			}
		}
		// Makefiles in which nothing is built before it is tested.
		if s.builtByTests, err = s.hasTests(ctx, err); s.builtByTests {
			return nil
		}
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	first := err
	if err = s.do(ctx, "build", s.into, s.make("-j1")...); err == nil || ctx.Err() != nil {
		return err
	}
	again, runErr := s.run(ctx, job{step: "build", dir: s.into, argv: s.make("-k", "-j1")})
	if runErr != nil {
		return runErr
	}
	if again.late || !s.linkedAny() {
		return first
	}
	s.record("build", s.into, s.make("-k", "-j1"))
	s.partial = true
	s.note("Parts of the project could not be built: %s", s.plain(causeOf(s.lastOutput())))
	return nil
}

// What make says where a recipe fails, and what tells the reason among the lines before.
var (
	makeFailed   = regexp.MustCompile(`^make(\[\d+\])?: \*\*\* .*Error \d+`)
	nothingMakes = regexp.MustCompile(`^make(\[\d+\])?: \*\*\* No rule to make target`)
	reasonTold   = regexp.MustCompile(`(?i)\berror:|not found|no such file|undefined reference|cannot |permission denied`)
)

// causeOf finds in the log of a build that went on after errors why the first recipe
// failed, and the recipe, which make names; or the last lines.
func causeOf(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	failed := slices.IndexFunc(lines, makeFailed.MatchString)
	if missing := slices.IndexFunc(lines, nothingMakes.MatchString); missing >= 0 && (failed < 0 || missing < failed) {
		return lines[missing]
	}
	if failed < 0 {
		return lastLines(log, 3)
	}
	before := lines[max(0, failed-15):failed]
	if told := slices.IndexFunc(before, reasonTold.MatchString); told >= 0 {
		return strings.TrimSpace(before[told]) + " | " + lines[failed]
	}
	return strings.TrimSpace(lines[max(0, failed-1)]) + " | " + lines[failed]
}

// plain is a text without the place of the copy.
func (s *session) plain(text string) string { return strings.ReplaceAll(text, s.source+"/", "") }

// lastLines joins the last lines of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}

// linkedAny says whether the build has made any program, library or archive.
func (s *session) linkedAny() bool {
	entries := s.entriesSoFar()
	return len(programs(entries)) > 0 || slices.ContainsFunc(entries, func(e note.Entry) bool { return e.Kind == note.Binutil && e.Status == 0 })
}

// clean removes what an earlier build in the project's folder has left in the copy:
// what is there already is not compiled, and what is not compiled is not seen.
func (s *session) clean(ctx context.Context) error {
	if !hasObjects(s.into) {
		return nil
	}
	done, err := s.run(ctx, job{step: "build", dir: s.into, argv: []string{"make", "clean"}})
	if err != nil {
		return err
	}
	s.record("build", s.into, []string{"make", "clean"})
	if done.status != 0 || hasObjects(s.into) {
		return removeObjects(s.into)
	}
	return nil
}

func hasObjects(folder string) bool {
	found := false
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && d.Type().IsRegular() && (ext == ".o" || ext == ".lo") {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// removeObjects removes objects for which the project has sources; make then makes
// what depends on them again.
func removeObjects(folder string) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && d.Type().IsRegular() && (ext == ".o" || ext == ".lo") {
			if exists(strings.TrimSuffix(path, ext)+".c") || ext == ".lo" {
				return os.Remove(path)
			}
		}
		return err
	})
}

// makeVariable is how make -p prints a variable.
var makeVariable = regexp.MustCompile(`(?m)^(CC|CXX|AR|LD|RANLIB) [:?]?:?= (/\S.*)$`)

// nameCompilers finds tools that makefiles name by an absolute path, which the
// stand-ins on PATH do not see, and names the stand-ins on make's command line.
func (s *session) nameCompilers(ctx context.Context) error {
	text, _, err := s.output(ctx, job{step: "build", dir: s.into, argv: []string{"make", "-pnq"}})
	if err != nil {
		return err
	}
	for _, m := range makeVariable.FindAllStringSubmatch(text, -1) {
		value := strings.TrimSpace(m[2])
		stand, err := s.kit.Stand(value)
		if err != nil {
			return err
		}
		if stand != value {
			s.compilers = append(s.compilers, m[1]+"="+stand)
		} else if !s.kit.Owns(value) {
			s.note("The makefile calls %s by its path: what it does is not seen.", value)
		}
	}
	return nil
}

// hasTests says whether there is a target of tests; without one the error is otherwise.
func (s *session) hasTests(ctx context.Context, otherwise error) (bool, error) {
	for _, name := range testTargets {
		if is, err := s.target(ctx, name); err != nil || is {
			return is, err
		}
	}
	return false, otherwise
}

// target says whether the makefile that is built has a target that does something.
// What makefiles below say, in folders without tests, counts for nothing.
func (s *session) target(ctx context.Context, name string) (bool, error) {
	text, _, err := s.output(ctx, job{step: "check", dir: s.into, argv: []string{"make", "-n", name}})
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(text) {
		switch strings.TrimSpace(line) {
		case fmt.Sprintf("make: Nothing to be done for '%s'.", name),
			fmt.Sprintf("make: '%s' is up to date.", name),
			fmt.Sprintf("make: *** No rule to make target '%s'.  Stop.", name):
			return false, nil
		}
	}
	return true, nil
}
