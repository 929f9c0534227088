package discover

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/ctest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/project"
)

// readCTest reads CTest's list.
func readCTest(text []byte) ([]ctest.Test, error) {
	list, err := ctest.Read(text)
	if err != nil {
		return nil, exit.New(exit.Tool, err, "winnow needs CTest 3.14 or later")
	}
	return list, nil
}

// notSupported are properties that change what a test is.
var notSupported = []string{"PASS_REGULAR_EXPRESSION", "FAIL_REGULAR_EXPRESSION", "SKIP_REGULAR_EXPRESSION", "ENVIRONMENT",
	"ENVIRONMENT_MODIFICATION", "REQUIRED_FILES", "FIXTURES_REQUIRED", "DEPENDS", "DISABLED"}

// unsupported says why a test cannot be run as one of a program, "" when it can.
func unsupported(t *ctest.Test, p *cmakeProject) string {
	if len(t.Command) == 0 {
		return "its command does not exist before the project is built"
	}
	if p.program(t.Command[0]) == nil {
		return fmt.Sprintf("it runs %s, which is no program of the project", filepath.Base(t.Command[0]))
	}
	for _, name := range notSupported {
		if value := t.Property(name); value != nil && value != false && value != "" {
			return "it has the property " + name
		}
	}
	return ""
}

// ctestCommands turns CTest's tests of a program into commands, and notes which
// cannot be.
func (g *Guess) ctestCommands(p *cmakeProject, program *cmakeTarget, tests []ctest.Test) {
	seen := map[string]bool{}
	others := map[string]bool{}
	for i := range tests {
		t := &tests[i]
		why := unsupported(t, p)
		if why == "" && p.program(t.Command[0]) != program {
			others[p.program(t.Command[0]).Name] = true
			continue
		}
		command := project.Command{Name: t.Name, Status: new(int)}
		if why == "" {
			command.Args, command.Files, why = g.arguments(p, t)
		}
		if why == "" && seen[t.Name] {
			why = "another test has its name"
		}
		if why != "" {
			g.note("Test %s of CTest is left out: %s.", t.Name, why)
			continue
		}
		seen[t.Name] = true
		if t.Property("WILL_FAIL") == true {
			command.Status, command.Fails = nil, true
		}
		g.Project.Tests.Commands = append(g.Project.Tests.Commands, command)
		g.Why["command"] = "The tests of CTest that run " + program.Name + "."
	}
	if len(others) > 0 {
		g.note("One project file is for one program, here %s. CTest also has tests of %s: choose one of them as the target.",
			program.Name, strings.Join(slices.Sorted(maps.Keys(others)), ", "))
	}
}

// arguments are a test's, with files of the project to be copied into the run's
// folder under the names that they have in the project.
func (g *Guess) arguments(p *cmakeProject, t *ctest.Test) (args, files []string, why string) {
	folder, _ := t.Property("WORKING_DIRECTORY").(string)
	if folder == "" {
		folder = p.build
	}
	for _, arg := range t.Command[1:] {
		path := paths.Absolute(folder, arg)
		rel := paths.Relative(p.source, path)
		info, err := os.Stat(path)
		switch {
		case err == nil && info.Mode().IsRegular() && !filepath.IsAbs(rel) && paths.Exist(filepath.Join(g.Project.Folder, rel)):
			if !slices.Contains(files, rel) {
				files = append(files, rel)
			}
			args = append(args, filepath.ToSlash(rel))
			continue
		case strings.Contains(arg, p.source) || strings.Contains(arg, p.build):
			return nil, nil, fmt.Sprintf("its argument %s is no file of the project", strings.NewReplacer(p.source, "<source>", p.build, "<build>").Replace(arg))
		}
		args = append(args, arg)
	}
	return args, files, ""
}
