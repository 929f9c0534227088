package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
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
		if !evidence.Reveals.Get(t) && probed[test] {
			quiet = append(quiet, test)
		}
	}
	if len(quiet) < 2 {
		return nil
	}
	rng := stream.New(seed, "pipeline/existing-suite/"+name)
	rng.Shuffle(len(quiet), func(i, k int) { quiet[i], quiet[k] = quiet[k], quiet[i] })
	return quiet[:max(1, int(suiteShare*float64(len(quiet))+0.5))]
}

// dynamicOf sums up what the probing runs of some tests told of the mutants.
func dynamicOf(probe *table.Table, mutants, suite []string) (*features.Dynamic, error) {
	d := &features.Dynamic{Tests: len(suite), Reached: map[string]int{}, Infected: map[string]int{},
		Executions: map[string]int64{}, Infections: map[string]int64{}}
	for _, id := range mutants { // those that no test reaches have no rows
		d.Reached[id], d.Infected[id], d.Executions[id], d.Infections[id] = 0, 0, 0, 0
	}
	ids, err := probe.Strings("id")
	if err != nil {
		return nil, err
	}
	tests, err := probe.Strings("test")
	if err != nil {
		return nil, err
	}
	executions, err := probe.Ints("executions")
	if err != nil {
		return nil, err
	}
	infections, err := probe.Ints("infections")
	if err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, test := range suite {
		chosen[test] = true
	}
	for i, id := range ids {
		if !chosen[tests[i]] {
			continue
		}
		d.Reached[id]++
		d.Executions[id] += executions[i]
		if infections[i] > 0 {
			d.Infected[id]++
			d.Infections[id] += infections[i]
		}
	}
	return d, nil
}

// splitColumns parts names of features into the static and the dynamic ones.
func splitColumns(columns []string) (static, dynamic []string, err error) {
	all, err := features.Columns("dynamic")
	if err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		if slices.Contains(all, c) {
			dynamic = append(dynamic, c)
		} else {
			static = append(static, c)
		}
	}
	return static, dynamic, nil
}

// putSuiteAside makes the subjects what they are for somebody who has an existing
// suite and no others of the tests: labels rest on the tests that are not in the
// suite, and the features have all the named columns, the dynamic ones, if there
// are such, from running the suite. A subject whose probing runs were not recorded
// stays as it is and misses the dynamic values.
func putSuiteAside(h *dataset.History, subjects []evaluate.Subject, columns []string, seed uint64) error {
	runs := map[string]*dataset.Run{}
	for i := range h.Runs {
		runs[h.Runs[i].Manifest.Program+"/"+h.Runs[i].Manifest.Fault] = &h.Runs[i]
	}
	recorded := false
	for i := range subjects {
		s := &subjects[i]
		suite, err := suiteOfRun(runs[s.Name()], s.Name(), seed)
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
	}
	if !recorded {
		return exit.New(exit.Input, fmt.Errorf("no run folder of %s has %s, which dynamic features are made of and existing suites are drawn from", h.Dir, dataset.ProbeFile),
			"record the history with this version of winnow import, without --no-probe, or name static features")
	}
	return nil
}

// addDynamic gives a subject, which has the static columns, all that are named.
func addDynamic(s *evaluate.Subject, told *features.Dynamic, columns []string) error {
	dynamic, err := features.Columns("dynamic")
	if err != nil {
		return err
	}
	rows := make([][]float64, len(s.Mutants))
	for m := range rows {
		rows[m] = make([]float64, len(dynamic))
		told.Fill(s.Mutants[m].ID, rows[m])
	}
	values, err := evaluate.PackRows(rows, len(dynamic))
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

// withDynamic makes rows of all the named columns of rows of the static ones.
func withDynamic(rows [][]float64, static, ids []string, d *features.Dynamic, columns []string) ([][]float64, error) {
	dynamic, err := features.Columns("dynamic")
	if err != nil {
		return nil, err
	}
	from := make([]int, len(columns)) // below 0: from the dynamic values, ^ their place
	for k, c := range columns {
		if at := slices.Index(dynamic, c); at >= 0 {
			from[k] = ^at
		} else {
			from[k] = slices.Index(static, c)
		}
	}
	values := make([]float64, len(dynamic))
	out := make([][]float64, len(rows))
	for i, row := range rows {
		d.Fill(ids[i], values)
		out[i] = make([]float64, len(columns))
		for k, at := range from {
			if at < 0 {
				out[i][k] = values[^at]
			} else {
				out[i][k] = row[at]
			}
		}
	}
	return out, nil
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
	s, err := run.Load(dataset.ProbeFile, dataset.KillsFile, dataset.FaultsFile)
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
	told, err := dynamicOf(s.Probe, evidence.Mutants, names)
	if err != nil {
		return suite{}, err
	}
	out := suite{tests: matrix.NewBits(len(evidence.Tests)), told: *told}
	for _, test := range names {
		out.tests.Set(slices.Index(evidence.Tests, test))
	}
	return out, nil
}

// Probed is what runs of the original on a project's tests told.
type Probed struct {
	Dynamic *features.Dynamic
	// Seconds is how long it would take to run each mutant, by id: as long as the
	// original took on the tests that infect it. Mutants that a map lacks cost
	// nothing, for no test could tell them from the original.
	Seconds map[string]float64
}

// ProbeProject runs the original program on its project's tests and tells what
// they would have made of the mutants of p, which is the project's program: what
// the dynamic features of a ranking are made of. No mutant is run. It uses up the
// program's modules: what reads them must have run before.
func ProbeProject(ctx context.Context, tools *clang.Toolchain, p *Program, project *Project, options execute.Options) (*Probed, error) {
	cases, err := project.Cases(false)
	if err != nil {
		return nil, err
	}
	c := cases[0]
	builder, remove, err := temporaryBuilder(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &recorder{tools: builder.tools, builder: builder, c: c, mutants: p.Mutants(), opts: RecordOptions{Execute: c.Behaviour.options(options), Counts: true}}
	if r.probing, err = builder.Probing(ctx, p, "probe", true); err != nil {
		return nil, err
	}
	binary, err := builder.Build(ctx, p, "original")
	if err != nil {
		return nil, err
	}
	base, err := r.original(ctx, binary, true)
	if err != nil {
		return nil, err
	}
	if _, err := r.probe(ctx, base); err != nil {
		return nil, err
	}
	return r.told(base)
}

// told sums up the probing runs on all tests.
func (r *recorder) told(base *execute.Baseline) (*Probed, error) {
	out := &Probed{Seconds: map[string]float64{}}
	seconds := map[string]float64{}
	for k := range r.c.Tests {
		seconds[r.c.Tests[k].Name] = base.Tests[k].Wall.Seconds()
	}
	ids, err := r.probed.Strings("id")
	if err != nil {
		return nil, err
	}
	tests, err := r.probed.Strings("test")
	if err != nil {
		return nil, err
	}
	infections, err := r.probed.Ints("infections")
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if infections[i] > 0 {
			out.Seconds[id] += seconds[tests[i]]
		}
	}
	all := make([]string, len(r.mutants))
	for i := range r.mutants {
		all[i] = r.mutants[i].ID
	}
	tests = slices.Clone(tests) // the column is the table's
	slices.Sort(tests)
	out.Dynamic, err = dynamicOf(r.probed, all, slices.Compact(tests))
	return out, err
}
