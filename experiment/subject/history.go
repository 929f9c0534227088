package subject

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/predict"
)

// Loading says how a history is read: by how many goroutines, 0 being one per CPU,
// which does not change the result, and where progress is shown.
type Loading struct {
	Workers int
	Display *progress.Display
	// Faultless takes runs without a table of faults, too.
	Faultless bool
}

// FromHistory reads every run of a history that has mutants, kills and, unless it is
// loaded otherwise, faults, and features unless columns is empty. columns are the features to take; a run
// that lacks one of them is an error. skipped are the paths of the runs that
// lack a table.
func FromHistory(ctx context.Context, h *dataset.History, columns []string, how Loading) (subjects []Subject, skipped []string, err error) {
	return fromRuns(ctx, h.Runs, columns, how)
}

// FixedFromHistory reads the runs of fixed versions, without features, by the name of the
// subject that each stands beside. Which tests reveal is said of the faulty version in
// both.
func FixedFromHistory(ctx context.Context, h *dataset.History, how Loading) (map[string]*Subject, error) {
	subjects, _, err := fromRuns(ctx, h.Fixed, nil, how)
	out := map[string]*Subject{}
	for i := range subjects {
		out[strings.TrimSuffix(subjects[i].Name(), dataset.FixedSuffix)] = &subjects[i]
	}
	return out, err
}

func fromRuns(ctx context.Context, runs []dataset.Run, columns []string, how Loading) (subjects []Subject, skipped []string, err error) {
	files := []string{dataset.MutantsFile, dataset.KillsFile}
	if !how.Faultless {
		files = append(files, dataset.FaultsFile)
	}
	if len(columns) > 0 {
		files = append(files, dataset.FeaturesFile)
	}
	var complete []*dataset.Run
	for i := range runs {
		run := &runs[i]
		if slices.ContainsFunc(files, func(file string) bool { return !run.Has(file) }) {
			skipped = append(skipped, run.Path)
		} else {
			complete = append(complete, run)
		}
	}
	task := how.Display.Start("reading faults", len(complete))
	defer task.Done()
	subjects, err = parallel.Map(ctx, how.Workers, complete, func(_ context.Context, _ int, run *dataset.Run) (Subject, error) {
		defer task.Add(1)
		load := slices.Clone(files)
		for _, more := range []string{dataset.CoverFile, dataset.BranchesFile, dataset.FaultsFile} {
			if run.Has(more) && !slices.Contains(load, more) {
				load = append(load, more)
			}
		}
		loaded, err := run.Load(load...)
		if err != nil {
			return Subject{}, err
		}
		return fromRunNamed(loaded, columns)
	})
	if err != nil {
		return nil, nil, err
	}
	return subjects, skipped, nil
}

// FromRun makes a subject of a run folder's tables: the mutants that were run,
// on the tests that are usable on both versions, with the given columns of
// their features. Scores are NaN until a model gives them.
//
// A run without a table of faults is an error: a study needs a faulty and a fixed version.
func FromRun(run *dataset.Subject, columns []string) (Subject, error) {
	if run.Mutants != nil && run.Faults == nil {
		return Subject{}, fmt.Errorf("study %s: %w: it is not known which tests reveal the fault; a study needs a faulty and a fixed version", run.Manifest.Name(), ErrSubject)
	}
	return fromRunNamed(run, columns)
}

func fromRunNamed(run *dataset.Subject, columns []string) (Subject, error) {
	s, err := fromRun(run, columns)
	if err != nil {
		return Subject{}, fmt.Errorf("study %s: %w", run.Manifest.Name(), err)
	}
	return s, nil
}

func fromRun(run *dataset.Subject, columns []string) (Subject, error) {
	switch {
	case run.Mutants == nil:
		return Subject{}, fmt.Errorf("%w: it has no table of mutants", ErrSubject)
	case run.Features == nil && len(columns) > 0:
		return Subject{}, fmt.Errorf("%w: it has no features", ErrSubject)
	}
	evidence, err := dataset.NewEvidence(run)
	if err != nil {
		return Subject{}, err
	}
	described, err := scoresByID(run.Mutants)
	if err != nil {
		return Subject{}, fmt.Errorf("mutants: %w", err)
	}
	s := Subject{
		Program: run.Manifest.Program, Problem: run.Manifest.Problem, Fault: run.Manifest.Fault,
		Kills: evidence.Killed, Unknown: evidence.Unknown, Reveals: evidence.Reveals, Told: evidence.Told, Lived: evidence.Lived,
		Class:   run.Manifest.Options[ClassOption],
		Sources: slices.Sorted(maps.Values(run.Manifest.Inputs)),
	}
	if run.Faults == nil {
		s.Faultless, s.Reveals = true, matrix.NewBits(len(evidence.Tests))
	}
	s.addReach(run, evidence.Tests)
	if s.Faultless {
		s.doubtUnreached()
	}
	s.addBranches(run.Branches, evidence.Tests)
	if err := s.addInfections(run, evidence); err != nil {
		return Subject{}, fmt.Errorf("infections: %w", err)
	}
	for _, id := range evidence.Mutants {
		score, known := described[id]
		if !known {
			return Subject{}, fmt.Errorf("%w: mutant %s was run but is not among the mutants", ErrSubject, id)
		}
		s.Mutants = append(s.Mutants, score)
	}
	if len(columns) > 0 {
		if err := s.addFeatures(run.Features, columns); err != nil {
			return Subject{}, fmt.Errorf("features: %w", err)
		}
	}
	return s, s.Validate()
}

// ClassOption is the option of a run's manifest that names the kind of fault.
const ClassOption = "fault_class"

// addReach takes from the kills which tests of the pool reach each mutant.
func (s *Subject) addReach(run *dataset.Subject, pool []string) {
	at := places(run.Kills.Tests())
	for m := range run.Kills.Mutants() {
		s.Reached = append(s.Reached, choose(run.Kills.Reached(m), pool, at))
	}
}

// doubtUnreached takes for unknown what tests would do with the mutants that none of them
// comes to. Tests that belong to a fault were made to tell versions of the program apart,
// and what they leave out is hard to come to; the tests that a project happens to have say
// nothing of the code that they do not run.
func (s *Subject) doubtUnreached() {
	for m, reached := range s.Reached {
		if reached.Empty() {
			s.Unknown[m] = matrix.NewBits(s.Tests())
			for test := range s.Tests() {
				s.Unknown[m].Set(test)
			}
		}
	}
}

// addBranches takes from the run's branches which tests of the pool take each side. A
// pool with a test of which that is not known leaves them unknown.
func (s *Subject) addBranches(branches *cover.Matrix, pool []string) {
	if branches == nil {
		return
	}
	at := places(branches.Tests())
	for _, name := range pool {
		if t, known := at[name]; !known || branches.Unmeasured().Get(t) {
			return
		}
	}
	s.Branches = make([]matrix.Bits, 0, branches.Sites())
	for side := range branches.Sites() {
		s.Branches = append(s.Branches, choose(branches.Reaching(side), pool, at))
	}
}

// addInfections takes from the run's coverage, where that is of infections, and
// else from its kills, which tests of the pool infect each mutant. A pool with a
// test whose coverage could not be measured leaves them unknown; a test without a
// probing run that means anything is taken to infect all that it reaches.
func (s *Subject) addInfections(run *dataset.Subject, evidence *dataset.Evidence) error {
	if run.Cover == nil || run.Cover.Kind() != cover.Infections {
		if probed(&run.Manifest) {
			at := places(run.Kills.Tests())
			for m := range run.Kills.Mutants() {
				s.Infected = append(s.Infected, choose(run.Kills.Infected(m), evidence.Tests, at))
			}
		}
		return nil
	}
	ids, err := run.Mutants.Strings("id")
	if err != nil {
		return err
	}
	if len(ids) != run.Cover.Sites() {
		return fmt.Errorf("%w: infections of %d mutants, there are %d", ErrSubject, run.Cover.Sites(), len(ids))
	}
	tests, row := places(run.Cover.Tests()), places(ids)
	for _, name := range evidence.Tests {
		if at, known := tests[name]; !known || run.Cover.Unmeasured().Get(at) {
			return nil
		}
	}
	for _, id := range evidence.Mutants {
		at, known := row[id]
		if !known {
			return fmt.Errorf("%w: mutant %s is not among the mutants", ErrSubject, id)
		}
		s.Infected = append(s.Infected, choose(run.Cover.Reaching(at), evidence.Tests, tests))
	}
	return nil
}

// probed reports whether probing runs told which mutants the tests infect. Without
// them no pair is known to be without infection.
func probed(m *dataset.Manifest) bool {
	_, counted := m.Files[dataset.ProbeFile]
	return counted || m.Counts["uninfected"] > 0
}

// places maps each name to its place.
func places(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	return at
}

// choose returns the members of b among the named tests, by their place there.
func choose(b matrix.Bits, names []string, at map[string]int) matrix.Bits {
	out := matrix.NewBits(len(names))
	for to, name := range names {
		if from, known := at[name]; known && b.Get(from) {
			out.Set(to)
		}
	}
	return out
}

// scoresByID reads what strategies may know of the mutants.
func scoresByID(t *table.Table) (map[string]predict.Score, error) {
	text, whole := map[string][]string{}, map[string][]int64{}
	var err error
	for _, name := range []string{"id", "operator", "matcher", "replacer", "file", "function"} {
		if text[name], err = t.Strings(name); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"selector", "statement", "line"} {
		if whole[name], err = t.Ints(name); err != nil {
			return nil, err
		}
	}
	scores := make(map[string]predict.Score, t.Rows())
	for i, id := range text["id"] {
		scores[id] = predict.Score{
			ID: id, Selector: int32(whole["selector"][i]),
			Fault: math.NaN(), Kill: math.NaN(),
			Statement: int(whole["statement"][i]), File: text["file"][i], Function: text["function"][i], Line: int(whole["line"][i]),
			Operator: text["operator"][i], Matcher: text["matcher"][i], Replacer: text["replacer"][i],
		}
	}
	return scores, nil
}

// addFeatures puts the columns' values beside the mutants, by id.
func (s *Subject) addFeatures(t *table.Table, columns []string) error {
	ids, err := t.Strings("id")
	if err != nil {
		return err
	}
	rowOf := make(map[string]int, len(ids))
	for row, id := range ids {
		rowOf[id] = row
	}
	rows := make([]int, len(s.Mutants))
	for m := range s.Mutants {
		known := false
		if rows[m], known = rowOf[s.Mutants[m].ID]; !known {
			return fmt.Errorf("%w: mutant %s has none", ErrSubject, s.Mutants[m].ID)
		}
	}
	s.Columns, s.Features = columns, NewRows(len(s.Mutants))
	own := make([]float64, len(s.Mutants))
	for _, name := range columns {
		values, err := t.Numbers(name)
		if err != nil {
			return err
		}
		for m, row := range rows {
			own[m] = values[row]
		}
		s.Features.AddColumn(own)
	}
	return s.addTrials(t, rows)
}

// addTrials gives the mutants the inputs that show them, in these rows of a table; a
// history that was recorded before these were kept has none.
func (s *Subject) addTrials(t *table.Table, rows []int) error {
	columns := make([][]float64, len(predict.TrialColumns))
	for k, name := range predict.TrialColumns {
		if t.Schema().Index(name) < 0 {
			return nil
		}
		values, err := t.Numbers(name)
		if err != nil {
			return err
		}
		for _, row := range rows {
			columns[k] = append(columns[k], values[row])
		}
	}
	predict.GiveTrials(s.Mutants, columns)
	return nil
}
