package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
)

// suiteShare is how much of the tests that do not reveal the fault stands for the
// suite that there is when mutants are ranked. A test that reveals it is not among
// them: the fault is not known then.
const suiteShare = 0.25

// existingSuite draws the tests that stand for the existing suite of a subject:
// at least one, of those that do not reveal the fault and were probed, if that
// leaves another that does not reveal it. It is the same for a subject whatever
// else is in the history.
func existingSuite(evidence *dataset.Evidence, probed map[string]bool, name string, seed uint64) []string {
	var quiet []string
	for t, test := range evidence.Tests {
		if reveals := evidence.Reveals.Len() > 0 && evidence.Reveals.Get(t); !reveals && probed[test] {
			quiet = append(quiet, test)
		}
	}
	if len(quiet) < 2 {
		return nil
	}
	rng := stream.New(seed, "learn/existing-suite/"+name)
	rng.Shuffle(len(quiet), func(i, k int) { quiet[i], quiet[k] = quiet[k], quiet[i] })
	return quiet[:max(1, int(suiteShare*float64(len(quiet))+0.5))]
}

// putSuiteAside makes the subjects what they are for somebody who has an existing
// suite and no others of the tests: labels rest on the tests that are not in the
// suite, and the features have all the named columns, the dynamic ones, if there
// are such, from running the suite. A subject whose probing runs were not recorded
// stays as it is and misses the dynamic values.
func putSuiteAside(ctx context.Context, h *dataset.History, subjects []subject.Subject, columns []string, opts Options) error {
	runs := map[string]*dataset.Run{}
	for i := range h.Runs {
		runs[h.Runs[i].Manifest.Program+"/"+h.Runs[i].Manifest.Fault] = &h.Runs[i]
	}
	recorded := false
	task := opts.Display.Start("putting existing suites aside", len(subjects))
	defer task.Done()
	for i := range subjects {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &subjects[i]
		suite, err := suiteOfRun(runs[s.Name()], s.Name(), opts.Seed)
		if err != nil {
			return fmt.Errorf("existing suite of %s: %w", s.Name(), err)
		}
		if suite.tests.Len() > 0 {
			recorded = true
			if *s, err = s.Without(suite.tests); err != nil {
				return err
			}
		}
		if err := addDynamic(s, &suite.told, columns); err != nil {
			return err
		}
		task.Add(1)
	}
	if !recorded {
		return exit.Mark(exit.Input, ErrUnprobed, fmt.Errorf("no run folder of %s has %s, which dynamic features are made of and existing suites are drawn from", h.Dir, dataset.ProbeFile))
	}
	return nil
}

// addDynamic gives a subject, which has the static columns, all that are named.
func addDynamic(s *subject.Subject, told *features.Dynamic, columns []string) error {
	dynamic, err := features.Columns("dynamic")
	if err != nil {
		return err
	}
	rows := make([][]float64, len(s.Mutants))
	for m := range rows {
		rows[m] = make([]float64, len(dynamic))
		told.Fill(s.Mutants[m].ID, rows[m])
	}
	values, err := subject.PackRows(rows, len(dynamic))
	if err != nil {
		return err
	}
	from := make([]int, len(columns))
	for k, c := range columns {
		if at := slices.Index(dynamic, c); at >= 0 {
			from[k] = ^at
		} else {
			from[k] = slices.Index(s.Columns, c)
		}
	}
	s.Features, s.Columns = s.Features.Choose(from, values), columns
	return nil
}

// suite is the tests of a pool that stand for the existing suite, and what running
// the original on them tells. Without one, tests is of length 0.
type suite struct {
	tests matrix.Bits
	told  features.Dynamic
}

func suiteOfRun(run *dataset.Run, name string, seed uint64) (suite, error) {
	if !run.Has(dataset.ProbeFile) {
		return suite{}, nil
	}
	files := []string{dataset.MutantsFile, dataset.ProbeFile, dataset.KillsFile}
	if run.Has(dataset.FaultsFile) {
		files = append(files, dataset.FaultsFile)
	}
	s, err := run.Load(files...)
	if err != nil {
		return suite{}, err
	}
	evidence, err := dataset.NewEvidence(s)
	if err != nil {
		return suite{}, err
	}
	tests, err := s.Probe.Strings("test")
	if err != nil {
		return suite{}, err
	}
	probed := map[string]bool{}
	for _, test := range tests {
		probed[test] = true
	}
	names := existingSuite(evidence, probed, name, seed)
	if names == nil {
		return suite{}, nil
	}
	places, err := placesOf(s.Mutants, evidence.Mutants)
	if err != nil {
		return suite{}, err
	}
	told, err := DynamicOf(s.Probe, places, names)
	if err != nil {
		return suite{}, err
	}
	out := suite{tests: matrix.NewBits(len(evidence.Tests)), told: *told}
	for _, test := range names {
		out.tests.Set(slices.Index(evidence.Tests, test))
	}
	return out, nil
}
