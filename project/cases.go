package project

import (
	"fmt"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/exit"
)

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
	tests, expected, err := p.LoadTests()
	if err != nil {
		return nil, err
	}
	tests, expected, same, err := WithoutTwins(tests, expected)
	if err != nil {
		return nil, err
	}
	plain := Case{Program: p.Program, Folder: p.Folder, Inputs: p.Inputs(nil), Tests: tests, Expected: expected,
		Twins: same, Behaviour: p.Behaviour()}
	if !faults {
		return []Case{plain}, nil
	}
	if len(p.Faults) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s names no faulty version", filepath.Join(p.Folder, File)),
			"add one with [[faults]], or run the program itself without --faults")
	}
	var out []Case
	for i := range p.Faults {
		f := &p.Faults[i]
		c := plain
		c.Problem, c.Fault, c.Inputs, c.Fixed = p.Program, f.Name, p.Inputs(f), p.Inputs(nil)
		out = append(out, c)
	}
	return out, nil
}
