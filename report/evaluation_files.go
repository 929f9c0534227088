package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/number"
)

// WriteEvaluationFiles writes all of an evaluation into a folder, which it makes:
// evaluation.json, and a CSV file for each table: qualities.csv, comparison.csv, and
// where they were asked for importance.csv, ablation.csv and learning-curve.csv.
// Files of that name are replaced.
func WriteEvaluationFiles(dir string, e *experiment.Evaluation) error {
	if err := atomicfile.MakeFolder(dir); err != nil {
		return fmt.Errorf("writing an evaluation: %w", err)
	}
	put := func(name string, write func(io.Writer) error) error {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			return err
		}
		return atomicfile.Write(filepath.Join(dir, name), out.Bytes())
	}
	err := firstError(
		put("evaluation.json", func(w io.Writer) error {
			encoder := json.NewEncoder(w)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", " ")
			return encoder.Encode(e)
		}),
		put("qualities.csv", func(w io.Writer) error { return writeQualityCSV(w, e.Qualities) }),
		put("comparison.csv", func(w io.Writer) error { return writeComparisonCSV(w, e.Comparison) }))
	for _, t := range []*Table{listsTable("lists", e.Lists), listsTable("kill_lists", e.KillLists), importanceTable(e.Importance), ablationTable(e.Ablation), learningCurveTable(e.LearningCurve)} {
		if len(t.Rows) > 0 {
			err = firstError(err, put(t.Name+".csv", func(w io.Writer) error { return WriteTableCSV(w, t) }))
		}
	}
	return err
}

func newTable(name string, keys []string, columns ...string) *Table {
	t := &Table{Name: name, Keys: keys}
	for _, c := range columns {
		t.Columns = append(t.Columns, Column{Name: c, Origin: Measured})
	}
	return t
}

func importanceTable(list []*experiment.Importance) *Table {
	t := newTable("importance", []string{"label", "of", "name"}, "columns", "gain", "loss_without", "published_gain")
	missing := number.Float(math.NaN())
	for _, i := range list {
		for _, f := range i.Families {
			t.Add([]string{i.Label, "family", f.Name}, number.Float(f.Columns), f.Gain, f.Loss, missing)
		}
		for _, f := range i.Features {
			t.Add([]string{i.Label, "feature", f.Name}, number.Float(f.Columns), f.Gain, f.Loss, missing)
		}
		for _, g := range i.Published {
			t.Add([]string{i.Label, "published", g.Name}, number.Float(g.Columns), g.Gain, missing, g.Published)
		}
	}
	return t
}

// ablationTable has a row for each set of columns that models learnt from.
func ablationTable(list []*experiment.Ablation) *Table {
	t := newTable("ablation", []string{"label", "learnt_from", "family"}, "columns", "auc", "auc_low", "auc_high", "subject_auc_mean")
	add := func(label, from, family string, columns int, a experiment.AUC) {
		t.Add([]string{label, from, family}, number.Float(columns), a.Pooled, a.Low, a.High, a.Within)
	}
	for _, a := range list {
		add(a.Label, "all", "", a.Columns, a.All)
		for _, f := range a.Families {
			add(a.Label, "alone", f.Name, f.Columns, f.Alone)
			if f.Without != (experiment.AUC{}) {
				add(a.Label, "without", f.Name, a.Columns-f.Columns, f.Without)
			}
		}
	}
	return t
}

func learningCurveTable(list []*experiment.LearningCurve) *Table {
	t := newTable("learning-curve", []string{"label", "judged"}, "share", "groups", "mutants", "auc", "auc_low", "auc_high", "subject_auc_mean")
	for _, c := range list {
		for _, p := range c.Points {
			t.Add([]string{c.Label, c.Judged}, p.Share, p.Groups, p.Mutants, p.AUC.Pooled, p.AUC.Low, p.AUC.High, p.AUC.Within)
		}
	}
	return t
}
