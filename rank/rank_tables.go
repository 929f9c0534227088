package rank

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// mostReasons is how many mutants a ranking of tables gives reasons for, at most:
// their features are read a second time, and kept.
const mostReasons = 10_000

// HasTables says that a folder holds mutants as winnow mutate, winnow run and
// winnow import write them down, for Tables.
func HasTables(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, dataset.MutantsFile))
	return err == nil
}

// Tables is Rank for mutants whose tables were written before: mutants.parquet
// and, for a model, features.parquet of a folder. Nothing is compiled. Features are
// read a row group at a time, and only those that the model's trees read, unless the
// strategy asks for them. Workers is the number of CPUs to score with; 0 means all.
func Tables(ctx context.Context, folder string, opts Options, workers int) (*report.Ranking, error) {
	if opts.Budget > 0 {
		return nil, exit.New(exit.Usage, errors.New("a budget needs tests, to tell what a mutant costs"), "name a folder with "+project.File+", which says what the tests are")
	}
	t, err := readMutants(folder)
	if err != nil {
		return nil, err
	}
	if !t.hasFeatures() && opts.Strategy.NeedsModel == predict.NeedsNone && !opts.Strategy.NeedsFeatures {
		opts.Model = nil // its probabilities would only be shown
	}
	out := newRanking(nameOf(folder), len(t.scores), opts)
	if out.LeftOut, err = leftOut(folder); err != nil {
		return nil, err
	}
	if opts.Model != nil {
		if err := t.open(opts.Model); err != nil {
			return nil, err
		}
		defer t.features.Close()
		if err := t.score(ctx, opts, workers); err != nil {
			return nil, err
		}
		out.Drift = report.DriftOf(opts.Model, len(t.scores), func(at int) []float64 { return t.column(ctx, at, workers) })
		if t.failed != nil {
			return nil, t.failed
		}
	}
	order, err := orderOf(t.scores, opts)
	if err != nil {
		return nil, err
	}
	order = order[:opts.Top.Of(len(order))]
	out.Mutants = make([]report.Ranked, 0, len(order))
	for rank, i := range order {
		out.Mutants = append(out.Mutants, t.ranked(i, rank+1))
	}
	return out, t.explain(out, order, opts)
}

// nameOf is what a program is called whose tables are in a folder.
func nameOf(folder string) string {
	if path, err := filepath.Abs(folder); err == nil {
		folder = path
	}
	return filepath.Base(folder)
}

// mutantTables are the tables of a folder.
type mutantTables struct {
	folder string
	// described has what a ranking says of a mutant, scores one value a row of it.
	described *table.Table
	scores    []predict.Score
	features  *table.Reader
	columns   []string // those of the model, in its order
	failed    error
}

func readMutants(folder string) (*mutantTables, error) {
	described, err := table.Read(filepath.Join(folder, dataset.MutantsFile), "id", "selector", "statement",
		"operator", "matcher", "replacer", "function", "file", "line", "column", "original", "replacement")
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	t := &mutantTables{folder: folder, described: described, scores: make([]predict.Score, described.Rows())}
	for i := range t.scores {
		t.scores[i] = predict.Score{
			ID: t.text(i, 0), Selector: int32(t.number(i, 1)), Fault: math.NaN(), Kill: math.NaN(), Statement: t.number(i, 2),
			Operator: t.text(i, 3), Matcher: t.text(i, 4), Replacer: t.text(i, 5), File: t.text(i, 7), Line: t.number(i, 8)}
	}
	return t, nil
}

func (t *mutantTables) hasFeatures() bool {
	_, err := os.Stat(filepath.Join(t.folder, dataset.FeaturesFile))
	return err == nil
}

func (t *mutantTables) text(row, col int) string { return t.described.Value(row, col).(string) }
func (t *mutantTables) number(row, col int) int  { return int(t.described.Value(row, col).(int64)) }

func (t *mutantTables) ranked(i, rank int) report.Ranked {
	s := &t.scores[i]
	return report.Ranked{
		ID: s.ID, File: s.File, Line: s.Line, Column: t.number(i, 9), Function: t.text(i, 6), Operator: s.Operator, Type: s.Matcher + "!" + s.Replacer,
		Original: t.text(i, 10), Replacement: t.text(i, 11), Rank: rank,
		PFault: report.Probability(s.Fault), PKill: report.Probability(s.Kill),
	}
}

// leftOut counts the mutants of removed.parquet, which need not be there.
func leftOut(folder string) (out report.LeftOut, err error) {
	removed, err := table.Read(filepath.Join(folder, dataset.RemovedFile), "kind")
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, exit.New(exit.Input, err, "")
	}
	kinds, err := removed.Strings("kind")
	for _, kind := range kinds {
		switch kind {
		case "equivalent":
			out.Equivalent++
		case "duplicate":
			out.Duplicate++
		case "invalid":
			out.Invalid++
		case "suppressed":
			out.Suppressed++
		}
	}
	return out, err
}

// open opens the table of features, which must have those that a model reads, and
// mean the same by them.
func (t *mutantTables) open(model *models.Bundle) error {
	_, dynamic, err := experiment.SplitColumns(model.Card.Features)
	if err != nil {
		return err
	}
	if len(dynamic) > 0 {
		return exit.New(exit.Usage, fmt.Errorf("model %s reads what a run of the program's tests tells", model.Card.Name),
			"name a folder with "+project.File+", which says what the tests are, or take a model of static features")
	}
	path := filepath.Join(t.folder, dataset.FeaturesFile)
	if t.features, err = table.Open(path); err != nil {
		return exit.New(exit.Input, err, "write it with winnow features INPUT --out "+path)
	}
	if err := model.CheckSchema(experiment.ColumnsOf(t.features.Schema())); err != nil {
		t.features.Close()
		return exit.New(exit.Input, err, "write the features again with this version of winnow, or train a model with it")
	}
	t.columns = model.Card.Features
	return nil
}

// part is a row group of features, of mutants from on. The ids are its first column.
type part struct {
	from    int
	columns *table.Table
}

// featureParts are the row groups of the named features.
type featureParts struct {
	of     *mutantTables
	groups *table.Groups
	from   []int // where each group starts, and where the last one ends
}

func (t *mutantTables) parts(names []string) (*featureParts, error) {
	groups, err := t.features.Groups(append([]string{"id"}, names...)...)
	if err != nil {
		return nil, err
	}
	p := &featureParts{of: t, groups: groups, from: make([]int, 1, groups.Len()+1)}
	for i := range groups.Len() {
		p.from = append(p.from, p.from[i]+groups.Rows(i))
	}
	if rows := p.from[groups.Len()]; rows != len(t.scores) {
		for i := range groups.Len() { // the first row that is of another mutant says more
			if _, err := p.read(i); err != nil {
				return nil, err
			}
		}
		return nil, fmt.Errorf("%d rows for %d mutants", rows, len(t.scores))
	}
	return p, nil
}

func (p *featureParts) read(i int) (part, error) {
	batch, err := p.groups.Read(i)
	if err == nil {
		err = p.of.checkIDs(batch, p.from[i])
	}
	return part{p.from[i], batch}, err
}

func (t *mutantTables) checkIDs(batch *table.Table, from int) error {
	ids, err := batch.Strings("id")
	if err != nil {
		return err
	}
	for i, id := range ids {
		if from+i >= len(t.scores) || t.scores[from+i].ID != id {
			return fmt.Errorf("row %d is of mutant %s, which %s has elsewhere or not at all", from+i+1, id, dataset.MutantsFile)
		}
	}
	return nil
}

// wrong is an error about the table of features.
func (t *mutantTables) wrong(err error) error {
	path := filepath.Join(t.folder, dataset.FeaturesFile)
	return exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "write it again, of the same input and with the same flags as "+dataset.MutantsFile)
}

// score asks the model, group by group: as many at a time as there are workers.
func (t *mutantTables) score(ctx context.Context, opts Options, workers int) error {
	scorer, err := predict.NewBundleScorer(opts.Model, experiment.ColumnsOf(t.features.Schema()))
	if err != nil {
		return err
	}
	names := scorer.Reads()
	if opts.Strategy.NeedsFeatures {
		names = t.columns
	}
	parts, err := t.parts(names)
	if err != nil {
		return t.wrong(err)
	}
	places := make([]int, len(names)) // in a row of the model
	at := make(map[string]int, len(t.columns))
	for i, name := range t.columns {
		at[name] = i
	}
	for i, name := range names {
		places[i] = at[name]
	}
	return parallel.Each(ctx, workers, countTo(parts.groups.Len()), func(_ context.Context, _ int, i int) error {
		p, err := parts.read(i)
		if err != nil {
			return t.wrong(err)
		}
		columns := make([][]float64, len(t.columns))
		for k, place := range places {
			if columns[place], err = p.columns.NumbersAt(1 + k); err != nil {
				return t.wrong(err)
			}
		}
		scores := t.scores[p.from : p.from+p.columns.Rows()]
		if opts.Strategy.NeedsFeatures {
			for i := range scores {
				scores[i].Features, scores[i].Columns = make([]float64, len(columns)), t.columns
				for f := range columns {
					scores[i].Features[f] = columns[f][i]
				}
			}
		}
		return scorer.ApplyColumns(scores, columns)
	})
}

// countTo is the numbers below n.
func countTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// column reads one feature of all mutants. What goes wrong is kept.
func (t *mutantTables) column(ctx context.Context, at, workers int) []float64 {
	out := make([]float64, len(t.scores))
	groups, err := t.features.Groups(t.columns[at])
	if err == nil {
		from := []int{0}
		for i := range groups.Len() {
			from = append(from, from[i]+groups.Rows(i))
		}
		err = parallel.Each(ctx, workers, countTo(groups.Len()), func(_ context.Context, _ int, i int) error {
			batch, err := groups.Read(i)
			if err != nil {
				return t.wrong(err)
			}
			values, err := batch.NumbersAt(0)
			copy(out[from[i]:], values)
			return err
		})
	}
	if err != nil {
		t.failed = err
	}
	return out
}

// explain gives the reasons of the mutants that are listed, unless these are very
// many, which a note then says.
func (t *mutantTables) explain(out *report.Ranking, order []int, opts Options) error {
	explain, err := newReasons(opts)
	if err != nil || explain.explainer == nil {
		return err
	}
	if len(order) > mostReasons {
		out.Notes = append(out.Notes, fmt.Sprintf("no reasons are given for more than %d mutants at once: list fewer with --top", mostReasons))
		return nil
	}
	place := make(map[int]int, len(order)) // of a mutant, among those that are listed
	for rank, i := range order {
		place[i] = rank
	}
	parts, err := t.parts(t.columns)
	if err != nil {
		return t.wrong(err)
	}
	for i := range parts.groups.Len() {
		var rows []int // that are listed
		for row := parts.from[i]; row < parts.from[i+1]; row++ {
			if _, listed := place[row]; listed {
				rows = append(rows, row-parts.from[i])
			}
		}
		if len(rows) == 0 {
			continue
		}
		p, err := parts.read(i)
		if err != nil {
			return t.wrong(err)
		}
		picked, err := p.columns.Pick(rows)
		if err != nil {
			return t.wrong(err)
		}
		cells, err := rowsOf(picked, t.columns)
		if err != nil {
			return t.wrong(err)
		}
		for k, row := range rows {
			out.Mutants[place[p.from+row]].Reasons = explain.of(cells[k])
		}
	}
	return nil
}
