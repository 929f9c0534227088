package project

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program"
)

// ErrNoFaults is a project that names no faulty version where they are asked for.
var ErrNoFaults = errors.New("the project names no faulty version")

// Case is one subject to record: a version of a program with tests.
type Case struct {
	// Program, Problem and Fault are the subject's names (dataset.Manifest).
	Program, Problem, Fault string
	// Folder is what paths in the record are relative to, so that the record
	// does not depend on where it was made; "" is the current folder.
	Folder string
	Inputs []program.Input
	// Fixed are the sources of the version without the fault; nil when there
	// is no fault. What it does is right: a test on which the two differ
	// reveals the fault.
	Fixed []program.Input
	Tests []execute.Test
	// Expected is what the fixed version (without a fault: the program itself)
	// must do, by test.
	Expected []Expectation
	// Build, of a project that its own build builds and tests, takes the place of all
	// below Program.
	Build *Build
	// Judged, of a fixed version that is recorded beside the faulty one, says which of
	// the tests reveal the fault; nil otherwise.
	Judged fault.Table
	// Repeated are the tests that were left out because they run the program as others do.
	Repeated []string
	// Behaviour is what counts as the program's.
	Behaviour Behaviour
}

// Behaviour says what of a run counts, and what a run may do.
type Behaviour struct {
	Exit   execute.ExitComparison
	Output execute.OutputComparison
	// Writable allows a run to write files in a folder of its own.
	Writable bool
}

// Options are the execution's with the case's behaviour.
func (b Behaviour) Options(o execute.Options) execute.Options {
	if b.Exit != execute.ExitStatus {
		o.Exit = b.Exit
	}
	if b.Output != execute.OutputTrimmed {
		o.Output = b.Output
	}
	o.Writable = o.Writable || b.Writable
	return o
}

// Name names the case in messages: program, or program/fault.
func (c *Case) Name() string {
	if c.Fault == "" {
		return c.Program
	}
	return c.Program + "/" + c.Fault
}

// AsRecorded is an error unless the case's sources are those of a run.
func (c *Case) AsRecorded(run *dataset.Run) error {
	sources, err := c.Sources()
	if err != nil {
		return err
	}
	recorded := maps.Clone(run.Manifest.Inputs)
	delete(recorded, TestsInput)
	if !maps.Equal(sources, recorded) {
		return exit.New(exit.Input, errors.New("its sources are not those that were recorded"), "")
	}
	return nil
}

// Sources are the hashes of the case's sources, by short name.
func (c *Case) Sources() (map[string]string, error) {
	files := map[string]bool{}
	for _, in := range slices.Concat(c.Inputs, c.Fixed) {
		files[filepath.Clean(in.Path)] = true
	}
	out := map[string]string{}
	for path, name := range paths.Shortest(slices.Sorted(maps.Keys(files))) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		sum := sha256.Sum256(text)
		out[name] = hex.EncodeToString(sum[:])
	}
	return out, nil
}

// TestsInput is the name, in a manifest's inputs, of all tests that there were.
const TestsInput = "[tests]"

// CasesOf lists what all projects have to record.
func CasesOf(folders []string, faults bool) ([]Case, error) {
	var cases []Case
	from := map[string]string{}
	for _, folder := range folders {
		p, err := Open(folder)
		if err != nil {
			return nil, err
		}
		if other, taken := from[p.Program]; taken {
			return nil, exit.New(exit.Input, fmt.Errorf("%s and %s are both named %q, so that one would replace the other's record", other, folder, p.Program),
				"give each program a name of its own in "+File)
		}
		from[p.Program] = folder
		fromProject, err := p.Cases(faults)
		if err != nil {
			return nil, err
		}
		cases = append(cases, fromProject...)
	}
	return cases, nil
}

// Cases are what a project has to record: itself, or its faulty versions.
func (p *Project) Cases(faults bool) ([]Case, error) {
	if p.Build != nil {
		return []Case{{Program: p.Program, Problem: p.Program, Folder: p.Folder, Build: p.Build}}, nil
	}
	if !faults {
		c, err := p.caseOf(nil)
		return []Case{c}, err
	}
	if len(p.Faults) == 0 {
		return nil, exit.Mark(exit.Input, ErrNoFaults, fmt.Errorf("%s names no faulty version", filepath.Join(p.Folder, File)))
	}
	var out []Case
	for i := range p.Faults {
		c, err := p.caseOf(&p.Faults[i])
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// caseOf is the project, or a faulty version of it, with the tests that there are of it.
func (p *Project) caseOf(f *Fault) (Case, error) {
	c := Case{Program: p.Program, Folder: p.Folder, Inputs: p.Inputs(f), Behaviour: p.Behaviour()}
	var err error
	if c.Tests, c.Expected, err = p.LoadTests(); err != nil {
		return c, err
	}
	if f != nil {
		c.Problem, c.Fault, c.Fixed = p.Program, f.Name, p.Inputs(nil)
		tests, expected, err := p.load(&f.Tests)
		if err != nil {
			return c, err
		}
		c.Tests, c.Expected = append(c.Tests, tests...), append(c.Expected, expected...)
	}
	if len(c.Tests) == 0 {
		return c, exit.New(exit.Input, fmt.Errorf("%s has no tests", c.Name()), "give it some: tests.dir, tests.file, tests.lines or [[tests.command]], in [tests] or of the fault")
	}
	if err := p.distinct(c.Tests); err != nil {
		return c, err
	}
	c.Tests, c.Expected, c.Repeated, err = WithoutRepeats(c.Tests, c.Expected)
	return c, err
}
