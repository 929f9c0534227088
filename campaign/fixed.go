package campaign

import (
	"fmt"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/project"
)

// recordedTests are what a run folder says of its tests: those that its mutants ran on,
// and which of them reveal the fault.
type recordedTests struct {
	names  []string
	faults fault.Table
}

func testsOf(run *dataset.Run) (*recordedTests, error) {
	s, err := run.Load(dataset.KillsFile, dataset.FaultsFile)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	return &recordedTests{s.Kills.Tests(), s.Faults}, nil
}

// pick returns those of a case's tests that were recorded, in the order of the record.
// The inputs of tests that were made at the recording lie in the run folder.
func (r *recordedTests) pick(run *dataset.Run, tests []execute.Test) ([]execute.Test, error) {
	at := map[string]*execute.Test{}
	plain := true // what is made has an input and nothing else
	for i := range tests {
		at[tests[i].Name] = &tests[i]
		plain = plain && len(tests[i].Args)+len(tests[i].Files) == 0
	}
	var out []execute.Test
	for _, name := range r.names {
		made := filepath.Join(run.Dir, MadeFolder, name+".in")
		switch {
		case at[name] != nil:
			out = append(out, *at[name])
		case plain && paths.Exist(made):
			out = append(out, execute.Test{Name: name, Input: made})
		default:
			return nil, exit.New(exit.Input, fmt.Errorf("test %s is not there any more", name), "record the fault again")
		}
	}
	return out, nil
}

// FixedCase is the fixed version of a recorded case, on the tests of the record.
func FixedCase(c *project.Case, run *dataset.Run) (*project.Case, error) {
	recorded, err := testsOf(run)
	if err != nil {
		return nil, err
	}
	out := *c
	out.Fault, out.Inputs, out.Fixed, out.Expected, out.Repeated = c.Fault+dataset.FixedSuffix, c.Fixed, nil, nil, nil
	out.Judged = recorded.faults
	out.Tests, err = recorded.pick(run, c.Tests)
	return &out, err
}

// FixedFolder is where the run of the fixed version goes: beside that of the faulty one.
func FixedFolder(dir string) string { return dir + dataset.FixedSuffix }
