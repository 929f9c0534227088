// Package discover writes the project file of a folder that has none, from what there
// is in it.
//
// It looks for the best description of a build: what CMake and CTest answer about a
// configured copy of the folder, a compilation database, or the C files themselves with
// the flags that a makefile assigns. What it finds is a Guess, each part with the reason
// for it, and goes into winnow.toml as comments (Init), for the user to read through.
// Nothing of the project is built or run but CMake's own configuration, on the copy.
package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/compdb"
)

// Guess is what a project file can say of a folder that has none, and why.
type Guess struct {
	Project project.Project
	// Why says, by key of the project file, what a guess rests on.
	Why map[string]string
	// Notes are what the user should know: tests that cannot be run, and the like.
	Notes []string
	// Generated are files to write beside the project file, by name: headers that
	// the build makes.
	Generated map[string][]byte

	opts Options
}

// Options choose what is guessed.
type Options struct {
	// Replace allows a project file that is there to be replaced.
	Replace bool
	// DryRun writes nothing.
	DryRun bool
	// Target is the program that CMake builds to take; "" is the one with the
	// most tests.
	Target string
	// CMake are arguments for CMake, e.g. "-DTESTS=ON".
	CMake []string
	// NeedTests refuses a folder in which there are no inputs and outputs (ErrNoSuite). Without
	// them a test is a guess: that a program tests something, and builds without the build.
	NeedTests bool
	// Tools tell a main that the preprocessor leaves out from one that it does not.
	Tools *clang.Toolchain
}

// Init writes the project file of a folder, from what there is: CMake's
// own description, a compile_commands.json, or just C files. An existing file is
// replaced only with leave. The folder is not changed in any other way, but for
// the headers that a build makes (Guess.Generated).
func Init(ctx context.Context, folder string, opts Options) (*Guess, error) {
	path := filepath.Join(folder, project.File)
	if _, err := os.Lstat(path); err == nil && !opts.Replace && !opts.DryRun {
		return nil, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", path))
	}
	g, err := propose(ctx, folder, opts)
	if err != nil {
		return nil, err
	}
	if opts.NeedTests && g.Project.Tests.Dir == "" {
		return nil, exit.Mark(exit.Input, ErrNoSuite, fmt.Errorf("%s: %w", folder, ErrNoSuite))
	}
	if opts.DryRun {
		return g, nil
	}
	for name, text := range g.Generated {
		file := filepath.Join(folder, name)
		if err := atomicfile.MakeFolder(filepath.Dir(file)); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		if err := atomicfile.Write(file, text); err != nil {
			return nil, err
		}
	}
	if err := atomicfile.Write(path, g.Text()); err != nil {
		return nil, err
	}
	_, err = project.Open(folder)
	return g, err
}

// propose looks at a folder and changes nothing.
func propose(ctx context.Context, folder string, opts Options) (*Guess, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, exit.New(exit.Input, fmt.Errorf("%s is not a folder", folder), "name the folder of a C project")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the project's folder: %w", err)
	}
	g := &Guess{Why: map[string]string{}, Generated: map[string][]byte{}, opts: opts}
	g.Project.Folder = folder
	if err := g.look(ctx); err != nil {
		return nil, err
	}
	if g.Project.Program == "" {
		g.Project.Program = project.ProgramName(filepath.Base(folder))
	}
	if len(g.Project.Tests.Commands) == 0 {
		g.findTests()
	}
	g.lookForWriting()
	return g, nil
}

// look finds the program by the best description there is. Where CMake cannot
// configure the project, the next best has to do.
func (g *Guess) look(ctx context.Context) error {
	if paths.Exist(filepath.Join(g.Project.Folder, "CMakeLists.txt")) {
		err := g.fromCMake(ctx)
		var broken *cmakeError
		if !errors.As(err, &broken) {
			return err
		}
		g.note("This is not from CMakeLists.txt: %v", broken)
	}
	if paths.Exist(filepath.Join(g.Project.Folder, "compile_commands.json")) {
		return g.fromDatabase(ctx)
	}
	return g.fromFiles(ctx)
}

func (g *Guess) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(g.Notes, note) {
		g.Notes = append(g.Notes, note)
	}
}

// testFolder tells the folders in which files are tests rather than sources.
var testFolder = regexp.MustCompile(`(?i)(^|/)(tests?|examples?|testing|check|contrib|fuzz|bench\w*|doc|docs)(/|$)`)

// definesMainText tells C files that may define main.
var definesMainText = regexp.MustCompile(`\bmain[ \t]*\(`)

// definesMain says whether a file has a main function; where it looks so and
// the compiler can read the file, the compiler decides.
func (g *Guess) definesMain(ctx context.Context, file string, flags []string) bool {
	if !definesMainText.MatchString(g.read(file)) {
		return false
	}
	path := filepath.Join(g.Project.Folder, file)
	ir, err := g.opts.Tools.Compile(ctx, path, compdb.AbsoluteFlags(g.Project.Folder, clang.KeepFrontEnd(flags)))
	return err != nil || definedMain.Match(ir)
}

// definedMain is how LLVM begins a main.
var definedMain = regexp.MustCompile(`(?m)^define .*@main\(`)

// writesFiles tells C files that may open a file to write, or remove one.
var writesFiles = regexp.MustCompile(`\b(?:fopen|freopen|gzopen)[ \t]*\([^;]*"(?:[wa]|rb?\+)|\b(?:creat|tmpfile|mkstemp|remove|unlink|rename)[ \t]*\(|\bO_(?:WRONLY|RDWR|CREAT)\b`)

// rankOfTest says how likely a file with a main tests the others, by its folder and then by its name:
// 0 is best.
func rankOfTest(file string) int {
	rank := 4
	switch folder := strings.ToLower(filepath.ToSlash(filepath.Dir(file))); {
	case strings.HasPrefix(folder, "test"):
		rank = 0
	case strings.HasPrefix(folder, "check"), strings.HasPrefix(folder, "example"):
		rank = 2
	}
	if measuresOrTries.MatchString(filepath.Base(file)) {
		rank++
	}
	return rank
}

// isTest says of a file with a main that it tests others, by its folder or its name.
func isTest(file string) bool {
	return testFolder.MatchString(filepath.ToSlash(file)) || testFile.MatchString(filepath.Base(file))
}

// testFile are names of tests: x_test.c, test-x.c.
var testFile = regexp.MustCompile(`(?i)(^|[_-])tests?([_-].*)?\.c$`)

// measuresOrTries are names of programs beside tests that are none.
var measuresOrTries = regexp.MustCompile(`(?i)bench|perf|fuzz|example|demo`)

func (g *Guess) read(file string) string {
	text, err := os.ReadFile(filepath.Join(g.Project.Folder, file))
	if err != nil {
		return "" // a guess goes without it
	}
	return string(text)
}

// split makes sources of the C files of a program, and its main file the harness
// when that is a test of the others.
func (g *Guess) split(ctx context.Context, files []string, flags []string, from string) error {
	var plain, mains []string
	for _, file := range files {
		if g.definesMain(ctx, file, flags) {
			mains = append(mains, file)
		} else if !testFolder.MatchString(filepath.ToSlash(file)) {
			plain = append(plain, file)
		}
	}
	p := &g.Project
	p.Flags = flags
	// A folder of tests comes before one of examples, and so on.
	slices.SortStableFunc(mains, func(a, b string) int { return rankOfTest(a) - rankOfTest(b) })
	outside := slices.IndexFunc(mains, func(file string) bool { return !isTest(file) })
	switch {
	case len(mains) == 0:
		return exit.New(exit.Input, fmt.Errorf("none of the %d C files of %s defines main", len(files), p.Folder),
			"winnow runs programs: write one that calls the functions, name it as the harness in "+project.File+", and see docs/projects.md")
	case outside >= 0:
		p.Sources = append(plain, mains[outside])
		slices.Sort(p.Sources)
		g.Why["sources"] = fmt.Sprintf("The C files of %s; %s defines main.", from, mains[outside])
		mains = slices.Delete(mains, outside, outside+1)
	case len(plain) == 0:
		p.Sources, mains = mains[:1], mains[1:]
		g.Why["sources"] = "The only program among the C files of " + from + "."
	default:
		p.Sources, p.Harness = plain, mains[:1]
		g.Why["sources"] = "The C files of " + from + " without a main."
		g.Why["harness"] = "It defines main, and its folder or its name says that it tests the others."
		mains = mains[1:]
	}
	if len(mains) > 0 {
		g.note("These files define main, too, and are left out; one project file is for one program: %s.", strings.Join(mains, ", "))
	}
	return nil
}

// fromFiles guesses from the C files below the folder.
func (g *Guess) fromFiles(ctx context.Context) error {
	var files []string
	headers := map[string]bool{}
	err := filepath.WalkDir(g.Project.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, rel := d.Name(), paths.Relative(g.Project.Folder, path)
		switch {
		case d.IsDir() && path != g.Project.Folder && (strings.HasPrefix(name, ".") || strings.Count(rel, string(filepath.Separator)) > 3):
			return fs.SkipDir
		case d.IsDir(): // whatever its name ends in
		case filepath.Ext(name) == ".c":
			files = append(files, rel)
		case filepath.Ext(name) == ".h":
			headers[filepath.Dir(rel)] = true
		}
		return nil
	})
	if err != nil {
		return exit.New(exit.System, err, "")
	}
	if len(files) == 0 {
		return exit.New(exit.Input, fmt.Errorf("there is no C file in %s", g.Project.Folder), "name the folder of a C project")
	}
	var flags []string
	for _, dir := range []string{"include", "inc", "src", "."} {
		if headers[dir] {
			flags = append(flags, "-I"+dir)
		}
	}
	if len(flags) > 0 {
		g.Why["flags"] = "The folders with headers."
	}
	from := "the folder"
	if set := g.fromMakefile(); len(set) > 0 {
		flags = append(flags, set...)
		g.Why["flags"] = strings.TrimSpace(g.Why["flags"] + " What the Makefile sets in CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS and LIBS.")
	}
	return g.split(ctx, files, flags, from)
}

// makeVariable is an assignment of a variable with flags in a makefile.
var makeVariable = regexp.MustCompile(`(?m)^[ \t]*(?:CFLAGS|CPPFLAGS|LDFLAGS|LDLIBS|LIBS)[ \t]*(?:[:+?]?=)[ \t]*((?:.*\\\n)*.*)$`)

// fromMakefile returns the flags that a makefile assigns in so many words.
func (g *Guess) fromMakefile() []string {
	var out []string
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		text := g.read(name)
		if text == "" {
			continue
		}
		for _, m := range makeVariable.FindAllStringSubmatch(text, -1) {
			words, err := compdb.Words(strings.ReplaceAll(m[1], "\\\n", " "))
			if err != nil {
				continue
			}
			words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, "$`") })
			for _, flag := range slices.Concat(clang.KeepFrontEnd(words), clang.KeepLinker(words)) {
				if !slices.Contains(out, flag) {
					out = append(out, flag)
				}
			}
		}
		g.note("%s was read for flags and not run; where it makes sources or headers, run make first. `bear -- make` writes a compile_commands.json, which says more.", name)
		break
	}
	return out
}

// fromDatabase guesses from a compile_commands.json.
func (g *Guess) fromDatabase(ctx context.Context) error {
	inputs, err := compdb.Read(g.Project.Folder, nil, nil)
	if err != nil {
		return err
	}
	var files, flags []string
	for _, in := range inputs {
		rel := paths.Relative(g.Project.Folder, in.Path)
		if filepath.IsAbs(rel) {
			g.note("%s lies outside of the project and is left out.", in.Path)
			continue
		}
		files = append(files, rel)
		flags = g.addFlags(flags, in.Flags)
	}
	g.Why["flags"] = "All flags of compile_commands.json that change what the sources mean. Add the libraries to link (-lm)."
	return g.split(ctx, files, flags, "compile_commands.json")
}

// addFlags adds flags that are not there yet, with paths as seen from the folder.
func (g *Guess) addFlags(flags, more []string) []string {
	for i := 0; i < len(more); i++ {
		flag := more[i]
		if compdb.TakesPath(flag) && i+1 < len(more) {
			i++
			flag = "-I" + more[i]
			if more[i-1] != "-I" {
				flags = append(flags, more[i-1], paths.Relative(g.Project.Folder, more[i]))
				continue
			}
		}
		if path, ok := strings.CutPrefix(flag, "-I"); ok {
			flag = "-I" + paths.Relative(g.Project.Folder, path)
		}
		if !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// findTests looks for a folder with inputs and outputs. Where there is none, the
// program is run as it is.
func (g *Guess) findTests() {
	counts := map[string]int{}
	err := filepath.WalkDir(g.Project.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != g.Project.Folder && strings.HasPrefix(d.Name(), ".") {
			return errors.Join(err, fs.SkipDir)
		}
		if filepath.Ext(path) == ".in" && !paths.Exist(strings.TrimSuffix(path, ".in")+".c") && filepath.Dir(path) != g.Project.Folder {
			counts[paths.Relative(g.Project.Folder, filepath.Dir(path))]++
		}
		return nil
	})
	best := ""
	for dir, n := range counts {
		if err == nil && (best == "" || n > counts[best] || n == counts[best] && dir < best) {
			best = dir
		}
	}
	if best != "" && len(g.Project.Harness) == 0 {
		g.Project.Tests.Dir = best
		g.Why["dir"] = fmt.Sprintf("It holds %d files NAME.in.", counts[best])
		return
	}
	command := project.Command{Name: "run"}
	if len(g.Project.Harness) > 0 {
		command.Name = project.ProgramName(strings.TrimSuffix(filepath.Base(g.Project.Harness[0]), ".c"))
		command.Status = new(int)
		g.Why["command"] = "The test program without arguments, which must end with status 0."
	} else {
		g.Why["command"] = "No folder with NAME.in was found. This runs the program without arguments\n# and input, so that there is a beginning: replace it by real tests."
	}
	g.Project.Tests.Commands = []project.Command{command}
}

var word = regexp.MustCompile(`\w+`)

// lookForWriting allows files to be written where a source seems to.
func (g *Guess) lookForWriting() {
	for _, file := range slices.Concat(g.Project.Harness, g.Project.Sources) {
		if found := writesFiles.FindString(g.read(file)); found != "" {
			g.Project.Tests.Writable = true
			g.Why["writable"] = fmt.Sprintf("%s calls or names %s. Runs are faster where nothing is written: take this out then.", file, word.FindString(found))
			return
		}
	}
}
