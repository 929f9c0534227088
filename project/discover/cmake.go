package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/ctest"
	"github.com/winnow-mutants/winnow/internal/confine"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/compdb"
)

// includeFolder receives the headers that a build makes.
const includeFolder = "winnow-include"

// cmakeTarget is what CMake's file API tells of a target (object "codemodel",
// version 2).
type cmakeTarget struct {
	Name         string                                     `json:"name"`
	ID           string                                     `json:"id"`
	Type         string                                     `json:"type"`
	Artifacts    []struct{ Path string }                    `json:"artifacts"`
	Dependencies []struct{ ID string }                      `json:"dependencies"`
	Sources      []struct{ Path string }                    `json:"sources"`
	Groups       []cmakeGroup                               `json:"compileGroups"`
	Link         struct{ CommandFragments []cmakeFragment } `json:"link"`
}

type cmakeGroup struct {
	Language  string          `json:"language"`
	Fragments []cmakeFragment `json:"compileCommandFragments"`
	Defines   []struct{ Define string }
	Includes  []struct{ Path string }
	Sources   []int `json:"sourceIndexes"`
}

type cmakeFragment struct {
	Fragment string `json:"fragment"`
	Role     string `json:"role"`
}

// cmakeProject is a configured copy of a project.
type cmakeProject struct {
	source, build string
	targets       map[string]*cmakeTarget // by id
	order         []string
}

// fromCMake has CMake and CTest describe the project. A copy is configured, in a
// temporary folder: projects are known that change their own sources then.
func (g *Guess) fromCMake(ctx context.Context) error {
	for _, tool := range []string{"cmake", "ctest"} {
		if _, err := exec.LookPath(tool); err != nil {
			return exit.New(exit.Tool, fmt.Errorf("the project is built with CMake, and %s is not installed", tool),
				"apt-get install cmake; or give winnow init a folder with a compile_commands.json")
		}
	}
	work, err := scratch.New("cmake")
	if err != nil {
		return exit.New(exit.System, err, "")
	}
	defer work.Remove()
	dir, err := filepath.EvalSymlinks(work.Path)
	if err != nil {
		return fmt.Errorf("resolving a temporary folder: %w", err)
	}
	p := &cmakeProject{source: filepath.Join(dir, "source"), build: filepath.Join(dir, "build")}
	if err := os.CopyFS(p.source, os.DirFS(g.Project.Folder)); err != nil {
		return exit.New(exit.System, fmt.Errorf("copying the project: %w", err), "")
	}
	if err := p.configure(ctx, g.opts.CMake); err != nil {
		return err
	}
	tests, err := p.ctest(ctx)
	if err != nil {
		return err
	}
	program := p.choose(tests, g.opts.Target)
	if program == nil && g.opts.Target != "" {
		return exit.New(exit.Input, fmt.Errorf("%s: CMake builds no program %s from C", g.Project.Folder, g.opts.Target), "those it builds: "+strings.Join(p.programs(), ", "))
	}
	if program == nil {
		return exit.New(exit.Input, fmt.Errorf("%s: CMake builds no program from C", g.Project.Folder),
			"switch the tests on, as in winnow init FOLDER -- -DBUILD_TESTING=ON, or write "+project.File+" by hand (docs/projects.md)")
	}
	g.Project.Program = project.ProgramName(program.Name)
	if err := g.target(p, program); err != nil {
		return err
	}
	g.ctestCommands(p, program, tests)
	return nil
}

// cmakeError is that CMake cannot configure a project.
type cmakeError struct{ error }

// run runs a command of CMake's, which executes what the project says, confined: it has no
// network, and changes files below the copy alone.
func (p *cmakeProject) run(cmd *exec.Cmd) error {
	folder := filepath.Dir(p.source)
	cmd.Env = append(os.Environ(), "TMPDIR="+folder, "HOME="+folder)
	return confine.Run(cmd, folder)
}

// configure runs CMake and reads what its file API tells of the targets.
func (p *cmakeProject) configure(ctx context.Context, args []string) error {
	query := filepath.Join(p.build, ".cmake", "api", "v1", "query")
	if err := os.MkdirAll(query, 0o755); err != nil {
		return exit.New(exit.System, err, "")
	}
	if err := os.WriteFile(filepath.Join(query, "codemodel-v2"), nil, 0o644); err != nil {
		return exit.New(exit.System, err, "")
	}
	cmd := exec.CommandContext(ctx, "cmake", append([]string{"-S", p.source, "-B", p.build, "-DCMAKE_BUILD_TYPE=Debug"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := p.run(cmd); err != nil {
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &cmakeError{fmt.Errorf("cmake cannot configure the project (%w):\n%s", err, strings.Join(lines[max(0, len(lines)-15):], "\n"))}
	}
	replies, err := filepath.Glob(filepath.Join(p.build, ".cmake", "api", "v1", "reply", "target-*.json"))
	if err != nil {
		return fmt.Errorf("listing CMake's targets: %w", err)
	}
	p.targets = map[string]*cmakeTarget{}
	for _, file := range replies {
		text, err := os.ReadFile(file)
		if err != nil {
			return exit.New(exit.System, err, "")
		}
		t := &cmakeTarget{}
		if err := json.Unmarshal(text, t); err != nil {
			return exit.New(exit.Tool, fmt.Errorf("reading what CMake says of a target: %w", err), "winnow needs CMake 3.14 or later")
		}
		p.targets[t.ID] = t
		p.order = append(p.order, t.ID)
	}
	slices.Sort(p.order)
	return nil
}

// ctest lists the tests. CTest names the command of a test only when there is
// such a file, so that an empty one takes the place of each program.
func (p *cmakeProject) ctest(ctx context.Context) ([]ctest.Test, error) {
	for _, id := range p.order {
		for _, artifact := range p.targets[id].Artifacts {
			path := paths.Absolute(p.build, artifact.Path)
			if p.targets[id].Type != "EXECUTABLE" || paths.Exist(path) {
				continue
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o755)); err != nil {
				return nil, exit.New(exit.System, err, "")
			}
		}
	}
	cmd := exec.CommandContext(ctx, "ctest", "--show-only=json-v1")
	cmd.Dir = p.build
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := p.run(cmd); err != nil {
		return nil, exit.New(exit.Tool, fmt.Errorf("ctest cannot list the tests: %w\n%s", err, stderr.String()), "winnow needs CTest 3.14 or later")
	}
	return readCTest(stdout.Bytes())
}

// program returns the target that makes a file, nil when none does.
func (p *cmakeProject) program(path string) *cmakeTarget {
	for _, id := range p.order {
		t := p.targets[id]
		for _, artifact := range t.Artifacts {
			if t.Type == "EXECUTABLE" && paths.Absolute(p.build, artifact.Path) == filepath.Clean(path) {
				return t
			}
		}
	}
	return nil
}

// programs lists the names of the programs in C.
func (p *cmakeProject) programs() []string {
	var out []string
	for _, id := range p.order {
		if t := p.targets[id]; t.Type == "EXECUTABLE" && t.inC() {
			out = append(out, t.Name)
		}
	}
	return out
}

// choose returns the program of a name; of "", that with the most tests: of
// several, and where there are no tests, the first by name.
func (p *cmakeProject) choose(tests []ctest.Test, name string) *cmakeTarget {
	counts := map[*cmakeTarget]int{}
	for _, test := range tests {
		if len(test.Command) > 0 {
			counts[p.program(test.Command[0])]++
		}
	}
	var best *cmakeTarget
	for _, id := range p.order {
		if t := p.targets[id]; t.Type == "EXECUTABLE" && t.inC() && (name == "" || t.Name == name) && (best == nil || counts[t] > counts[best]) {
			best = t
		}
	}
	return best
}

func (t *cmakeTarget) inC() bool {
	for _, group := range t.Groups {
		if group.Language != "C" {
			return false
		}
	}
	return len(t.Groups) > 0
}

// target takes sources and flags from a program and the project's libraries that
// it needs.
func (g *Guess) target(p *cmakeProject, program *cmakeTarget) error {
	var libraries []*cmakeTarget
	todo, seen := []*cmakeTarget{program}, map[string]bool{}
	for len(todo) > 0 {
		t := todo[0]
		todo = todo[1:]
		for _, d := range t.Dependencies {
			if needed := p.targets[d.ID]; needed != nil && !seen[d.ID] {
				seen[d.ID] = true
				todo = append(todo, needed)
				if strings.HasSuffix(needed.Type, "_LIBRARY") && needed.inC() {
					libraries = append(libraries, needed)
				}
			}
		}
	}
	own, err := g.sourcesOf(p, program)
	if err != nil {
		return err
	}
	var names []string
	for _, library := range libraries {
		files, err := g.sourcesOf(p, library)
		if err != nil {
			return err
		}
		for _, file := range files {
			if !slices.Contains(g.Project.Sources, file) {
				g.Project.Sources = append(g.Project.Sources, file)
			}
		}
		names = append(names, library.Name)
	}
	if len(g.Project.Sources) == 0 {
		g.Project.Sources = own
		g.Why["sources"] = fmt.Sprintf("The sources of CMake's target %s.", program.Name)
	} else {
		g.Project.Harness = own
		g.Why["sources"] = fmt.Sprintf("The sources of the libraries that %s needs: %s.", program.Name, strings.Join(names, ", "))
		g.Why["harness"] = fmt.Sprintf("CMake's target %s tests the libraries, and is not mutated.", program.Name)
	}
	var linked []string
	for _, f := range program.Link.CommandFragments {
		if words, err := compdb.Words(f.Fragment); err == nil && f.Role == "libraries" {
			linked = append(linked, clang.KeepLinker(words)...)
		}
	}
	g.Project.Flags = g.addFlags(g.Project.Flags, linked)
	g.Why["flags"] = "The flags of all these targets that change what the sources mean, and the libraries."
	return nil
}

// sourcesOf lists a target's C files and adds its flags to the project's.
func (g *Guess) sourcesOf(p *cmakeProject, t *cmakeTarget) ([]string, error) {
	var out []string
	for _, group := range t.Groups {
		for _, i := range group.Sources {
			if i < 0 || i >= len(t.Sources) {
				continue
			}
			path := paths.Absolute(p.source, t.Sources[i].Path)
			rel := paths.Relative(p.source, path)
			if filepath.IsAbs(rel) || !paths.Exist(filepath.Join(g.Project.Folder, rel)) {
				return nil, exit.New(exit.Input, fmt.Errorf("%s of target %s is made by the build", t.Sources[i].Path, t.Name), "build the project, copy the file into it, and write "+project.File+" by hand (docs/projects.md)")
			}
			out = append(out, rel)
		}
		var flags []string
		for _, f := range group.Fragments {
			words, err := compdb.Words(f.Fragment)
			if err != nil {
				return nil, exit.New(exit.Tool, err, "")
			}
			flags = append(flags, clang.KeepFrontEnd(words)...)
		}
		for _, d := range group.Defines {
			flags = append(flags, "-D"+d.Define)
		}
		for _, include := range group.Includes {
			folder, err := g.include(p, include.Path)
			if err != nil {
				return nil, err
			}
			if folder != "" {
				flags = append(flags, "-I"+folder)
			}
		}
		g.Project.Flags = g.addFlags(g.Project.Flags, flags)
	}
	return out, nil
}

// include says where a folder of headers is from now on; "" when there are none.
// Headers that the configured build made are kept.
func (g *Guess) include(p *cmakeProject, folder string) (string, error) {
	if rel := paths.Relative(p.source, folder); !filepath.IsAbs(rel) {
		return filepath.Join(g.Project.Folder, rel), nil
	}
	rel := paths.Relative(p.build, folder)
	if filepath.IsAbs(rel) {
		return folder, nil
	}
	kept := filepath.Join(includeFolder, rel)
	found := false
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() && (d.Name() == "CMakeFiles" || d.Name() == ".cmake") {
			return errors.Join(err, fs.SkipDir)
		}
		if filepath.Ext(path) != ".h" {
			return nil
		}
		text, err := os.ReadFile(path)
		g.Generated[filepath.Join(includeFolder, paths.Relative(p.build, path))] = text
		found = true
		return err
	})
	if err != nil && !errors.Is(err, fs.SkipDir) {
		return "", exit.New(exit.System, err, "")
	}
	if !found {
		return "", nil
	}
	g.note("%s holds the headers that configuring the project made.", includeFolder)
	return filepath.Join(g.Project.Folder, kept), nil
}
