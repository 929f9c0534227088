package rank

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// HasTables says that a folder holds mutants as winnow mutate, winnow run and
// winnow import write them down, for OpenTables.
func HasTables(folder string) bool { return paths.Exist(filepath.Join(folder, dataset.MutantsFile)) }

// OpenTables makes a source of a folder with tables that were written before:
// mutants.parquet and, for a model, features.parquet. Nothing is compiled. Features are
// read a row group at a time, and only those columns that are asked for.
func OpenTables(folder string) (Source, error) {
	path := filepath.Join(folder, dataset.MutantsFile)
	described, err := table.Read(path, "id", "selector", "statement",
		"operator", "matcher", "replacer", "function", "file", "line", "column", "original", "replacement")
	if err != nil {
		return nil, &TableError{path, Unreadable, err}
	}
	w := &written{folder: folder, described: described}
	known, err := w.Proofs()
	if err != nil {
		return nil, err
	}
	w.undefined = known.MayBeUndefined()
	return w, nil
}

// written is the mutants of a folder of tables.
type written struct {
	folder    string
	described *table.Table
	undefined map[string]string // what C may leave undefined in a mutant, by id
}

func (w *written) text(row, col int) string { return w.described.Value(row, col).(string) }
func (w *written) number(row, col int) int  { return int(w.described.Value(row, col).(int64)) }

// Head names the program after the folder.
func (w *written) Head() (report.Ranking, error) {
	folder := w.folder
	if path, err := filepath.Abs(folder); err == nil {
		folder = path
	}
	left, err := w.leftOut()
	return report.Ranking{Program: filepath.Base(folder), LeftOut: left}, err
}

// leftOut counts the mutants of removed.parquet, which need not be there.
func (w *written) leftOut() (out report.LeftOut, err error) {
	path := filepath.Join(w.folder, dataset.RemovedFile)
	removed, err := table.Read(path, "kind")
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, &TableError{path, Unreadable, err}
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
		case "undefined":
			out.Undefined++
		case "suppressed":
			out.Suppressed++
		}
	}
	return out, err
}

func (w *written) Scores() []predict.Score {
	out := make([]predict.Score, w.described.Rows())
	for i := range out {
		out[i] = predict.Score{
			ID: w.text(i, 0), Selector: int32(w.number(i, 1)), Fault: math.NaN(), Kill: math.NaN(), Statement: w.number(i, 2),
			Operator: w.text(i, 3), Matcher: w.text(i, 4), Replacer: w.text(i, 5), File: w.text(i, 7), Function: w.text(i, 6), Line: w.number(i, 8)}
	}
	return out
}

func (w *written) Mutant(i int) report.Ranked {
	return report.Ranked{ID: w.text(i, 0), File: w.text(i, 7), Line: w.number(i, 8), Column: w.number(i, 9), Function: w.text(i, 6),
		Operator: w.text(i, 3), Type: w.text(i, 4) + "!" + w.text(i, 5), Original: w.text(i, 10), Replacement: w.text(i, 11),
		Undefined: w.undefined[w.text(i, 0)]}
}

func (w *written) Warnings() []string          { return nil }
func (w *written) Tested() bool                { return false }
func (w *written) Observe() (*Observed, error) { return nil, &NeedsTests{} }

func (w *written) Proofs() (*dataset.Subject, error) {
	path := filepath.Join(w.folder, dataset.ProofsFile)
	proofs, err := table.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &TableError{path, Unreadable, err}
	}
	return &dataset.Subject{Proofs: proofs}, nil
}

func (w *written) Kills() (*kill.Matrix, error) {
	path := filepath.Join(w.folder, dataset.KillsFile)
	if !paths.Exist(path) {
		return nil, nil
	}
	kills, err := kill.Read(path, kill.VerdictsOnly)
	if err != nil {
		return nil, &TableError{path, Unreadable, err}
	}
	return kills, nil
}

func (w *written) Features() (Features, error) {
	path := filepath.Join(w.folder, dataset.FeaturesFile)
	reader, err := table.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &TableError{path, NoFeatures, err}
	case err != nil:
		return nil, &TableError{path, Unreadable, err}
	}
	return &rowGroups{Reader: reader, path: path, of: w}, nil
}

// rowGroups are a file of features, whose rows must be those of the mutants.
type rowGroups struct {
	*table.Reader
	path    string
	of      *written
	checked bool // every group is held to the mutants once, when it is first read
}

func (f *rowGroups) Groups(columns ...string) (Groups, error) {
	out := &rowsOf{file: f, columns: columns, check: !f.checked}
	names := columns
	if out.check {
		names, f.checked = append([]string{"id"}, columns...), true
	}
	var err error
	if out.Groups, err = f.Reader.Groups(names...); err != nil {
		return nil, f.wrong(err)
	}
	for i := range out.Len() {
		out.from = append(out.from, out.rows)
		out.rows += out.Rows(i)
	}
	if mutants := f.of.described.Rows(); out.rows != mutants {
		for i := range out.Len() { // the first row that is of another mutant says more
			if _, err := out.Read(i); err != nil {
				return nil, err
			}
		}
		return nil, f.wrong(fmt.Errorf("%d rows for %d mutants", out.rows, mutants))
	}
	return out, nil
}

func (f *rowGroups) wrong(err error) error { return &TableError{f.path, OtherMutants, err} }

// rowsOf are the row groups of some columns.
type rowsOf struct {
	*table.Groups
	file    *rowGroups
	columns []string
	check   bool  // the ids are read, too
	from    []int // where each group starts
	rows    int
}

func (g *rowsOf) Read(i int) (*table.Table, error) {
	batch, err := g.Groups.Read(i)
	if err == nil && g.check {
		if err = g.sameMutants(batch, g.from[i]); err == nil {
			batch, err = batch.Select(g.columns...)
		}
	}
	if err != nil {
		return nil, g.file.wrong(err)
	}
	return batch, nil
}

// sameMutants holds a group to the mutants that it must be of.
func (g *rowsOf) sameMutants(batch *table.Table, from int) error {
	ids, err := batch.Strings("id")
	if err != nil {
		return err
	}
	of := g.file.of
	for i, id := range ids {
		if from+i >= of.described.Rows() || of.text(from+i, 0) != id {
			return fmt.Errorf("row %d is of mutant %s, which %s has elsewhere or not at all", from+i+1, id, dataset.MutantsFile)
		}
	}
	return nil
}
