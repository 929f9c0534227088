package campaign

import (
	"errors"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// Finished returns what an earlier run recorded of a case, nil when there is
// nothing, or not all, or it is not of the same sources and options.
func Finished(dir string, c project.Case, opts RecordOptions) (*report.Run, error) {
	m, err := dataset.ReadManifest(dir)
	if errors.Is(err, dataset.ErrUnfinished) || paths.Exist(filepath.Join(dir, ProgressFolder)) {
		return nil, nil
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "remove the folder, and it is recorded again")
	}
	now, err := identityOf(&c, &opts)
	if err != nil || !now.of(m) {
		return nil, err
	}
	recorded := &dataset.Run{Dir: dir, Manifest: m}
	s, err := recorded.Load(dataset.KillsFile)
	for name := range m.Files { // what is said to be finished is as it was written
		err = errors.Join(err, recorded.Verify(name))
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "remove the folder, and it is recorded again")
	}
	count := func(name string) int { return int(m.Counts[name]) }
	run := &report.Run{Program: c.Program, Fault: c.Fault, Mutants: count("mutants"), Tests: count("tests"), Killed: count("killed"),
		Runs: count("runs"), Revealing: count("revealing"), Audited: count("audited"), Disagreed: count("disagreed"),
		Uninfected: count("uninfected"), Missed: count("missed"), Unprobed: count("unprobed"), Causes: map[string]int{}, SetAside: c.Repeated}
	for i := range s.Kills.Mutants() {
		if s.Kills.Verdict(i) == matrix.Survived {
			run.Survived++
		}
	}
	run.Unknown = run.Mutants - run.Killed - run.Survived
	return run, nil
}
