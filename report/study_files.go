package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/study"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// WriteStudyFiles writes all of a study into a folder, which it makes:
// evaluation.json, and a CSV file for each table: qualities.csv, comparison.csv, and
// where they were asked for importance.csv, ablation.csv and learning-curve.csv.
// Files of that name are replaced.
func WriteStudyFiles(dir string, s *Study) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
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
			return encoder.Encode(s)
		}),
		put("qualities.csv", func(w io.Writer) error { return evaluate.WriteQualityCSV(w, s.Qualities) }),
		put("comparison.csv", s.Comparison.WriteCSV))
	for _, t := range []*study.Table{importanceTable(s.Importance), ablationTable(s.Ablation), learningCurveTable(s.LearningCurve)} {
		if len(t.Rows) > 0 {
			err = firstError(err, put(t.Name+".csv", func(w io.Writer) error { return WriteTableCSV(w, t) }))
		}
	}
	return err
}

func newTable(name string, keys []string, columns ...string) *study.Table {
	t := &study.Table{Name: name, Keys: keys}
	for _, c := range columns {
		t.Columns = append(t.Columns, study.Column{Name: c, Origin: study.Measured})
	}
	return t
}

func importanceTable(list []*Importance) *study.Table {
	t := newTable("importance", []string{"label", "of", "name"}, "columns", "gain", "loss_without", "published_gain")
	missing := evaluate.Number(math.NaN())
	for _, i := range list {
		for _, f := range i.Families {
			t.Add([]string{i.Label, "family", f.Name}, evaluate.Number(f.Columns), f.Gain, f.Loss, missing)
		}
		for _, f := range i.Features {
			t.Add([]string{i.Label, "feature", f.Name}, evaluate.Number(f.Columns), f.Gain, f.Loss, missing)
		}
		for _, g := range i.Published {
			t.Add([]string{i.Label, "published", g.Name}, evaluate.Number(g.Columns), g.Gain, missing, g.Published)
		}
	}
	return t
}

// ablationTable has a row for each set of columns that models learnt from.
func ablationTable(list []*Ablation) *study.Table {
	t := newTable("ablation", []string{"label", "learnt_from", "family"}, "columns", "auc", "auc_low", "auc_high", "subject_auc_mean")
	add := func(label, from, family string, columns int, a AUC) {
		t.Add([]string{label, from, family}, evaluate.Number(columns), a.Pooled, a.Low, a.High, a.Within)
	}
	for _, a := range list {
		add(a.Label, "all", "", a.Columns, a.All)
		for _, f := range a.Families {
			add(a.Label, "alone", f.Name, f.Columns, f.Alone)
			if f.Without != (AUC{}) {
				add(a.Label, "without", f.Name, a.Columns-f.Columns, f.Without)
			}
		}
	}
	return t
}

func learningCurveTable(list []*LearningCurve) *study.Table {
	t := newTable("learning-curve", []string{"label", "judged"}, "share", "groups", "mutants", "auc", "auc_low", "auc_high", "subject_auc_mean")
	for _, c := range list {
		for _, p := range c.Points {
			t.Add([]string{c.Label, c.Judged}, p.Share, p.Groups, p.Mutants, p.AUC.Pooled, p.AUC.Low, p.AUC.High, p.AUC.Within)
		}
	}
	return t
}
